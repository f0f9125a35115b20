// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One field file that several processes write: the messages between them, as bytes that any transport carries.
///
///     owner:   writer = FieldFileWriter::create(path, info, options);   send(writer->invitation());
///     others:  writer = FieldFileWriter::join(invitation, info, options);
///              ... each writes bricks of its own ...
///     others:  writer->finish();                                        send(writer->contribution());
///     owner:   writer->add(contribution) for each of the others;        writer->finish();
///
/// Only the owner writes metadata and the tables of ranges: on a network file system two machines must not write the
/// same page. Plain values; any thread.
#pragma once

#include "Base/Result.h"
#include "Io/FieldFile/BrickMeasure.h"
#include "Io/FieldFile/PlacesTable.h"

#include <cstddef>
#include <span>

namespace rivulet
{

/// Where the owner's unfinished file lies, and where its bricks do.
struct FileInvitation
{
  std::string hidden_path;
  std::string uuid;
  std::string points_in;                          ///< FieldFileOptions::points_in
  std::vector<std::vector<std::int64_t>> offsets; ///< of the bricks, by variable, then step

  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  /// Fails with BadArgument on bytes that are no invitation.
  [[nodiscard]] static Result<FileInvitation> of_bytes(std::span<const std::byte> bytes);
};

/// Bricks that were written, consecutive along the curve, and their ranges.
struct WrittenSpan
{
  std::int32_t variable = 0;
  std::int32_t step = 0;
  std::int64_t first = 0;                   ///< number along the curve
  std::vector<std::array<float, 2>> ranges; ///< one for each brick
  std::vector<PlacesRow> places{};          ///< of points only: one for each brick
};

/// Bricks that another process has written.
struct FileContribution
{
  std::vector<WrittenSpan> runs;
  std::vector<BrickMeasure> measures; ///< by variable
  std::vector<double> largest_errors; ///< by variable

  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  /// Fails with BadArgument on bytes that are no contribution.
  [[nodiscard]] static Result<FileContribution> of_bytes(std::span<const std::byte> bytes);
};

} // namespace rivulet
