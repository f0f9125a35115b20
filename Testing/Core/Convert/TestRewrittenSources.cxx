// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/BovWriter.h"
#include "Convert/FieldFileLattice.h"
#include "Io/Blocks/BovReader.h"
#include "Io/Blocks/RawReader.h"
#include "Sources.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace rivulet
{

namespace
{

using test::NumberedSource;
using test::TemporaryFolder;

// A source that somebody meddles with once some of it is read.
class Meddled final : public LatticeReader
{
public:
  Meddled(std::unique_ptr<LatticeReader> source, std::function<void()> meddle)
    : source_(std::move(source))
    , meddle_(std::move(meddle))
  {
  }
  [[nodiscard]] const FieldInfo& info() const override { return source_->info(); }
  [[nodiscard]] Result<void> read(int variable, int step, const Box& box, void* out) override
  {
    Result<void> done = source_->read(variable, step, box, out);
    if (++reads_ == 2)
    {
      meddle_();
    }
    return done;
  }
  [[nodiscard]] std::int64_t source_bytes() const override { return source_->source_bytes(); }
  [[nodiscard]] Result<void> check_unchanged() override { return source_->check_unchanged(); }

private:
  std::unique_ptr<LatticeReader> source_;
  std::function<void()> meddle_;
  std::atomic<int> reads_{ 0 };
};

void touch(const std::string& path)
{
  std::this_thread::sleep_for(std::chrono::milliseconds(20)); // more than a tick of the clock that files are stamped by
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.put('x');
}

void replace(const std::string& path)
{
  std::filesystem::copy_file(path, path + ".new");
  std::filesystem::rename(path + ".new", path);
}

class RewrittenSources : public testing::Test
{
protected:
  RewrittenSources()
  {
    NumberedSource source({ 24, 24, 24 }, { test::velocity() });
    EXPECT_TRUE(write_bov(source, folder_.file("a.bov"), {}).has_value());
    EXPECT_TRUE(convert(source, folder_.file("a.rvf"), {}).has_value());
    before_ = test::names_in(folder_);
  }

  template <class Source>
  [[nodiscard]] Meddled meddled(Result<std::unique_ptr<Source>> source, const std::string& name)
  {
    EXPECT_TRUE(source.has_value());
    return { std::move(*source), [this, name]
      {
        meddle(folder_.file(name));
      } };
  }

  // Small memory makes many reads.
  void expect_refusal(Meddled&& source, const std::string& name)
  {
    ConvertOptions options;
    options.memory = 256 * kKiB;
    options.threads = 1;
    const Result<ConvertReport> done = convert(source, folder_.file("b.rvf"), options);
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().path, folder_.file(name));
    EXPECT_EQ(test::names_in(folder_), before_) << "nothing is left";
  }

  TemporaryFolder folder_;
  std::vector<std::string> before_;
  std::function<void(const std::string&)> meddle = touch;
};

} // namespace

TEST_F(RewrittenSources, are_refused_where_the_data_of_a_bov_change)
{
  for (const auto& way : { touch, replace })
  {
    meddle = way;
    expect_refusal(meddled(open_bov_reader({ folder_.file("a.bov") }), "a.raw"), "a.raw");
  }
}

TEST_F(RewrittenSources, are_refused_where_the_header_of_a_bov_changes)
{
  expect_refusal(meddled(open_bov_reader({ folder_.file("a.bov") }), "a.bov"), "a.bov");
}

TEST_F(RewrittenSources, are_refused_where_a_raw_file_changes)
{
  RawField raw;
  raw.grid.nodes = { 24, 24, 24 };
  raw.variables.resize(1);
  raw.variables[0].components = 3;
  raw.variables[0].steps = { { folder_.file("a.raw") } };
  expect_refusal(meddled(open_raw_reader(raw), "a.raw"), "a.raw");
}

TEST_F(RewrittenSources, are_refused_where_a_field_file_changes)
{
  for (const auto& way : { touch, replace })
  {
    meddle = way;
    expect_refusal(meddled(FieldFileLattice::open({ folder_.file("a.rvf") }), "a.rvf"), "a.rvf");
    NumberedSource again({ 24, 24, 24 }, { test::velocity() });
    ASSERT_TRUE(convert(again, folder_.file("a.rvf"), {}).has_value());
  }
}

TEST_F(RewrittenSources, are_refused_on_the_way_to_bov_too)
{
  Meddled source = meddled(open_bov_reader({ folder_.file("a.bov") }), "a.raw");
  BovOptions options;
  options.memory = 24 * 12;
  const Result<BovReport> done = write_bov(source, folder_.file("b.bov"), options);
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().path, folder_.file("a.raw"));
  EXPECT_EQ(test::names_in(folder_), before_);
}

TEST_F(RewrittenSources, may_be_removed_once_they_are_open)
{
  meddle = [](const std::string& path)
  {
    std::filesystem::remove(path);
  };
  Meddled source = meddled(FieldFileLattice::open({ folder_.file("a.rvf") }), "a.rvf");
  EXPECT_TRUE(convert(source, folder_.file("b.rvf"), {}).has_value());
}

} // namespace rivulet
