// SPDX-License-Identifier: BSD-3-Clause
#include "Command/WriteField.h"

#include "Command/Describe.h"
#include "Command/Interrupt.h"
#include "Convert/StoreConversion.h"

namespace rivulet::command
{

namespace
{

ConvertOptions convert_options(const WriteOptions& options, const ByteProgress& progress)
{
  ConvertOptions how;
  how.file.encoding = options.encoding.value_or(Encoding::Plain);
  how.file.brick_cells = options.brick.value_or(kUsualBrick);
  how.file.existing = options.force ? OnExisting::Replace : OnExisting::Keep;
  how.file.sync = options.sync;
  how.memory = options.memory;
  how.threads = options.threads;
  how.cancel = &interrupt_requested();
  how.progress = progress;
  return how;
}

std::string steps_text(const StoreReport& report)
{
  const std::string written = std::to_string(report.steps_written) + (report.steps_written == 1 ? " step" : " steps");
  return report.steps_kept == 0 ? written + ", "
                                : written + " added to the " + std::to_string(report.steps_kept) + " there, ";
}

Result<WrittenField> write_store(
    LatticeReader& reader, const std::string& target, const WriteOptions& options, const ConvertOptions& how)
{
  StoreConversion conversion;
  conversion.convert = how;
  conversion.store.start = options.append ? StoreStart::Append : options.force ? StoreStart::Replace : StoreStart::New;
  conversion.store.brick_cells = options.brick;
  conversion.store.encoding = options.encoding;
  const Result<StoreReport> done = convert_to_store(reader, target, conversion);
  if (!done)
  {
    return tl::unexpected(done.error());
  }
  const ConvertReport& written = done->written;
  return WrittenField{ steps_text(*done) + describe_size(written.file_bytes, written.source_bytes),
    written.source_bytes, written.memory_bytes, written.threads };
}

} // namespace

Result<WrittenField> write_field(
    LatticeReader& reader, const std::string& target, const WriteOptions& options, const ByteProgress& progress)
{
  const ConvertOptions how = convert_options(options, progress);
  if (names_store(target))
  {
    return write_store(reader, target, options, how);
  }
  const Result<ConvertReport> done = convert(reader, target, how);
  if (!done)
  {
    return tl::unexpected(done.error());
  }
  return WrittenField{ describe_file_size(target, done->source_bytes), done->source_bytes, done->memory_bytes,
    done->threads };
}

} // namespace rivulet::command
