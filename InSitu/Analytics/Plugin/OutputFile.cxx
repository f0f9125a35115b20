// SPDX-License-Identifier: BSD-3-Clause
#include "Plugin/OutputFile.h"

#include "Io/Writes/PublishFile.h"

#include <array>
#include <charconv>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace rivulet
{

namespace
{

constexpr std::size_t kBuffer = std::size_t{ 1 } << 20;

std::string temporary_name(const std::string& path)
{
  const std::filesystem::path whole(path);
  return (whole.parent_path() / ("." + whole.filename().string() + ".tmp-" + std::to_string(::getpid()))).string();
}

/// The error as one of the file that the user knows.
Result<void> at_path(Result<void> done, const std::string& path)
{
  return done ? done : Result<void>(tl::unexpected(std::move(done.error()).at_path(path)));
}

template <class Number>
void append_digits(std::string& text, Number value)
{
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

} // namespace

Result<OutputFile> OutputFile::create(const std::string& path)
{
  const std::string temporary = temporary_name(path);
  ::unlink(temporary.c_str()); // left by a process of the same number
  Result<File> file = File::create(temporary);
  if (!file)
  {
    return tl::unexpected(std::move(file.error()).at_path(path));
  }
  return OutputFile(std::move(*file), path);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
  : file_(std::move(other.file_))
  , path_(std::exchange(other.path_, {}))
  , buffer_(std::move(other.buffer_))
{
}

OutputFile::~OutputFile()
{
  if (!path_.empty())
  {
    ::unlink(temporary_name(path_).c_str());
  }
}

Result<void> OutputFile::flush()
{
  Result<void> done = file_.append(buffer_.data(), static_cast<std::int64_t>(buffer_.size()));
  buffer_.clear();
  return at_path(std::move(done), path_);
}

Result<void> OutputFile::append(std::string_view bytes)
{
  buffer_ += bytes;
  return buffer_.size() < kBuffer ? Result<void>() : flush();
}

Result<void> OutputFile::finish()
{
  Result<void> done = flush();
  done = done ? at_path(file_.close(), path_) : done;
  done = done ? at_path(publish_file(temporary_name(path_), path_, OnExisting::Replace), path_) : done;
  if (done)
  {
    path_.clear();
  }
  return done;
}

Result<void> write_whole_file(const std::string& path, std::string_view bytes)
{
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
  {
    return forward_error(file);
  }
  const Result<void> done = file->append(bytes);
  return done ? file->finish() : done;
}

void append_number(std::string& text, double value)
{
  append_digits(text, value);
}

void append_number(std::string& text, std::int64_t value)
{
  append_digits(text, value);
}

} // namespace rivulet
