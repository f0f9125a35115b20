// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/BovSeries.h"

#include "Base/Times.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace rivulet
{

namespace
{

struct TimedHeader
{
  double time = 0;
  BovHeader header;
};
using Steps = std::vector<TimedHeader>;

bool increasing(const Steps& steps)
{
  return std::adjacent_find(steps.begin(), steps.end(),
             [](const TimedHeader& a, const TimedHeader& b) { return !(a.time < b.time); }) == steps.end();
}

void sort_by_time(Steps& steps)
{
  std::stable_sort(
      steps.begin(), steps.end(), [](const TimedHeader& a, const TimedHeader& b) { return a.time < b.time; });
}

// The last number in the name of a file, without folder and ending.
std::optional<double> number_in(const std::string& path)
{
  const std::size_t name = path.rfind('/') + 1; // npos + 1 is 0
  const std::size_t dot = path.rfind('.');
  std::size_t end = dot == std::string::npos || dot < name ? path.size() : dot;
  const auto digit = [&path](std::size_t i)
  {
    return std::isdigit(static_cast<unsigned char>(path[i])) != 0;
  };
  while (end > name && !digit(end - 1))
  {
    --end;
  }
  std::size_t begin = end;
  while (begin > name && digit(begin - 1))
  {
    --begin;
  }
  double number = 0;
  const auto [stop, error] = std::from_chars(path.data() + begin, path.data() + end, number);
  return begin < end && error == std::errc() ? std::optional<double>(number) : std::nullopt;
}

/// Of headers with one TIME, the last one stays.
void leave_out_earlier(Steps& steps, BlockField& field)
{
  for (std::size_t i = 1; i < steps.size(); ++i)
  {
    if (steps[i - 1].time == steps[i].time)
    {
      const std::string text = steps[i - 1].header.path + " has the TIME " + format_time(steps[i].time) + " of " +
                               steps[i].header.path + ", which is named later, and is left out";
      field.notes.push_back(text);
      field.warnings.push_back(text);
    }
  }
  const auto first_to_stay = std::unique(
      steps.rbegin(), steps.rend(), [](const TimedHeader& a, const TimedHeader& b) { return a.time == b.time; });
  steps.erase(steps.begin(), first_to_stay.base());
}

bool try_header_times(Steps& steps, BlockField& field)
{
  for (TimedHeader& step : steps)
  {
    if (!step.header.time && steps.size() > 1)
    {
      return false;
    }
    step.time = step.header.time.value_or(0);
  }
  sort_by_time(steps);
  if (steps.size() > 1 && steps.front().time == steps.back().time)
  {
    return false;
  }
  leave_out_earlier(steps, field);
  return true;
}

bool try_file_numbers(Steps& steps)
{
  for (TimedHeader& step : steps)
  {
    const std::optional<double> number = number_in(step.header.path);
    if (!number)
    {
      return false;
    }
    step.time = *number;
  }
  sort_by_time(steps);
  return increasing(steps);
}

// A time of 0 is also that of writers that know none.
bool tells_a_time(const Steps& steps)
{
  return std::any_of(
      steps.begin(), steps.end(), [](const TimedHeader& step) { return step.header.time.value_or(0) != 0; });
}

// Gives the steps of one variable their times and their order.
void order(Steps& steps, BlockField& field)
{
  const Steps given = steps;
  if (try_header_times(steps, field))
  {
    return;
  }
  std::string text = "the headers of " + given.front().header.variable + " do not tell different TIMEs; ";
  steps = given;
  if (try_file_numbers(steps))
  {
    text += "the numbers in the file names are taken as times";
  }
  else
  {
    steps = given;
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
      steps[i].time = static_cast<double>(i);
    }
    text += "the order of the files is taken for it";
  }
  field.notes.push_back(text);
  if (tells_a_time(given))
  {
    field.warnings.push_back(given.front().header.path + ": " + text);
  }
}

bool same_grid(const Grid& a, const Grid& b)
{
  return a.nodes == b.nodes && a.origin == b.origin && a.spacing == b.spacing;
}

Result<void> check_same(const BovHeader& first, const BovHeader& other)
{
  const auto differs = [&](const std::string& what)
  {
    return fail(ErrorCode::BadArgument, what + " differs from that in " + first.path,
        "open headers of one grid together, the others on their own", other.path);
  };
  if (!same_grid(first.grid(), other.grid()))
  {
    return differs("the grid (DATA_SIZE, CENTERING, BRICK_ORIGIN or BRICK_SIZE)");
  }
  if (first.variable != other.variable)
  {
    return {};
  }
  if (first.components != other.components || first.centering != other.centering || first.block != other.block)
  {
    return differs("DATA_COMPONENTS, CENTERING or DATA_BRICKLETS");
  }
  if (first.format.type != other.format.type || first.format.swapped != other.format.swapped ||
      first.format.byte_range != other.format.byte_range)
  {
    return differs("DATA_FORMAT, DATA_ENDIAN, VARIABLE_MIN or VARIABLE_MAX");
  }
  return {};
}

std::vector<Steps> by_variable(std::vector<BovHeader> headers)
{
  std::vector<Steps> variables;
  for (BovHeader& header : headers)
  {
    auto known = std::find_if(variables.begin(), variables.end(),
        [&header](const Steps& steps) { return steps.front().header.variable == header.variable; });
    Steps& steps = known == variables.end() ? variables.emplace_back() : *known;
    steps.push_back({ 0, std::move(header) });
  }
  return variables;
}

BlockVariable block_variable(const Steps& steps)
{
  const BovHeader& first = steps.front().header;
  BlockVariable variable;
  variable.variable = { first.variable, value_type(first.format.type), first.components, first.centering,
    first.format.byte_range ? WholeType::None : whole_type(first.format.type) };
  variable.format = first.format;
  variable.lattice = first.size;
  variable.block = first.block;
  for (const TimedHeader& step : steps)
  {
    variable.steps.push_back({ { { step.header.data, step.header.byte_offset } } });
  }
  return variable;
}

Result<void> check_headers(const std::vector<BovHeader>& headers)
{
  if (headers.empty())
  {
    return fail(ErrorCode::BadArgument, "no BOV header is named", "name one at least");
  }
  for (auto header = headers.begin(); header != headers.end(); ++header)
  {
    const auto first = std::find_if(
        headers.begin(), header, [&](const BovHeader& other) { return other.variable == header->variable; });
    for (const BovHeader& other : { *first, headers.front() })
    {
      if (Result<void> same = check_same(other, *header); !same)
      {
        return same;
      }
    }
  }
  return {};
}

Result<void> check_times(const FieldInfo& info, const Steps& steps)
{
  const bool same = std::equal(steps.begin(), steps.end(), info.times.begin(), info.times.end(),
      [](const TimedHeader& step, double time) { return step.time == time; });
  if (!same)
  {
    return fail(ErrorCode::BadArgument,
        steps.front().header.variable + " has other times than " + info.variables.front().name,
        "name a header of every variable for every time", steps.front().header.path);
  }
  return {};
}

} // namespace

Result<BlockField> bov_field(std::vector<BovHeader> headers)
{
  if (Result<void> same = check_headers(headers); !same)
  {
    return forward_error(same);
  }
  BlockField field;
  for (BovHeader& header : headers)
  {
    std::move(header.notes.begin(), header.notes.end(), std::back_inserter(field.notes));
  }
  field.info.grid = headers.front().grid();
  for (Steps& steps : by_variable(std::move(headers)))
  {
    order(steps, field);
    if (field.variables.empty())
    {
      std::transform(steps.begin(), steps.end(), std::back_inserter(field.info.times),
          [](const TimedHeader& step) { return step.time; });
    }
    field.variables.push_back(block_variable(steps));
    field.info.variables.push_back(field.variables.back().variable);
    if (Result<void> same = check_times(field.info, steps); !same)
    {
      return forward_error(same);
    }
  }
  field.info.ranges.resize(field.variables.size());
  return field;
}

Result<BlockField> bov_field(const std::vector<std::string>& paths)
{
  std::vector<BovHeader> headers;
  for (const std::string& path : paths)
  {
    Result<BovHeader> header = BovHeader::read(path);
    if (!header)
    {
      return forward_error(header);
    }
    headers.push_back(std::move(*header));
  }
  return bov_field(std::move(headers));
}

} // namespace rivulet
