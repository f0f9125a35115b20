// SPDX-License-Identifier: BSD-3-Clause
#include "Configuration.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <utility>

namespace rivulet::insitu
{

namespace
{

using Json = nlohmann::json;

constexpr std::array kPolicies{ std::pair{ "synchronous", Policy::Synchronous },
  std::pair{ "asynchronous", Policy::Asynchronous }, std::pair{ "static", Policy::Static },
  std::pair{ "dynamic", Policy::Dynamic }, std::pair{ "task", Policy::Task } };
constexpr std::array kWhenFull{ std::pair{ "wait", WhenFull::Wait }, std::pair{ "skip", WhenFull::Skip },
  std::pair{ "drop_oldest", WhenFull::DropOldest } };
constexpr std::array kOnError{ std::pair{ "skip", OnError::Skip }, std::pair{ "stop", OnError::Stop } };
constexpr std::array kStarts{ std::pair{ "restart", Start::Restart }, std::pair{ "continue", Start::Continue },
  std::pair{ "new", Start::New } };
constexpr std::array kPriorities{ std::pair{ "low", true }, std::pair{ "normal", false } };

constexpr int kMostCores = 4096;
constexpr std::int64_t kMostBufferMib = std::int64_t{ 1 } << 24; // 16 TiB
constexpr double kMostSeconds = 30 * 86400.0;
constexpr std::int64_t kMostSteps = std::numeric_limits<std::int64_t>::max();

/// One object of the file. Keeps the first error; later reads do nothing.
class Section
{
public:
  Section(const Json& object, std::string place, const std::string& path, std::optional<Error>& error)
    : object_(object)
    , place_(std::move(place))
    , path_(path)
    , error_(error)
  {
    if (!object.is_object())
    {
      complain("", "is not an object", "write { ... } there");
    }
  }

  /// The value of a key that is there, or nullptr. The key counts as known from now on.
  const Json* find(const char* key)
  {
    known_.insert(key);
    const auto found = error_ ? object_.end() : object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }

  template <class Integer>
  void read(const char* key, Integer& value, std::int64_t least, std::int64_t most)
  {
    const Json* const found = find(key);
    if (found == nullptr)
    {
      return;
    }
    const bool whole = found->is_number_integer() &&
                       !(found->is_number_unsigned() && found->get<std::uint64_t>() > static_cast<std::uint64_t>(most));
    if (!whole || found->get<std::int64_t>() < least || found->get<std::int64_t>() > most)
    {
      complain(key, "is " + found->dump(),
          "give a whole number from " + std::to_string(least) + " to " + std::to_string(most));
      return;
    }
    value = static_cast<Integer>(found->get<std::int64_t>());
  }

  void read(const char* key, double& seconds)
  {
    const Json* const found = find(key);
    if (found == nullptr)
    {
      return;
    }
    if (!found->is_number() || !(found->get<double>() >= 0 && found->get<double>() <= kMostSeconds))
    {
      complain(key, "is " + found->dump(), "give seconds, from 0 to 2592000 (30 days)");
      return;
    }
    seconds = found->get<double>();
  }

  void read(const char* key, std::string& text)
  {
    const Json* const found = find(key);
    if (found == nullptr)
    {
      return;
    }
    if (!found->is_string() || found->get<std::string>().empty() ||
        found->get<std::string>().find('\0') != std::string::npos)
    {
      complain(key, "is " + found->dump(), "give a text in quotes");
      return;
    }
    text = found->get<std::string>();
  }

  void read(const char* key, bool& value)
  {
    const Json* const found = find(key);
    if (found == nullptr)
    {
      return;
    }
    if (!found->is_boolean())
    {
      complain(key, "is " + found->dump(), "give true or false");
      return;
    }
    value = found->get<bool>();
  }

  template <class Value, std::size_t Size>
  void read(const char* key, Value& value, const std::array<std::pair<const char*, Value>, Size>& words)
  {
    const Json* const found = find(key);
    if (found == nullptr)
    {
      return;
    }
    std::string names;
    for (const auto& [word, meaning] : words)
    {
      if (*found == word)
      {
        value = meaning;
        return;
      }
      names += (names.empty() ? "\"" : ", \"") + std::string(word) + "\"";
    }
    complain(key, "is " + found->dump(), "give one of " + names);
  }

  void complain(const std::string& key, const std::string& what, const std::string& remedy)
  {
    if (!error_)
    {
      const std::string where = place_ + (key.empty() || place_.empty() ? "" : ".") + key;
      error_ = Error{ ErrorCode::BadArgument, (where.empty() ? "the whole" : "\"" + where + "\"") + " " + what, remedy,
        path_ };
    }
  }

  /// Called last: a key that was not asked for is an error.
  void refuse_others()
  {
    if (error_)
    {
      return;
    }
    for (const auto& [key, value] : object_.items())
    {
      if (!known_.contains(key))
      {
        std::string names;
        for (const std::string& known : known_)
        {
          names += (names.empty() ? "" : ", ") + known;
        }
        complain(key, "is not a key of the configuration", "known keys are " + names);
        return;
      }
    }
  }

private:
  const Json& object_;
  std::string place_;
  const std::string& path_;
  std::optional<Error>& error_;
  std::set<std::string> known_;
};

void read_plugins(Section& section, Configuration& into, const std::string& path)
{
  const Json* const folders = section.find("plugins");
  if (folders == nullptr)
  {
    return;
  }
  if (!folders->is_array() ||
      std::any_of(folders->begin(), folders->end(),
          [](const Json& folder) { return !folder.is_string() || folder.get<std::string>().empty(); }))
  {
    section.complain("plugins", "is no list of folders", "write [\"/folder\"]");
    return;
  }
  for (const Json& folder : *folders)
  {
    const auto beside = std::filesystem::path(path).parent_path() / folder.get<std::string>();
    into.plugins.push_back(beside.lexically_normal().string());
  }
}

AnalyticsConfiguration read_one(
    const Json& object, const std::string& place, const std::string& path, std::optional<Error>& error)
{
  AnalyticsConfiguration one;
  Section section(object, place, path, error);
  section.read("name", one.name);
  section.read("plugin", one.plugin);
  section.read("every", one.every, 1, kMostSteps);
  section.read("first", one.first, 0, kMostSteps);
  section.read("repeat", one.repeat, 1, 1'000'000'000);
  section.read("on_error", one.on_error, kOnError);
  const Json* const options = section.find("options");
  if (options != nullptr && !options->is_object())
  {
    section.complain("options", "is " + options->dump(), "write an object, { ... }");
  }
  one.options = options == nullptr ? "{}" : options->dump();
  if (one.name.empty() && one.plugin.empty())
  {
    section.complain("name", "is missing", "name the analytics, or give \"plugin\"");
  }
  one.name = one.name.empty() ? one.plugin : one.name;
  one.plugin = one.plugin.empty() ? one.name : one.plugin;
  if (one.plugin.find('/') != std::string::npos)
  {
    section.complain("plugin", "is \"" + one.plugin + "\", with a slash",
        "give the file's name without folder and \".so\"; folders go into \"plugins\"");
  }
  if (one.name.find('/') != std::string::npos)
  {
    section.complain("name", "is \"" + one.name + "\", with a slash",
        "give a name for files in \"output\"; folders go into \"plugins\"");
  }
  section.refuse_others();
  return one;
}

void read_analytics(Section& section, Configuration& into, const std::string& path, std::optional<Error>& error)
{
  const Json* const list = section.find("analytics");
  if (list == nullptr)
  {
    return;
  }
  if (!list->is_array())
  {
    section.complain("analytics", "is no list", "write [{ \"name\": ... }]");
    return;
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < list->size() && !error; ++i)
  {
    const std::string place = "analytics[" + std::to_string(i) + "]";
    into.analytics.push_back(read_one((*list)[i], place, path, error));
    if (!names.insert(into.analytics.back().name).second)
    {
      section.complain(place + ".name", "is \"" + into.analytics.back().name + "\" for the second time",
          "give each of the analytics a name of its own; \"plugin\" may be the same");
    }
  }
}

/// `twice`: a key that an object has twice, of which the last would count; empty: there is none.
Json parse(const std::string& text, std::string& twice)
{
  std::vector<std::set<std::string>> keys; // of the objects around the place
  const auto look = [&](int /*depth*/, Json::parse_event_t event, Json& parsed)
  {
    if (event == Json::parse_event_t::object_start)
    {
      keys.emplace_back();
    }
    else if (event == Json::parse_event_t::object_end)
    {
      keys.pop_back();
    }
    else if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second)
    {
      twice = twice.empty() ? parsed.get<std::string>() : twice;
    }
    return true;
  };
  return Json::parse(text, look, true, true);
}

/// FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
std::uint64_t hash_of(const std::string& text)
{
  std::uint64_t hash = 14695981039346656037U;
  for (const char letter : text)
  {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U;
  }
  return hash;
}

} // namespace

const char* name_of(Policy policy)
{
  return std::find_if(kPolicies.begin(), kPolicies.end(), [policy](const auto& each) { return each.second == policy; })
      ->first;
}

Result<Configuration> parse_configuration(const std::string& text, const std::string& path)
{
  Json json;
  std::string twice;
  try
  {
    json = parse(text, twice);
  }
  catch (const Json::exception& exception)
  {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: ..."
    std::string what = exception.what();
    what.erase(0, what.find("] ") == std::string::npos ? 0 : what.find("] ") + 2);
    return fail(ErrorCode::NotThisFormat, what, "correct the JSON there", path);
  }
  Configuration configuration;
  std::optional<Error> error;
  Section section(json, "", path, error);
  if (!twice.empty())
  {
    section.complain(twice, "is given twice in one object", "remove one of the two");
  }
  section.read("policy", configuration.policy, kPolicies);
  section.read("cores", configuration.cores, 0, kMostCores);
  section.read("analytics_threads", configuration.analytics_threads, 1, kMostCores);
  if (section.find("workers") != nullptr)
  {
    int workers = 0;
    section.read("workers", workers, 0, kMostCores);
    configuration.workers = workers;
  }
  section.read("buffers", configuration.buffers, 1, 1024);
  section.read("when_full", configuration.when_full, kWhenFull);
  section.read("buffer_mib", configuration.buffer_mib, 0, kMostBufferMib);
  section.read("priority", configuration.low_priority, kPriorities);
  read_plugins(section, configuration, path);
  section.read("check_plugins", configuration.check_plugins);
  section.read("output", configuration.output);
  section.read("start", configuration.start, kStarts);
  section.read("finalize_limit", configuration.finalize_limit);
  if (configuration.finalize_limit == 0.0)
  {
    section.complain("finalize_limit", "is 0", "give seconds, more than 0: analytics have to end in that time");
  }
  section.read("wait_limit", configuration.wait_limit);
  section.read("trace", configuration.trace);
  read_analytics(section, configuration, path, error);
  section.refuse_others();
  if (error)
  {
    return tl::unexpected<Error>(std::move(*error));
  }
  configuration.fingerprint = hash_of(json.dump());
  return configuration;
}

Result<Configuration> read_configuration(const std::string& path)
{
  std::error_code ignored;
  errno = 0;
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path, ignored))
  {
    return fail(
        ErrorCode::CannotRead, "the configuration cannot be read", "name an existing JSON file", path, -1, errno);
  }
  std::ostringstream text;
  text << file.rdbuf();
  return parse_configuration(text.str(), path);
}

} // namespace rivulet::insitu
