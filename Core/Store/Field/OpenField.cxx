// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Field/OpenField.h"

#include "Base/Bytes.h"
#include "Store/Field/FieldLayouts.h"
#include "Store/Memory/MemoryAccount.h"

#include <new>

namespace rivulet
{

namespace
{

Result<std::shared_ptr<FileBricks>> open_any(const std::vector<std::string>& paths, const OpenOptions& options)
{
  const bool bov = !paths.empty() && paths.front().ends_with(".bov");
  Result<StoredField::Layout> layout = bov ? layout_of_bov(paths) : layout_of_records(paths, options.verify);
  return layout ? StoredField::open(std::move(*layout), options) : forward_error(layout);
}

/// If memory for notes on each brick of a huge field is refused, the error names the file.
Result<std::shared_ptr<FileBricks>> open_or_name(const std::vector<std::string>& paths, const OpenOptions& options)
{
  try
  {
    return open_any(paths, options);
  }
  catch (const std::bad_alloc&)
  {
    return fail(ErrorCode::CannotRead, "there is not enough memory to open the field",
        "give the program more memory, or check the file", paths.empty() ? std::string() : paths.front());
  }
}

} // namespace

const char* name_of(AccessStrategy strategy)
{
  switch (strategy)
  {
  case AccessStrategy::Automatic:
    return "Automatic";
  case AccessStrategy::MemoryMap:
    return "Memory Map";
  case AccessStrategy::BufferedCache:
    return "Buffered Cache";
  case AccessStrategy::DirectCache:
    return "Direct Cache";
  case AccessStrategy::Asynchronous:
    return "Asynchronous";
  }
  return "unknown";
}

Result<std::shared_ptr<FileBricks>> open_field(const std::vector<std::string>& paths, const OpenOptions& options)
{
  OpenOptions settled = options;
  settled.memory_budget = options.memory_budget > 0 ? options.memory_budget : default_memory_budget();
  Result<std::shared_ptr<FileBricks>> field = open_or_name(paths, settled);
  if (!field)
  {
    return field;
  }
  const std::int64_t minimum = (*field)->working_minimum(1);
  // A default below the field's minimum is not an error of the user: the minimum is used.
  if (options.memory_budget > 0 && options.memory_budget < minimum)
  {
    return fail(ErrorCode::BudgetTooSmall,
        "the memory budget of " + format_bytes(options.memory_budget) + " is below the working minimum of " +
            format_bytes(minimum) + " (one brick per thread)",
        "allow at least " + format_bytes(minimum) + " for each thread", paths.front());
  }
  if (settled.memory_budget < minimum)
  {
    (*field)->set_memory_budget(minimum);
  }
  return field;
}

} // namespace rivulet
