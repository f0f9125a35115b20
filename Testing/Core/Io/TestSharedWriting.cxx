// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/FieldFiles.h"
#include "Io/FieldFile/SharedWriting.h"
#include "Support/TemporaryFolder.h"

#include <gmock/gmock.h>

namespace rivulet
{

using namespace test;
using testing::HasSubstr;

namespace
{

/// Writes the bricks whose number modulo two is `half`.
void write_half(FieldFileWriter& writer, const FieldInfo& info, int half)
{
  for (int step = 0; step < static_cast<int>(info.times.size()); ++step)
  {
    for (int variable = 0; variable < static_cast<int>(info.variables.size()); ++variable)
    {
      if (!writer.wants(variable, step))
      {
        continue;
      }
      const BrickLayout& layout = writer.layout(variable);
      for (std::int64_t index = half; index < layout.grid.size(); index += 2)
      {
        const BrickKey key{ variable, step, index };
        ASSERT_TRUE(writer.write_brick(key, payload_of(info, layout, key).data()));
      }
    }
  }
}

class TestSharedWriting : public testing::Test
{
protected:
  const FieldInfo info_ = small_field();
  const FieldFileOptions options_{ .brick_cells = { 4, 3, 3 }, .uuid = "01234567-89ab-4def-a123-456789abcdef" };
  TemporaryFolder folder_;
  std::unique_ptr<FieldFileWriter> owner_ = *FieldFileWriter::create(folder_.file("flow.rvf"), info_, options_);
};

} // namespace

TEST_F(TestSharedWriting, gives_the_file_that_one_process_would_write)
{
  {
    const auto guest = *FieldFileWriter::join(owner_->invitation(), info_, options_);
    write_half(*owner_, info_, 0);
    write_half(*guest, info_, 1);
    EXPECT_FALSE(guest->hide(Centering::Node, 0, {})) << "only the owner hides";
    EXPECT_TRUE(guest->finish());
    EXPECT_TRUE(owner_->add(guest->contribution()));
  }
  EXPECT_TRUE(owner_->finish());
  write_field(folder_.file("alone.rvf"), info_, options_);
  EXPECT_EQ(bytes_of(folder_.file("flow.rvf")), bytes_of(folder_.file("alone.rvf")));
}

TEST_F(TestSharedWriting, gives_the_places_of_nodes_with_their_bounds)
{
  const FieldInfo info = curvilinear_field(3);
  auto owner = *FieldFileWriter::create(folder_.file("bent.rvf"), info, options_);
  const auto guest = *FieldFileWriter::join(owner->invitation(), info, options_);
  write_half(*owner, info, 0);
  write_half(*guest, info, 1);
  ASSERT_TRUE(guest->finish());
  ASSERT_TRUE(owner->add(guest->contribution()));
  ASSERT_TRUE(owner->finish());
  write_field(folder_.file("alone.rvf"), info, options_);
  EXPECT_EQ(bytes_of(folder_.file("bent.rvf")), bytes_of(folder_.file("alone.rvf")));
}

TEST_F(TestSharedWriting, refuses_bricks_that_two_processes_have_written)
{
  const auto guest = *FieldFileWriter::join(owner_->invitation(), info_, options_);
  write_half(*owner_, info_, 0);
  write_half(*guest, info_, 0);
  EXPECT_TRUE(guest->finish());
  EXPECT_THAT(owner_->add(guest->contribution()).error().what, HasSubstr("written twice"));
  EXPECT_FALSE(owner_->finish());
}

TEST_F(TestSharedWriting, refuses_another_field)
{
  FieldInfo other = info_;
  other.variables.pop_back();
  EXPECT_THAT(FieldFileWriter::join(owner_->invitation(), other, options_).error().what, HasSubstr("different fields"));
  other = info_;
  other.times.push_back(7.0);
  EXPECT_THAT(FieldFileWriter::join(owner_->invitation(), other, options_).error().what, HasSubstr("different fields"));
  owner_.reset();
  EXPECT_FALSE(
      FieldFileWriter::join(FileInvitation{ folder_.file("gone"), {}, {}, { { 0 }, { 0 } } }.to_bytes(), info_, {}));
}

TEST_F(TestSharedWriting, refuses_garbled_messages)
{
  const auto guest = *FieldFileWriter::join(owner_->invitation(), info_, options_);
  write_half(*guest, info_, 1);
  EXPECT_TRUE(guest->finish());
  const std::vector<std::byte> invitation = owner_->invitation();
  for (std::size_t size = 0; size < invitation.size(); ++size)
  {
    EXPECT_FALSE(FieldFileWriter::join(std::span(invitation).first(size), info_, options_)) << size;
  }
  const std::vector<std::byte> contribution = guest->contribution();
  for (std::size_t size = 0; size < contribution.size(); ++size)
  {
    EXPECT_FALSE(FileContribution::of_bytes(std::span(contribution).first(size))) << size;
  }
  for (std::size_t byte = 0; byte < 40; ++byte) // counts and numbers of bricks that cannot be
  {
    std::vector<std::byte> changed = contribution;
    changed[byte] = std::byte{ 0xFF };
    EXPECT_FALSE(owner_->add(changed)) << byte;
  }
}

} // namespace rivulet
