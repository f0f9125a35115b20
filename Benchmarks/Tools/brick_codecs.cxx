// SPDX-License-Identifier: BSD-3-Clause
// Compressed sizes of a field file's bricks, and the time to decode them. Prints one line of JSON.
//
//   brick_codecs FILE.rvf --sizes PREFIX          writes sizes along the curve to PREFIX.lz4, PREFIX.zstd, ...
//
// Values are shuffled before compression: all first bytes, all second bytes, ... Times are the median over rounds of
// the processor time of one thread, for a sample of bricks across the file. They include undoing the shuffle.
#include "Base/Bytes.h"
#include "CommandLine/CommandLine.h"
#include "Convert/Records.h"
#include "Io/FieldFile/Fixed16.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <lz4.h>
#include <nlohmann/json.hpp>
#include <string>
#include <time.h>
#include <vector>
#include <zstd.h>

namespace
{

using namespace rivulet;
using Bytes = std::vector<std::byte>;

constexpr std::int64_t kSample = 4096;
constexpr int kRounds = 7;

/// Shuffles numbers of `width` bytes: all first bytes, all second bytes, ...
void split(const std::byte* numbers, std::size_t width, std::size_t count, std::byte* planes)
{
  for (std::size_t b = 0; b < width; ++b)
  {
    for (std::size_t i = 0; i < count; ++i)
    {
      planes[b * count + i] = numbers[i * width + b];
    }
  }
}

template <class Word>
void join(const std::byte* planes, std::size_t count, std::byte* numbers)
{
  for (std::size_t i = 0; i < count; ++i)
  {
    Word word = 0;
    for (std::size_t b = 0; b < sizeof(Word); ++b)
    {
      word = static_cast<Word>(word | static_cast<Word>(planes[b * count + i]) << (8 * b));
    }
    std::memcpy(numbers + i * sizeof(Word), &word, sizeof(Word));
  }
}

/// A way to compress a brick and to decode it.
struct Codec
{
  std::string name;
  std::function<Bytes(const std::byte* values)> encode;
  std::function<void(const Bytes& encoded, std::byte* values)> decode;
  std::vector<std::uint32_t> sizes;
  std::vector<Bytes> sample;
};

/// Layout of float bricks.
class Codecs
{
public:
  Codecs(int components, std::int64_t tuples)
    : components_(components)
    , tuples_(tuples)
    , count_(static_cast<std::size_t>(components * tuples))
    , planes_(4 * count_)
  {
  }

  [[nodiscard]] std::vector<Codec> all()
  {
    std::vector<Codec> codecs;
    codecs.push_back({ "lz4", [this](const std::byte* values) { return lz4(values); },
        [this](const Bytes& encoded, std::byte* values) { from_lz4(encoded, values); }, {}, {} });
    codecs.push_back({ "zstd", [this](const std::byte* values) { return zstd(values, 4, count_); },
        [this](const Bytes& encoded, std::byte* values) { from_zstd(encoded, values); }, {}, {} });
    codecs.push_back({ "fixed16", [this](const std::byte* values) { return fixed16(values); },
        [this](const Bytes& encoded, std::byte* values) { from_fixed16(encoded.data(), values); }, {}, {} });
    codecs.push_back({ "fixed16-zstd", [this](const std::byte* values) { return fixed16_zstd(values); },
        [this](const Bytes& encoded, std::byte* values) { from_fixed16_zstd(encoded, values); }, {}, {} });
    return codecs;
  }

private:
  Bytes lz4(const std::byte* values)
  {
    split(values, 4, count_, planes_.data());
    const auto room = LZ4_compressBound(static_cast<int>(planes_.size()));
    Bytes out(static_cast<std::size_t>(room));
    const int size = LZ4_compress_default(reinterpret_cast<const char*>(planes_.data()),
        reinterpret_cast<char*>(out.data()), static_cast<int>(planes_.size()), room);
    out.resize(static_cast<std::size_t>(size));
    return out;
  }
  void from_lz4(const Bytes& encoded, std::byte* values)
  {
    if (LZ4_decompress_safe(reinterpret_cast<const char*>(encoded.data()), reinterpret_cast<char*>(planes_.data()),
            static_cast<int>(encoded.size()), static_cast<int>(4 * count_)) < 0)
    {
      throw std::runtime_error("lz4 cannot undo what it did");
    }
    join<std::uint32_t>(planes_.data(), count_, values);
  }
  Bytes zstd(const std::byte* values, std::size_t width, std::size_t count)
  {
    split(values, width, count, planes_.data());
    Bytes out(ZSTD_compressBound(width * count));
    out.resize(ZSTD_compressCCtx(compressor_.get(), out.data(), out.size(), planes_.data(), width * count, 1));
    return out;
  }
  std::size_t planes_of_zstd(const std::byte* encoded, std::size_t bytes)
  {
    const std::size_t size = ZSTD_decompressDCtx(decompressor_.get(), planes_.data(), planes_.size(), encoded, bytes);
    if (ZSTD_isError(size) != 0)
    {
      throw std::runtime_error("zstd cannot undo what it did");
    }
    return size;
  }
  void from_zstd(const Bytes& encoded, std::byte* values)
  {
    planes_of_zstd(encoded.data(), encoded.size());
    join<std::uint32_t>(planes_.data(), count_, values);
  }
  Bytes fixed16(const std::byte* values) const
  {
    Bytes out(static_cast<std::size_t>(fixed16_bytes(components_, tuples_)));
    if (const std::string why = encode_fixed16(values, ScalarType::Float32, components_, tuples_, out.data());
        !why.empty())
    {
      throw std::runtime_error(why);
    }
    return out;
  }
  void from_fixed16(const std::byte* encoded, std::byte* values) const
  {
    decode_fixed16(encoded, ScalarType::Float32, components_, tuples_, values);
  }
  /// Stores the head without compression, and the codes compressed.
  Bytes fixed16_zstd(const std::byte* values)
  {
    const Bytes codes = fixed16(values);
    const std::size_t head = codes.size() - 2 * count_;
    const Bytes packed = zstd(codes.data() + head, 2, count_);
    Bytes out(codes.begin(), codes.begin() + static_cast<std::ptrdiff_t>(head));
    out.insert(out.end(), packed.begin(), packed.end());
    return out;
  }
  void from_fixed16_zstd(const Bytes& encoded, std::byte* values)
  {
    const std::size_t head = sizeof(Fixed16Component) * static_cast<std::size_t>(components_);
    planes_of_zstd(encoded.data() + head, encoded.size() - head);
    codes_.resize(head + 2 * count_);
    std::memcpy(codes_.data(), encoded.data(), head);
    join<std::uint16_t>(planes_.data(), count_, codes_.data() + head);
    from_fixed16(codes_.data(), values);
  }

  int components_;
  std::int64_t tuples_;
  std::size_t count_;
  Bytes planes_;
  Bytes codes_;
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> compressor_{ ZSTD_createCCtx(), &ZSTD_freeCCtx };
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> decompressor_{ ZSTD_createDCtx(), &ZSTD_freeDCtx };
};

/// Processor time of this thread in seconds, because other processes may interrupt it.
double processor_nanoseconds()
{
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// Nanoseconds to decode a brick of the sample.
double nanoseconds_to_decode(const Codec& codec, Bytes& values)
{
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round)
  {
    const double start = processor_nanoseconds();
    for (const Bytes& encoded : codec.sample)
    {
      codec.decode(encoded, values.data());
    }
    rounds.push_back((processor_nanoseconds() - start) / static_cast<double>(codec.sample.size()));
  }
  std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
  return rounds[kRounds / 2];
}

void add_brick(Codec& codec, const std::byte* values, bool sampled, Bytes& back, bool exact)
{
  Bytes encoded = codec.encode(values);
  codec.sizes.push_back(static_cast<std::uint32_t>(encoded.size()));
  if (!sampled)
  {
    return;
  }
  codec.decode(encoded, back.data());
  if (exact && !std::equal(back.begin(), back.end(), values))
  {
    throw std::runtime_error(codec.name + " gives other values back");
  }
  codec.sample.push_back(std::move(encoded));
}

nlohmann::json report(const Codec& codec, Bytes& values, const std::string& prefix)
{
  double bytes = 0;
  double pages = 0;
  for (const std::uint32_t size : codec.sizes)
  {
    bytes += size;
    pages += static_cast<double>(round_up(static_cast<std::int64_t>(size + sizeof(BrickTrailer)), kPage) / kPage);
  }
  const auto bricks = static_cast<double>(codec.sizes.size());
  const double nanoseconds = nanoseconds_to_decode(codec, values);
  if (!prefix.empty())
  {
    std::vector<std::uint32_t> sizes = codec.sizes;
    for (std::uint32_t& size : sizes)
    {
      size += sizeof(BrickTrailer);
    }
    std::ofstream(prefix + "." + codec.name, std::ios::binary)
        .write(reinterpret_cast<const char*>(sizes.data()), static_cast<std::streamsize>(4 * sizes.size()));
  }
  return { { "codec", codec.name }, { "bricks", codec.sizes.size() },
    { "ratio", static_cast<double>(values.size()) * bricks / bytes }, { "bytes_per_brick", bytes / bricks },
    { "pages_per_brick", pages / bricks }, { "decode_ns", nanoseconds },
    { "decode_gb_s", static_cast<double>(values.size()) / nanoseconds } };
}

Result<nlohmann::json> run(const std::string& path, const std::string& prefix)
{
  Result<FieldFile> file = FieldFile::open(path);
  if (!file)
  {
    return forward_error(file);
  }
  const Variable& variable = file->info.variables.front();
  const BrickLayout& layout = file->layouts.front();
  Result<Records> records = Records::open(*file);
  if (!records || variable.type != ScalarType::Float32)
  {
    return records ? fail(ErrorCode::Unsupported, "the first variable is not of floats", {}, path)
                   : forward_error(records);
  }
  Codecs with(variable.components, volume(layout.nodes));
  std::vector<Codec> codecs = with.all();
  Bytes record(static_cast<std::size_t>(layout.stride));
  Bytes values(static_cast<std::size_t>(layout.payload));
  const std::int64_t bricks = layout.grid.size();
  const std::int64_t every = std::max<std::int64_t>(1, bricks / kSample);
  records->advise_sequential();
  for (std::int64_t number = 0; number < bricks; ++number)
  {
    if (Result<void> read = records->read({ 0, 0, number }, 1, record.data()); !read)
    {
      return forward_error(read);
    }
    for (Codec& codec : codecs)
    {
      add_brick(codec, record.data(), number % every == 0, values, codec.name == "lz4" || codec.name == "zstd");
    }
  }
  nlohmann::json rows = nlohmann::json::array();
  for (const Codec& codec : codecs)
  {
    rows.push_back(report(codec, values, prefix));
  }
  return rows;
}

} // namespace

int main(int argc, char** argv)
{
  std::string path;
  std::string prefix;
  cli::Program program("Compresses the bricks of a field file and gets them back.");
  program.option("file", path).required();
  program.option("--sizes", prefix, "beginning of the names of files for the sizes");
  if (const std::optional<int> code = program.parse_or_report(argc, argv))
  {
    return *code;
  }
  try
  {
    const auto answer = run(path, prefix);
    if (!answer)
    {
      std::fprintf(stderr, "brick_codecs: %s\n", answer.error().describe().c_str());
      return 1;
    }
    std::printf("%s\n", answer->dump().c_str());
  }
  catch (const std::exception& problem)
  {
    std::fprintf(stderr, "brick_codecs: %s\n", problem.what());
    return 1;
  }
  return 0;
}
