// SPDX-License-Identifier: BSD-3-Clause
#include "Store/FieldBricks.h"

namespace rivulet
{

FieldBricks::FieldBricks(FieldRecords&& records, StrategyChoice&& choice, bool verify)
  : records_(std::move(records))
  , choice_(std::move(choice))
  , verify_(verify)
  , flags_(records_.count())
{
}

Result<void> FieldBricks::check_once(const BrickKey& key, const StoredRecord& place, const std::byte* record)
{
  if (!verify_ || (flags_.get(place.number) & RecordFlags::kVerified) != 0)
  {
    return {};
  }
  Result<void> sound = records_.check(key, place, record);
  if (sound)
  {
    flags_.set(place.number, RecordFlags::kVerified);
  }
  return sound;
}

Result<BrickView> FieldBricks::admit(const BrickKey& key, const StoredRecord& place, std::byte* slot)
{
  const std::byte* record = slot + records_.layout(key.variable).record_in_slot();
  if (Result<void> sound = check_once(key, place, record); !sound)
  {
    return forward_error(sound);
  }
  records_.unpack(key, slot);
  return records_.view(key, slot);
}

Lookup no_such_brick(const std::string& path)
{
  Error error{ ErrorCode::BadArgument, "there is no such brick", "name a variable, step and brick of the field", path };
  return { Lookup::State::Failed, {}, std::make_shared<const Error>(std::move(error)) };
}

} // namespace rivulet
