// SPDX-License-Identifier: BSD-3-Clause
// The index of one data file, against libhdf5 and against damage.
#include "Amr/FileIndex.h"
#include "Core/Amr/MadeDump.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace rivulet::test
{
namespace
{

using Names = std::vector<std::pair<std::string, std::string>>;

/// Groups and datasets of the patches in one file of a dump.
Names names_in(const AmrDump& dump, std::int32_t file)
{
  Names names;
  for (const AmrPatch& patch : dump.patches)
  {
    for (const AmrVariable& variable : dump.variables)
    {
      for (const AmrComponent& component : variable.components)
      {
        if (patch.file == file)
        {
          names.emplace_back(patch.group, component.dataset);
        }
      }
    }
  }
  return names;
}

/// That libhdf5 knows the same location of a dataset.
void expect_same_place(hid_t file, const std::string& name, const hdf5::DatasetIndex& found)
{
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  ASSERT_GE(dataset, 0) << name;
  const hid_t space = H5Dget_space(dataset);
  EXPECT_EQ(H5Sget_simple_extent_npoints(space), found.form->count()) << name;
  if (found.form->storage == hdf5::Storage::Contiguous)
  {
    EXPECT_EQ(H5Dget_offset(dataset), found.address) << name;
  }
  else
  {
    hsize_t count = 0;
    EXPECT_GE(H5Dget_num_chunks(dataset, space, &count), 0);
    ASSERT_EQ(count, found.chunks.size()) << name;
    for (hsize_t i = 0; i < count; ++i)
    {
      hsize_t first = 0;
      unsigned skipped = 0;
      haddr_t address = 0;
      hsize_t bytes = 0;
      EXPECT_GE(H5Dget_chunk_info(dataset, space, i, &first, &skipped, &address, &bytes), 0);
      const hdf5::Chunk& chunk = found.chunks[i];
      EXPECT_EQ(chunk.address, address) << name;
      EXPECT_EQ(chunk.bytes, bytes) << name;
      EXPECT_EQ(chunk.skipped, skipped) << name;
      EXPECT_EQ(chunk.first[0], static_cast<std::int64_t>(first)) << name;
    }
  }
  H5Sclose(space);
  H5Dclose(dataset);
}

class Indices : public testing::TestWithParam<std::pair<const char*, const char*>>
{
};

TEST_P(Indices, EveryDatasetIsWhereTheLibrarySaysThatItIs)
{
  const MadeDump made(GetParam().second);
  const AmrDump dump = made.open();
  hdf5::BlockPool pool;
  for (std::size_t i = 0; i < dump.files.size(); ++i)
  {
    const hid_t file = H5Fopen(dump.files[i].c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    for (const std::int64_t wanted : { std::int64_t{ 0 }, std::int64_t{ 1 } << 30 })
    {
      FileIndex index(dump.files[i], pool);
      ASSERT_TRUE(index.open({ .bytes = wanted, .pieces = 1 }));
      for (const auto& [group, name] : names_in(dump, static_cast<std::int32_t>(i)))
      {
        const Match& found = index.find(group, name);
        ASSERT_EQ(found.kind, Match::Kind::Plain) << group << "/" << name;
        expect_same_place(file, std::string(group).append("/").append(name), found.dataset);
      }
    }
    H5Fclose(file);
  }
}

INSTANTIATE_TEST_SUITE_P(Made, Indices,
    testing::Values(std::pair("Contiguous", "--levels 3 --scatter 1 --processors 3"),
        std::pair("ManyPatches", "--cells 48 48 48 --patches 8 8 8 --levels 1 --variable name=a --processors 1"),
        std::pair("Chunked", "--storage chunked --filters shuffle deflate --chunk 64 --cells 32 32 32"),
        std::pair("ChunkedPlain", "--storage chunked --chunk 50 --levels 1 --patches 1 1 1 --cells 64 64 16"),
        std::pair("ManyVariables", "--levels 1 --variable name=a,shape=tensor --variable name=b,shape=tensor "
                                   "--variable name=c,shape=tensor")),
    [](const auto& one) { return one.param.first; });

class OneFile : public testing::Test
{
protected:
  void SetUp() override
  {
    path_ = made_.open().files[0];
    names_ = names_in(made_.open(), 0);
    ASSERT_GE(names_.size(), 4U);
  }

  const MadeDump made_{ "--levels 1 --processors 1 --variable name=a --variable name=b" };
  std::string path_;
  Names names_;
  hdf5::BlockPool pool_;
};

TEST_F(OneFile, WhatWasFoundIsKnownAfterTheFileIsClosed)
{
  FileIndex index(path_, pool_);
  ASSERT_TRUE(index.open({}));
  EXPECT_EQ(index.known(names_[0].first, names_[0].second), nullptr);
  const std::uint64_t address = index.find(names_[0].first, names_[0].second).dataset.address;
  index.close();
  const Match* known = index.known(names_[0].first, names_[0].second);
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(known->dataset.address, address);
  ASSERT_TRUE(index.open({}));
  EXPECT_EQ(index.bytes_read(), 0) << "a known dataset needs no search";
  EXPECT_EQ(&index.find(names_[0].first, names_[0].second), known);
}

TEST_F(OneFile, NamesThatAreNotThereAreMissing)
{
  FileIndex index(path_, pool_);
  ASSERT_TRUE(index.open({}));
  EXPECT_EQ(index.find(names_[0].first, "none").kind, Match::Kind::Missing);
  EXPECT_EQ(index.find("no/such/group", "a").kind, Match::Kind::Missing);
  EXPECT_EQ(index.find("", "a").kind, Match::Kind::Missing);
  const std::size_t slash = names_[0].first.rfind('/');
  const Match& group = index.find(names_[0].first.substr(0, slash), names_[0].first.substr(slash + 1));
  ASSERT_EQ(group.kind, Match::Kind::Bad);
  EXPECT_EQ(group.error->code, ErrorCode::Corrupt);
}

TEST_F(OneFile, AChangedFileIsForgotten)
{
  FileIndex index(path_, pool_);
  ASSERT_TRUE(index.open({}));
  (void)index.find(names_[0].first, names_[0].second);
  index.close();
  std::ofstream(path_, std::ios::app | std::ios::binary) << "more";
  ASSERT_TRUE(index.open({}));
  EXPECT_EQ(index.known(names_[0].first, names_[0].second), nullptr);
  EXPECT_EQ(index.find(names_[0].first, names_[0].second).kind, Match::Kind::Plain);
}

TEST_F(OneFile, OtherFilesAreRefusedOrLeftToTheLibrary)
{
  FileIndex none(made_.folder() + "/none", pool_);
  EXPECT_EQ(none.open({}).error().code, ErrorCode::NotFound);
  const std::string other = made_.folder() + "/other";
  std::ofstream(other, std::ios::binary) << "short";
  FileIndex brief(other, pool_);
  EXPECT_EQ(brief.open({}).error().code, ErrorCode::NotThisFormat);
  std::ofstream(other, std::ios::binary) << std::string(1000, 'x');
  FileIndex text(other, pool_);
  ASSERT_TRUE(text.open({}));
  EXPECT_EQ(text.find("group", "a").kind, Match::Kind::Library);
}

/// Datasets of a file that is cut off are where they were, or an error.
TEST_F(OneFile, OfATruncatedFileNothingIsFoundBehindItsEnd)
{
  FileIndex whole(path_, pool_);
  ASSERT_TRUE(whole.open({}));
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path_));
  const std::string cut = made_.folder() + "/cut";
  int plain = 0;
  int bad = 0;
  for (std::int64_t length = 100; length < size; length += size / 40)
  {
    std::filesystem::copy_file(path_, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, static_cast<std::uintmax_t>(length));
    FileIndex index(cut, pool_);
    ASSERT_TRUE(index.open({}));
    for (const auto& [group, name] : names_)
    {
      const Match& found = index.find(group, name);
      if (found.kind == Match::Kind::Plain)
      {
        ++plain;
        EXPECT_EQ(found.dataset.address, whole.find(group, name).dataset.address);
        EXPECT_LE(static_cast<std::int64_t>(found.dataset.address) + found.dataset.form->bytes(), length);
        continue;
      }
      ++bad;
      ASSERT_NE(found.error, nullptr);
      EXPECT_EQ(found.error->code, ErrorCode::Truncated) << found.error->describe();
    }
  }
  EXPECT_GT(plain, 0);
  EXPECT_GT(bad, 0);
}

/// Random damage: datasets lie within the file, or are errors.
TEST_F(OneFile, OfADamagedFileNothingIsFoundOutsideIt)
{
  std::vector<char> sound(std::filesystem::file_size(path_));
  std::ifstream(path_, std::ios::binary).read(sound.data(), static_cast<std::streamsize>(sound.size()));
  const std::string damaged = made_.folder() + "/damaged";
  std::mt19937 random(5);
  for (int turn = 0; turn < 100; ++turn)
  {
    std::vector<char> bytes = sound;
    for (int i = 0; i < 200; ++i)
    {
      bytes[100 + random() % (bytes.size() - 100)] = static_cast<char>(random() % 3 == 0 ? 0xff : random() % 256);
    }
    std::ofstream(damaged, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    FileIndex index(damaged, pool_);
    ASSERT_TRUE(index.open({}));
    for (const auto& [group, name] : names_)
    {
      const Match& found = index.find(group, name);
      ASSERT_NE(found.kind, Match::Kind::NotAsked);
      if (found.kind == Match::Kind::Plain && found.dataset.form->storage == hdf5::Storage::Contiguous)
      {
        const std::uint64_t end = found.dataset.address + static_cast<std::uint64_t>(found.dataset.form->bytes());
        ASSERT_LE(found.dataset.address, bytes.size());
        ASSERT_LE(end, bytes.size());
      }
    }
  }
}

} // namespace
} // namespace rivulet::test
