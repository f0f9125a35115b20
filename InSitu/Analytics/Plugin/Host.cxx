// SPDX-License-Identifier: BSD-3-Clause
#include "Plugin/Host.h"

#include <charconv>
#include <filesystem>

namespace rivulet
{

namespace
{

/// At least `width` digits.
std::string digits(std::int64_t number, std::size_t width)
{
  std::string text = std::to_string(number);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

} // namespace

Host::Host(const rivulet_analytics_host& host)
  : host_(&host)
{
}

std::string Host::path_of(const std::string& file) const
{
  return (std::filesystem::path(host_->output) / file).lexically_normal().string();
}

std::string Host::name_of_rank() const
{
  return name() + "." + digits(rank(), 4);
}

int rank_of_file(const Host& host, const std::string& name, FilesOf ranks)
{
  const std::string own = host.name();
  if (ranks == FilesOf::AllRanks)
  {
    return name == own ? 0 : -1;
  }
  const bool of_rank = name.size() >= own.size() + 5 && name.starts_with(own + ".");
  const char* const from = name.data() + (of_rank ? own.size() + 1 : name.size());
  const char* const to = name.data() + name.size();
  int rank = -1;
  const auto read = std::from_chars(from, to, rank);
  return read.ec == std::errc() && read.ptr == to ? rank : -1;
}

bool is_care_of(const Host& host, int rank)
{
  return rank == host.rank() || (host.first() && rank >= host.size());
}

std::string digits_of_step(std::int64_t step)
{
  return digits(step, 8);
}

tl::unexpected<Error> fail_as_not_new(const std::string& path)
{
  return fail(ErrorCode::CannotWrite, "an earlier run has left this, and the configuration says \"start\": \"new\"",
      "move it away, name another \"output\", or choose \"restart\" or \"continue\"", path);
}

} // namespace rivulet
