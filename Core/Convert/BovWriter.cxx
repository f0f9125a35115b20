// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/BovWriter.h"

#include "Convert/BovSet.h"
#include "Convert/TaskTeam.h"
#include "Io/Blocks/BovLine.h"
#include "Parallel/Team.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <optional>
#include <set>

namespace rivulet
{

namespace
{

constexpr std::int64_t kPiece = 8 * kMiB;

// Part of a block for one read and one write.
struct Piece
{
  std::size_t file = 0;
  int variable = 0;
  int step = 0;
  Box box;
  std::int64_t offset = 0; // bytes from the start of the block's file
  std::int64_t bytes = 0;
};

std::string triple(const char* key, const Int3& values)
{
  return std::string(key) + ": " + std::to_string(values[0]) + " " + std::to_string(values[1]) + " " +
         std::to_string(values[2]) + "\n";
}

std::string triple(const char* key, const Vec3& values)
{
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(), "%s: %.17g %.17g %.17g\n", key, values[0], values[1], values[2]);
  return text.data();
}

Int3 block_size(const Int3& lattice, const Int3& blocks)
{
  return { lattice[0] / blocks[0], lattice[1] / blocks[1], lattice[2] / blocks[2] };
}

// check_names() must have accepted the names.
std::string header_text(
    const FieldInfo& info, std::size_t variable, std::size_t step, const std::string& data, const Int3& blocks)
{
  const Variable& array = info.variables[variable];
  const Grid& grid = info.grid;
  std::array<char, 48> time{};
  std::snprintf(time.data(), time.size(), "TIME: %.17g\n", info.times[step]);
  Vec3 origin;
  Vec3 size;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    origin[axis] = grid.origin[axis] + grid.first[axis] * grid.spacing[axis];
    size[axis] = grid.spacing[axis] * grid.cells()[axis];
  }
  std::string text = time.data();
  text += "DATA_FILE: " + *bov_word(data) + "\n";
  text += triple("DATA_SIZE", grid.lattice(array.centering));
  text += std::string("DATA_FORMAT: ") + (array.type == ScalarType::Float32 ? "FLOAT" : "DOUBLE") + "\n";
  text += "DATA_COMPONENTS: " + std::to_string(array.components) + "\n";
  text += std::string("DATA_ENDIAN: ") + (std::endian::native == std::endian::little ? "LITTLE" : "BIG") + "\n";
  text += "VARIABLE: " + *bov_word(array.name) + "\n";
  text += std::string("CENTERING: ") + (array.centering == Centering::Node ? "nodal" : "zonal") + "\n";
  text += triple("BRICK_ORIGIN", origin) + triple("BRICK_SIZE", size);
  if (volume(blocks) > 1)
  {
    text += triple("DATA_BRICKLETS", block_size(grid.lattice(array.centering), blocks));
  }
  return text;
}

Result<void> check(const FieldInfo& info, const Int3& blocks)
{
  if (info.grid.kind != Grid::Kind::Uniform || info.grid.direction != Mat3{ 1, 0, 0, 0, 1, 0, 0, 0, 1 })
  {
    return fail(ErrorCode::Unsupported, "BOV knows only uniform grids along the axes", "write a .rvf file instead");
  }
  for (const Variable& variable : info.variables)
  {
    const Int3 lattice = info.grid.lattice(variable.centering);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      if (blocks[axis] < 1 || lattice[axis] % blocks[axis] != 0)
      {
        return fail(ErrorCode::BadArgument,
            std::to_string(blocks[axis]) + " blocks do not divide the " + std::to_string(lattice[axis]) +
                " values of " + variable.name + " along axis " + std::to_string(axis),
            "choose blocks that do");
      }
    }
  }
  return {};
}

Result<void> check_names(const FieldInfo& info, const std::string& path)
{
  std::vector<std::string> words{ path.substr(path.rfind('/') + 1) }; // npos + 1 is 0
  std::set<std::string> names;
  for (const Variable& variable : info.variables)
  {
    if (variable.name.find('/') != std::string::npos && info.variables.size() > 1)
    {
      return fail(ErrorCode::BadArgument, "the variable '" + variable.name + "' cannot be part of a file's name",
          "choose another name, or write a .rvf file", path);
    }
    if (!names.insert(variable.name).second)
    {
      return fail(
          ErrorCode::BadArgument, "two variables have the name '" + variable.name + "'", "choose other names", path);
    }
    words.push_back(variable.name);
  }
  for (const std::string& text : words)
  {
    if (Result<std::string> word = bov_word(text); !word)
    {
      return tl::unexpected(std::move(word.error()).at_path(path));
    }
  }
  return {};
}

class BovJob
{
public:
  BovJob(LatticeReader& reader, const std::string& path, const BovOptions& options)
    : reader_(reader)
    , info_(reader.info())
    , path_(path)
    , options_(options)
    , team_(options.cancel, options.progress)
  {
  }
  Result<BovReport> run();

private:
  Result<void> plan_pieces();
  Result<void> add_blocks(std::size_t variable, std::size_t step, std::int64_t piece_bytes);
  void add_pieces(Piece piece, std::int64_t piece_bytes);
  Result<void> write_piece(const Piece& piece, std::byte* buffer);
  Result<void> publish();

  LatticeReader& reader_;
  const FieldInfo& info_;
  const std::string& path_;
  const BovOptions& options_;
  std::optional<BovSet> set_;
  std::vector<Piece> pieces_;
  std::int64_t largest_ = 0;
  BovReport report_;
  TaskTeam team_;
};

// Cuts the block in `piece` into planes, or a plane into rows, of about `piece_bytes`.
void BovJob::add_pieces(Piece piece, std::int64_t piece_bytes)
{
  const Box block = piece.box;
  const auto tuple = static_cast<std::int64_t>(info_.variables[static_cast<std::size_t>(piece.variable)].tuple_bytes());
  const std::int64_t row = block.size()[0] * tuple;
  const std::int64_t rows = std::clamp<std::int64_t>(piece_bytes / row, 1, block.size()[1]);
  const std::int64_t planes = std::clamp<std::int64_t>(piece_bytes / (row * block.size()[1]), 1, block.size()[2]);
  for (std::int64_t k = block.begin[2]; k < block.end[2]; k += planes)
  {
    for (std::int64_t j = block.begin[1]; j < block.end[1]; j += rows)
    {
      piece.box.begin = { block.begin[0], static_cast<std::int32_t>(j), static_cast<std::int32_t>(k) };
      piece.box.end = { block.end[0], static_cast<std::int32_t>(std::min<std::int64_t>(block.end[1], j + rows)),
        static_cast<std::int32_t>(std::min<std::int64_t>(block.end[2], k + planes)) };
      piece.offset = ((k - block.begin[2]) * block.size()[1] + (j - block.begin[1])) * row;
      piece.bytes = piece.box.count() * tuple;
      largest_ = std::max(largest_, piece.bytes);
      pieces_.push_back(piece);
    }
  }
}

Result<void> BovJob::add_blocks(std::size_t variable, std::size_t step, std::int64_t piece_bytes)
{
  const Variable& array = info_.variables[variable];
  const Int3 size = block_size(info_.grid.lattice(array.centering), options_.blocks);
  const std::int64_t bytes = volume(size) * static_cast<std::int64_t>(array.tuple_bytes());
  for (std::int64_t block = 0; block < volume(options_.blocks); ++block)
  {
    const Result<std::size_t> file = set_->add_data(variable, step, block, bytes);
    if (!file)
    {
      return tl::unexpected(file.error());
    }
    Piece piece;
    piece.file = *file;
    piece.variable = static_cast<int>(variable);
    piece.step = static_cast<int>(step);
    const Int3 at = from_row_major(block, options_.blocks);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      piece.box.begin[axis] = at[axis] * size[axis];
      piece.box.end[axis] = piece.box.begin[axis] + size[axis];
    }
    add_pieces(piece, piece_bytes);
    report_.bytes += bytes;
  }
  return {};
}

Result<void> BovJob::plan_pieces()
{
  Result<BovSet> set = BovSet::create(info_, path_, options_.blocks, options_.existing);
  if (!set)
  {
    return forward_error(set);
  }
  set_ = std::move(*set);
  const std::int64_t share = options_.memory / resolve_threads(options_.threads);
  for (std::size_t variable = 0; variable < info_.variables.size(); ++variable)
  {
    for (std::size_t step = 0; step < info_.times.size(); ++step)
    {
      if (Result<void> added = add_blocks(variable, step, std::min(kPiece, share)); !added)
      {
        return added;
      }
    }
  }
  if (largest_ > options_.memory)
  {
    return fail(ErrorCode::BudgetTooSmall,
        "a row of values needs " + format_bytes(largest_) + " of memory, the limit is " + format_bytes(options_.memory),
        "allow more memory");
  }
  return {};
}

Result<void> BovJob::write_piece(const Piece& piece, std::byte* buffer)
{
  if (Result<void> read = reader_.read(piece.variable, piece.step, piece.box, buffer); !read)
  {
    return read;
  }
  team_.add_done(piece.bytes);
  return set_->write_at(piece.file, piece.offset, buffer, piece.bytes);
}

Result<void> BovJob::publish()
{
  for (std::size_t variable = 0; variable < info_.variables.size(); ++variable)
  {
    for (std::size_t step = 0; step < info_.times.size(); ++step)
    {
      const std::string text = header_text(info_, variable, step, set_->data_pattern(variable, step), options_.blocks);
      if (Result<void> added = set_->add_header(variable, step, text); !added)
      {
        return added;
      }
    }
  }
  return set_->publish(options_.sync);
}

Result<BovReport> BovJob::run()
{
  Result<void> good = check(info_, options_.blocks);
  good = good ? check_names(info_, path_) : good;
  good = good ? plan_pieces() : good;
  if (!good)
  {
    return forward_error(good);
  }
  const std::int64_t workers =
      std::clamp<std::int64_t>(options_.memory / largest_, 1, resolve_threads(options_.threads));
  const TaskPlan plan{ static_cast<std::int64_t>(pieces_.size()), static_cast<int>(workers), largest_, report_.bytes };
  const auto task = [this](std::int64_t number, std::byte* buffer)
  {
    return write_piece(pieces_[static_cast<std::size_t>(number)], buffer);
  };
  if (Result<void> ran = team_.run(plan, task, &reader_); !ran)
  {
    return forward_error(ran);
  }
  if (team_.stopped())
  {
    return fail(ErrorCode::Cancelled, "the writing was cancelled", {}, path_);
  }
  team_.show_progress();
  if (Result<void> published = publish(); !published)
  {
    return forward_error(published);
  }
  report_.headers = set_->headers();
  return std::move(report_);
}

} // namespace

Result<BovReport> write_bov(LatticeReader& reader, const std::string& path, const BovOptions& options)
{
  return BovJob(reader, path, options).run();
}

} // namespace rivulet
