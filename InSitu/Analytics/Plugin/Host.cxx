// SPDX-License-Identifier: BSD-3-Clause
#include "Plugin/Host.h"

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
  return (std::filesystem::path(host_->output) / file).string();
}

std::string Host::name_of_rank() const
{
  return name() + "." + digits(rank(), 4);
}

std::string Host::file_of_step(std::int64_t step, const std::string& ending) const
{
  return path_of(name() + "-" + digits(step, 8) + ending);
}

std::string Host::file_of_rank_and_step(std::int64_t step, const std::string& ending) const
{
  return path_of(name_of_rank() + "-" + digits(step, 8) + ending);
}

} // namespace rivulet
