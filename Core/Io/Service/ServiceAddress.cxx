// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Service/ServiceAddress.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace rivulet
{

namespace
{

std::optional<std::int64_t> number_in(std::string_view text, std::int64_t most)
{
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && value >= 1 && value <= most ? std::optional(value) : std::nullopt;
}

/// Takes what begins with `separator` off the end of `text`.
std::string_view cut_off(std::string_view& text, std::string_view separator)
{
  const std::size_t at = text.rfind(separator);
  if (at == std::string_view::npos)
  {
    return {};
  }
  const std::string_view rest = text.substr(at + separator.size());
  text = text.substr(0, at);
  return rest.empty() ? std::string_view("?") : rest; // nothing where a number is due: no number
}

} // namespace

Result<ServiceAddress> ServiceAddress::from(const std::string& text)
{
  const auto refuse = [&text](const std::string& why)
  {
    return fail(ErrorCode::BadArgument, "\"" + text + "\" is no address of a service: " + why,
        "write redis://HOST:PORT or unix:/PATH, and ?expiry=SECONDS behind it if values are to be kept less than a "
        "week");
  };
  constexpr std::string_view kTcp = "redis://";
  constexpr std::string_view kUnix = "unix:";
  ServiceAddress address;
  std::string_view rest = text;
  if (const std::string_view expiry = cut_off(rest, "?expiry="); !expiry.empty())
  {
    const auto seconds = number_in(expiry, std::int64_t{ 100 } * 365 * 86400);
    if (!seconds)
    {
      return refuse("the expiry is no number of seconds");
    }
    address.expiry = *seconds;
  }
  if (rest.starts_with(kUnix) && rest.size() > kUnix.size())
  {
    address.socket = rest.substr(kUnix.size());
    return address;
  }
  if (!rest.starts_with(kTcp))
  {
    return refuse("it begins with neither redis:// nor unix:/");
  }
  rest.remove_prefix(kTcp.size());
  const bool bracket = rest.starts_with('['); // of an address of IPv6
  if (!bracket || rest.rfind("]:") != std::string_view::npos)
  {
    if (const std::string_view port = cut_off(rest, ":"); !port.empty())
    {
      const auto number = number_in(port, 65535);
      if (!number)
      {
        return refuse("the port is no number up to 65535");
      }
      address.port = static_cast<int>(*number);
    }
  }
  address.host = bracket && rest.ends_with(']') ? rest.substr(1, rest.size() - 2) : rest;
  if (address.host.empty() || address.host.find_first_of("/?#@[] ") != std::string::npos)
  {
    return refuse("it has no host");
  }
  return address;
}

} // namespace rivulet
