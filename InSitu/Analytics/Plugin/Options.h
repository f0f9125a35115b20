// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Options of an analytics, from the JSON text of the host.
///
///     OptionReader read(host);
///     const std::int64_t bins = read.integer("bins", 1000, { 1, 1000000 });
///     const std::string set = read.text("set", "");
///     if (Result<void> sound = read.finish(); !sound) ...      // 'option "bins" of radial must be ...'
///
/// The first wrong value is kept for finish(), which also refuses every key that was not asked for. Until then the
/// default is returned in its place.
#pragma once

#include "Base/Result.h"
#include "Plugin/Host.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rivulet
{

struct IntegerRange
{
  std::int64_t least = 0;
  std::int64_t most = 0;
};

class OptionReader
{
public:
  explicit OptionReader(const Host& host);

  /// Whether the key is there. Notes it as known.
  [[nodiscard]] bool has(const char* key) { return find(key) != nullptr; }

  [[nodiscard]] std::int64_t integer(const char* key, std::int64_t otherwise, const IntegerRange& range);
  /// A finite number above zero.
  [[nodiscard]] std::optional<double> positive(const char* key);
  [[nodiscard]] bool flag(const char* key, bool otherwise);
  [[nodiscard]] std::string text(const char* key, const std::string& otherwise);
  /// One of `choices`, as its number.
  [[nodiscard]] std::size_t choice(const char* key, const std::vector<std::string>& choices, std::size_t otherwise = 0);
  /// A list of one or more different names; empty if the key is absent.
  [[nodiscard]] std::vector<std::string> names(const char* key);
  /// Exactly `count` finite numbers; empty if the key is absent.
  [[nodiscard]] std::vector<double> numbers(const char* key, std::size_t count);
  /// A list of points of three finite numbers each; empty if the key is absent.
  [[nodiscard]] std::vector<std::array<double, 3>> points(const char* key);

  /// Notes that the value of `key` must be something else.
  void refuse(const char* key, const std::string& must);
  /// The first error there was, or an unknown key. BadArgument.
  [[nodiscard]] Result<void> finish();

private:
  /// The value, or nullptr if there is none. Notes the key as known.
  [[nodiscard]] const nlohmann::json* find(const char* key);

  std::string name_;
  nlohmann::json options_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

/// Whether options, as a JSON text, set a flag: for `asks_mpi`, before an analytics is created.
[[nodiscard]] bool has_flag(const char* options, const char* key);

} // namespace rivulet
