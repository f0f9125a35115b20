// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Series/StoreFolder.h"

#include "Io/Files/File.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace rivulet
{

namespace
{

constexpr const char* kDescription = "store.json";
constexpr const char* kFormat = "rivulet-store";
constexpr std::int64_t kMostDescription = 65536; // bytes
constexpr std::size_t kUuidLength = 36;
constexpr std::size_t kDigits = 8;

bool ends_as_description(const std::string& path)
{
  return std::filesystem::path(path).filename() == kDescription;
}

/// The folder of a store that is named by its description, or the name itself; without slashes at the end.
std::string folder_named(const std::string& path)
{
  std::filesystem::path folder(path);
  if (ends_as_description(path))
  {
    folder = folder.has_parent_path() ? folder.parent_path() : ".";
  }
  if (!folder.has_filename() && folder.has_relative_path())
  {
    folder = folder.parent_path();
  }
  return folder.string();
}

Result<std::string> read_text(const std::string& path)
{
  Result<File> file = File::open(path, File::Mode::Read);
  if (!file)
  {
    return forward_error(file);
  }
  const Result<std::int64_t> bytes = file->size();
  if (!bytes || *bytes > kMostDescription)
  {
    return bytes ? fail(ErrorCode::NotThisFormat, "the file is too long for the description of a store",
                       "name the folder of a store", path)
                 : tl::unexpected(bytes.error());
  }
  std::string text(static_cast<std::size_t>(*bytes), '\0');
  if (Result<void> read = file->pread_full(text.data(), *bytes, 0); !read)
  {
    return forward_error(read);
  }
  return text;
}

bool is_uuid(const std::string& text)
{
  constexpr const char* digits = "0123456789abcdef-";
  return text.size() == kUuidLength && text.find_first_not_of(digits) == std::string::npos;
}

bool holds_uuid(const nlohmann::json& object)
{
  return object.is_object() && object.contains("uuid") && object.at("uuid").is_string() &&
         is_uuid(object.at("uuid").get<std::string>());
}

/// The version, which this program reads.
Result<std::int64_t> version_of(const nlohmann::json& json, const std::string& path)
{
  if (!json.contains("format_version") || !json.at("format_version").is_number_integer())
  {
    return fail(ErrorCode::Corrupt, "the description names no version", "make the store again", path);
  }
  const auto version = json.at("format_version").get<std::int64_t>();
  if (version != StoreFolder::kVersion && version != StoreFolder::kRestartedVersion)
  {
    return fail(ErrorCode::OtherVersion,
        "the store has version " + std::to_string(version) + ", and this program reads versions up to " +
            std::to_string(StoreFolder::kRestartedVersion),
        "use a program of the same version, or make the store again", path);
  }
  return version;
}

/// The restarts, if their steps increase.
Result<std::vector<StoreIdentity::Restart>> restarts_of(const nlohmann::json& json, const std::string& path)
{
  std::vector<StoreIdentity::Restart> restarts;
  bool sound = json.contains("restarts") && json.at("restarts").is_array() && !json.at("restarts").empty();
  for (std::size_t i = 0; sound && i < json.at("restarts").size(); ++i)
  {
    const nlohmann::json& each = json.at("restarts")[i];
    const std::int64_t before = restarts.empty() ? 0 : restarts.back().step;
    sound = holds_uuid(each) && each.contains("step") && each.at("step").is_number_integer() &&
            each.at("step").get<std::int64_t>() > before &&
            each.at("step").get<std::int64_t>() < StoreFolder::kMostSteps;
    if (sound)
    {
      restarts.push_back({ each.at("step").get<std::int64_t>(), each.at("uuid").get<std::string>() });
    }
  }
  if (!sound)
  {
    return fail(ErrorCode::Corrupt, "the description gives no valid restarts", "make the store again", path);
  }
  return restarts;
}

/// The identity that a description gives.
Result<StoreIdentity> parse_description(const std::string& text, const std::string& path)
{
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("format") || json.at("format") != kFormat)
  {
    return fail(ErrorCode::NotThisFormat, "this is not the description of a Rivulet store",
        "name a folder that `rivulet convert` or a writer of stores made", path);
  }
  const Result<std::int64_t> version = version_of(json, path);
  if (!version)
  {
    return tl::unexpected(version.error());
  }
  if (!holds_uuid(json))
  {
    return fail(ErrorCode::Corrupt, "the description gives no valid uuid", "make the store again", path);
  }
  auto restarts = *version == StoreFolder::kRestartedVersion ? restarts_of(json, path)
                                                             : Result<std::vector<StoreIdentity::Restart>>();
  if (!restarts)
  {
    return forward_error(restarts);
  }
  return StoreIdentity(json.at("uuid").get<std::string>(), std::move(*restarts));
}

/// Number of the step whose file has this name; -1 if it is no such name.
std::int64_t step_of(const std::string& name)
{
  constexpr const char* before = "step-";
  constexpr const char* after = ".rvf";
  if (name.size() != std::strlen(before) + kDigits + std::strlen(after) || !name.starts_with(before) ||
      !name.ends_with(after))
  {
    return -1;
  }
  std::int64_t number = 0;
  for (std::size_t at = 0; at < kDigits; ++at)
  {
    const char digit = name[std::strlen(before) + at];
    if (digit < '0' || digit > '9')
    {
      return -1;
    }
    number = 10 * number + (digit - '0');
  }
  return number;
}

} // namespace

std::string store_description(const std::string& folder)
{
  return folder + "/" + kDescription;
}

std::string step_path(const std::string& folder, std::int64_t step)
{
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "/step-%08lld.rvf", static_cast<long long>(step));
  return folder + name.data();
}

/// A link that leads nowhere is a step that cannot be read, and no claim.
bool holds_step(const std::string& folder, std::int64_t step)
{
  const std::string path = step_path(folder, step);
  std::error_code none;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, none)))
  {
    return false;
  }
  const std::uintmax_t bytes = std::filesystem::file_size(path, none);
  return none || bytes > 0;
}

bool is_step_name(const std::string& name)
{
  return step_of(name) >= 0;
}

Result<void> check_no_step(const std::string& path)
{
  const std::filesystem::path file(path);
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  if (is_step_name(file.filename().string()) && StoreFolder::can_read(folder))
  {
    return fail(ErrorCode::BadArgument, "this is the name of a step of a store",
        "give another name, or write to the store itself", path);
  }
  return {};
}

Result<std::vector<std::int64_t>> steps_in(const std::string& folder)
{
  std::vector<std::int64_t> numbers;
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error))
  {
    if (const std::int64_t number = step_of(entries->path().filename().string()); number >= 0)
    {
      numbers.push_back(number);
    }
  }
  if (error)
  {
    return fail(ErrorCode::CannotRead, "the folder of the store cannot be read", "check its permissions", folder, -1,
        error.value());
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::string describe_store(const StoreIdentity& identity)
{
  nlohmann::ordered_json json{ { "format", kFormat },
    { "format_version", identity.restarts().empty() ? StoreFolder::kVersion : StoreFolder::kRestartedVersion },
    { "uuid", identity.uuid() }, { "creator", "Rivulet" } };
  for (const StoreIdentity::Restart& restart : identity.restarts())
  {
    json["restarts"].push_back({ { "step", restart.step }, { "uuid", restart.uuid } });
  }
  return json.dump(2) + "\n";
}

namespace
{

/// The identity of the store in a folder. A text that describes nothing beside steps is a damaged description.
Result<StoreIdentity> read_description(const std::string& folder)
{
  const std::string path = store_description(folder);
  const Result<std::string> text = read_text(path);
  Result<StoreIdentity> identity = text ? parse_description(*text, path) : tl::unexpected(text.error());
  if (!identity && identity.error().code == ErrorCode::NotThisFormat && holds_step(folder, 0))
  {
    return fail(ErrorCode::Corrupt, "the description of the store is damaged",
        "put it back; or make a new store of the steps, which are field files", path);
  }
  return identity;
}

/// Adds the step files of these numbers, which increase, and the missing steps before them. More missing steps than
/// step files are an error: the number is none of this store's.
Result<void> add_steps(StoreFolder& store, const std::vector<std::int64_t>& numbers)
{
  for (const std::int64_t number : numbers)
  {
    const auto next = static_cast<std::int64_t>(store.steps.size());
    const auto missing = static_cast<std::int64_t>(store.missing.size()) + number - next;
    if (missing > static_cast<std::int64_t>(numbers.size()))
    {
      return fail(ErrorCode::Corrupt,
          "step " + std::to_string(next) + " and " + std::to_string(number - next - 1) +
              " more are missing, and there is a step " + std::to_string(number),
          "put the steps back; or remove those after them, and write them again", step_path(store.path, next));
    }
    for (std::int64_t step = next; step <= number; ++step)
    {
      store.steps.push_back(step_path(store.path, step));
      // A listing may lack a file that appeared meanwhile, and have a later one.
      if (step < number && !holds_step(store.path, step))
      {
        store.missing.push_back(step);
      }
    }
  }
  return {};
}

} // namespace

Result<StoreFolder> StoreFolder::open(const std::string& path)
{
  StoreFolder store;
  store.path = folder_named(path);
  Result<StoreIdentity> identity = read_description(store.path);
  if (!identity)
  {
    return forward_error(identity);
  }
  store.identity = std::move(*identity);
  Result<std::vector<std::int64_t>> numbers = steps_in(store.path);
  if (!numbers)
  {
    return tl::unexpected(numbers.error());
  }
  if (!numbers->empty() && !holds_step(store.path, numbers->back()))
  {
    numbers->pop_back();
  }
  const Result<void> added = add_steps(store, *numbers);
  return added ? Result<StoreFolder>(std::move(store)) : tl::unexpected(added.error());
}

Error StoreFolder::gap_at(std::int64_t step) const
{
  return { ErrorCode::Corrupt,
    "step " + std::to_string(step) + " is missing, and the store goes on to step " + std::to_string(steps.size() - 1),
    "put the step back; or remove the steps after it, and write them again", step_path(path, step) };
}

bool StoreFolder::can_read(const std::string& path)
{
  std::error_code none;
  if (!ends_as_description(path) && !std::filesystem::is_directory(path, none))
  {
    return false;
  }
  const Result<StoreIdentity> identity = read_description(folder_named(path));
  const auto refused = [&](ErrorCode code)
  {
    return !identity && identity.error().code == code;
  };
  return !refused(ErrorCode::NotThisFormat) && !refused(ErrorCode::NotFound) && !refused(ErrorCode::CannotRead);
}

} // namespace rivulet
