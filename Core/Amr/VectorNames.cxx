// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/VectorNames.h"

#include <map>
#include <optional>
#include <set>

namespace rivulet
{

namespace
{

constexpr std::string_view kSeparators = "_-. ";

bool separates(char c)
{
  return kSeparators.find(c) != std::string_view::npos;
}

/// "xyz" or "XYZ", whichever a letter is of.
std::optional<std::string_view> axes_of(char letter)
{
  for (const std::string_view axes : { "xyz", "XYZ" })
  {
    if (axes.find(letter) != std::string_view::npos)
    {
      return axes;
    }
  }
  return std::nullopt;
}

std::string without_letter(const std::string& name, std::size_t at)
{
  if (at == 0)
  {
    return name.substr(2);
  }
  const std::size_t end = separates(name[at - 1]) ? at - 1 : at;
  return name.substr(0, end);
}

class Grouping
{
public:
  Grouping(std::span<const std::string> names, int dimensions)
    : names_(names)
    , dimensions_(static_cast<std::size_t>(dimensions))
    , used_(names.size(), false)
  {
    for (std::size_t i = 0; i < names.size(); ++i)
    {
      numbers_.emplace(names[i], i);
    }
  }

  std::vector<NamedComponents> group()
  {
    std::vector<NamedComponents> all;
    for (std::size_t i = 0; i < names_.size(); ++i)
    {
      if (!used_[i])
      {
        all.push_back(vector_with(i).value_or(NamedComponents{ names_[i], { static_cast<std::int32_t>(i) } }));
      }
    }
    return all;
  }

private:
  std::optional<NamedComponents> vector_with(std::size_t number)
  {
    const std::string& name = names_[number];
    if (name.size() < 2)
    {
      return std::nullopt;
    }
    std::optional<NamedComponents> vector = vector_of(name, name.size() - 1);
    return vector || !separates(name[1]) ? vector : vector_of(name, 0);
  }

  /// The vector whose components differ in the letter at a place.
  std::optional<NamedComponents> vector_of(const std::string& name, std::size_t at)
  {
    const std::optional<std::string_view> axes = axes_of(name[at]);
    if (!axes)
    {
      return std::nullopt;
    }
    NamedComponents vector{ without_letter(name, at), {} };
    if (vector.name.empty() || numbers_.contains(vector.name) || vectors_.contains(vector.name))
    {
      return std::nullopt;
    }
    std::string sibling = name;
    for (std::size_t axis = 0; axis < dimensions_; ++axis)
    {
      sibling[at] = (*axes)[axis];
      const auto found = numbers_.find(sibling);
      if (found == numbers_.end() || used_[found->second])
      {
        return std::nullopt;
      }
      vector.components.push_back(static_cast<std::int32_t>(found->second));
    }
    if ((*axes).substr(0, dimensions_).find(name[at]) == std::string_view::npos)
    {
      return std::nullopt; // the z of a vector in the plane
    }
    for (const std::int32_t component : vector.components)
    {
      used_[static_cast<std::size_t>(component)] = true;
    }
    vectors_.insert(vector.name);
    return vector;
  }

  std::span<const std::string> names_;
  std::size_t dimensions_;
  std::vector<bool> used_;
  std::map<std::string, std::size_t> numbers_;
  std::set<std::string> vectors_;
};

} // namespace

std::vector<NamedComponents> group_components(std::span<const std::string> names, int dimensions)
{
  return Grouping(names, dimensions).group();
}

} // namespace rivulet
