// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/ChosenVariables.h"

#include "Base/WholeType.h"

#include <algorithm>
#include <set>

namespace rivulet
{

namespace
{

/// Numbers of the source's variables in each variable.
using Parts = std::vector<std::vector<int>>;

class ChosenVariables final : public LatticeReader
{
public:
  /// `name`: name of the variable with several parts.
  ChosenVariables(std::unique_ptr<LatticeReader> source, Parts parts, const std::string& name)
    : source_(std::move(source))
    , parts_(std::move(parts))
    , info_(source_->info())
  {
    const FieldInfo& all = source_->info();
    info_.variables.clear();
    info_.ranges.clear();
    for (const std::vector<int>& part : parts_)
    {
      const auto first = static_cast<std::size_t>(part.front());
      info_.variables.push_back(all.variables[first]);
      info_.ranges.push_back(part.size() == 1 && first < all.ranges.size() ? all.ranges[first] : ValueRanges{});
      if (part.size() > 1)
      {
        info_.variables.back().name = name;
        info_.variables.back().components = static_cast<std::int32_t>(part.size());
        const bool alike = std::all_of(part.begin(), part.end(),
            [&](int one) { return all.variables[static_cast<std::size_t>(one)].whole == all.variables[first].whole; });
        info_.variables.back().whole = alike ? all.variables[first].whole : WholeType::None;
      }
    }
    info_.points = all.points >= 0 ? static_cast<std::int32_t>(info_.variables.size()) - 1 : -1;
  }

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] Result<void> read(int variable, int step, const Box& box, void* out) override;
  [[nodiscard]] bool hides(Centering centering, int step) const override { return source_->hides(centering, step); }
  [[nodiscard]] Result<void> read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out) override
  {
    return source_->read_hidden(centering, step, box, out);
  }
  [[nodiscard]] std::int64_t source_bytes() const override { return source_->source_bytes(); }
  [[nodiscard]] std::vector<std::string> files() const override { return source_->files(); }
  [[nodiscard]] Result<void> check_unchanged() override { return source_->check_unchanged(); }
  [[nodiscard]] Int3 preferred_box() const override { return source_->preferred_box(); }

private:
  std::unique_ptr<LatticeReader> source_;
  Parts parts_;
  FieldInfo info_;
};

template <class T>
Result<void> join(LatticeReader& source, const std::vector<int>& part, int step, const Box& box, T* out)
{
  std::vector<T> values(static_cast<std::size_t>(box.count()));
  for (std::size_t component = 0; component < part.size(); ++component)
  {
    if (Result<void> read = source.read(part[component], step, box, values.data()); !read)
    {
      return read;
    }
    const Variable& whole = source.info().variables[static_cast<std::size_t>(part[component])];
    if (Result<void> held = check_whole(whole, values.data(), box.count()); !held)
    {
      return held; // the joined variable is not checked where the types of its parts differ
    }
    for (std::size_t at = 0; at < values.size(); ++at)
    {
      out[at * part.size() + component] = values[at];
    }
  }
  return {};
}

Result<void> ChosenVariables::read(int variable, int step, const Box& box, void* out)
{
  const std::vector<int>& part = parts_[static_cast<std::size_t>(variable)];
  if (part.size() == 1)
  {
    return source_->read(part.front(), step, box, out);
  }
  return info_.variables[static_cast<std::size_t>(variable)].type == ScalarType::Float32
             ? join(*source_, part, step, box, static_cast<float*>(out))
             : join(*source_, part, step, box, static_cast<double*>(out));
}

Result<int> find(const std::vector<Variable>& variables, const std::string& name)
{
  std::string names;
  for (std::size_t at = 0; at < variables.size(); ++at)
  {
    if (variables[at].name == name)
    {
      return static_cast<int>(at);
    }
    names += (names.empty() ? "" : ", ") + variables[at].name;
  }
  return fail(ErrorCode::NotFound, "the source has no variable \"" + name + "\"", "choose from: " + names);
}

Result<void> check_component(const Variable& first, const Variable& other)
{
  if (other.components != 1)
  {
    return fail(
        ErrorCode::BadArgument, "\"" + other.name + "\" has components of its own", "name scalars with --vector");
  }
  if (other.type != first.type || other.centering != first.centering)
  {
    return fail(ErrorCode::BadArgument,
        "\"" + first.name + "\" and \"" + other.name +
            "\" differ in type, or one has values at nodes, the other in cells",
        "name scalars of one kind with --vector");
  }
  return {};
}

} // namespace

Result<std::unique_ptr<LatticeReader>> choose_variable(std::unique_ptr<LatticeReader> source, const std::string& name)
{
  Result<int> variable = find(source->info().variables, name);
  if (!variable)
  {
    return forward_error(variable);
  }
  Parts parts{ { *variable } };
  if (const std::int32_t points = source->info().points; points >= 0 && points != *variable)
  {
    parts.push_back({ points });
  }
  return std::make_unique<ChosenVariables>(std::move(source), std::move(parts), std::string());
}

Result<std::unique_ptr<LatticeReader>> join_vector(
    std::unique_ptr<LatticeReader> source, const std::vector<std::string>& components, const std::string& name)
{
  const std::vector<Variable>& variables = source->info().variables;
  const std::set<std::string> different(components.begin(), components.end());
  if (components.size() < 2 || components.size() > 9 || different.size() != components.size())
  {
    return fail(ErrorCode::BadArgument, "--vector needs 2 to 9 different names", "name them as in u,v,w");
  }
  std::vector<int> joined;
  for (const std::string& component : components)
  {
    Result<int> found = find(variables, component);
    if (!found)
    {
      return forward_error(found);
    }
    joined.push_back(*found);
    const auto at = [&](int number)
    {
      return variables[static_cast<std::size_t>(number)];
    };
    if (Result<void> fits = check_component(at(joined.front()), at(joined.back())); !fits)
    {
      return forward_error(fits);
    }
  }
  Parts parts;
  for (int variable = 0; variable < static_cast<int>(variables.size()); ++variable)
  {
    if (variable == joined.front())
    {
      parts.push_back(joined);
    }
    else if (different.count(variables[static_cast<std::size_t>(variable)].name) == 0)
    {
      parts.push_back({ variable });
    }
  }
  return std::make_unique<ChosenVariables>(std::move(source), std::move(parts), name);
}

} // namespace rivulet
