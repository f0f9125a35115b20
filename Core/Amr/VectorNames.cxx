// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/VectorNames.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

namespace rivulet
{

namespace
{

constexpr std::string_view kSeparators = "_-. ";
constexpr std::string_view kDigits = "0123";

/// Stems, in lower case, after which numbers mean axes. Species and tracers are numbered, too.
constexpr std::array<std::string_view, 17> kKnownStems{ "acceleration", "b", "bcc", "bfield", "efield", "force",
  "gamma", "mag", "magnetic_field", "mom", "momentum", "shift", "u", "v", "vel", "velocity", "vorticity" };

bool separates(char c)
{
  return kSeparators.find(c) != std::string_view::npos;
}

bool is_letter(char c)
{
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// Vector that a name may belong to: the name of the vector, and the names of its components along x, y and z.
struct Candidate
{
  std::string name;
  std::array<std::string, 3> components;
  std::vector<std::string> none_of; ///< names that exclude this vector
};

/// Candidate whose components have these marks between `before` and `after`.
Candidate marked(std::string vector, const std::string& before, const std::array<std::string, 3>& marks,
    const std::string& after, std::vector<std::string> none_of = {})
{
  Candidate candidate{ std::move(vector), {}, std::move(none_of) };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    candidate.components[axis].append(before).append(marks[axis]).append(after);
  }
  return candidate;
}

/// The marks "x", "y", "z" in the case of the given letter.
std::optional<std::array<std::string, 3>> axes_of(char letter)
{
  for (const std::string_view axes : { "xyz", "XYZ" })
  {
    if (axes.find(letter) != std::string_view::npos)
    {
      return std::array<std::string, 3>{ std::string(1, axes[0]), std::string(1, axes[1]), std::string(1, axes[2]) };
    }
  }
  return std::nullopt;
}

std::string without_separator(std::string stem)
{
  if (!stem.empty() && separates(stem.back()))
  {
    stem.pop_back();
  }
  return stem;
}

std::optional<Candidate> letter_at_end(const std::string& name)
{
  const auto axes = axes_of(name.back());
  const std::string stem = name.substr(0, name.size() - 1);
  return axes ? std::optional(marked(without_separator(stem), stem, *axes, "")) : std::nullopt;
}

std::optional<Candidate> letter_at_beginning(const std::string& name)
{
  const auto axes = axes_of(name.front());
  const std::string rest = name.substr(1);
  const bool apart = separates(rest.front());
  return axes && (apart || is_letter(rest.front()))
             ? std::optional(marked(apart ? rest.substr(1) : rest, "", *axes, rest))
             : std::nullopt;
}

/// Candidate for names such as vx1, the component along the axis x1.
std::optional<Candidate> numbered_axis(const std::string& name)
{
  const bool fits = name.size() == 3 && is_letter(name[0]) && (name[1] == 'x' || name[1] == 'X') &&
                    kDigits.find(name[2]) != std::string_view::npos;
  return fits ? std::optional(marked(name.substr(0, 1), name.substr(0, 2), { "1", "2", "3" }, "")) : std::nullopt;
}

std::optional<Candidate> known_stem(const std::string& name, bool from_zero)
{
  const std::string stem = name.substr(0, name.size() - 1);
  std::string vector = without_separator(stem);
  std::string small = vector;
  std::transform(small.begin(), small.end(), small.begin(),
      [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  if (kDigits.find(name.back()) == std::string_view::npos ||
      std::find(kKnownStems.begin(), kKnownStems.end(), small) == kKnownStems.end())
  {
    return std::nullopt;
  }
  return from_zero ? marked(std::move(vector), stem, { "0", "1", "2" }, "", { stem + "3" })
                   : marked(std::move(vector), stem, { "1", "2", "3" }, "", { stem + "0", stem + "4" });
}

/// Vectors that a name may be a component of, in order of preference.
std::vector<Candidate> candidates_of(const std::string& name)
{
  std::vector<Candidate> found;
  if (name.size() < 2)
  {
    return found;
  }
  for (std::optional<Candidate>& one : std::array{ letter_at_end(name), letter_at_beginning(name), numbered_axis(name),
           known_stem(name, false), known_stem(name, true) })
  {
    if (one && !one->name.empty())
    {
      found.push_back(std::move(*one));
    }
  }
  return found;
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
    for (const Candidate& candidate : candidates_of(names_[number]))
    {
      if (std::optional<NamedComponents> vector = complete(candidate, number))
      {
        return vector;
      }
    }
    return std::nullopt;
  }

  /// Accepts a candidate if all its components exist and are free, and component `number` is one of them (which the z
  /// of a vector in two dimensions is not).
  std::optional<NamedComponents> complete(const Candidate& candidate, std::size_t number)
  {
    const auto is_there = [this](const std::string& name)
    {
      return numbers_.contains(name);
    };
    if (is_there(candidate.name) || vectors_.contains(candidate.name) ||
        std::any_of(candidate.none_of.begin(), candidate.none_of.end(), is_there))
    {
      return std::nullopt;
    }
    NamedComponents vector{ candidate.name, {} };
    for (std::size_t axis = 0; axis < dimensions_; ++axis)
    {
      const auto found = numbers_.find(candidate.components[axis]);
      if (found == numbers_.end() || used_[found->second])
      {
        return std::nullopt;
      }
      vector.components.push_back(static_cast<std::int32_t>(found->second));
    }
    const auto self = static_cast<std::int32_t>(number);
    if (std::find(vector.components.begin(), vector.components.end(), self) == vector.components.end())
    {
      return std::nullopt;
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

std::vector<std::string> distinct_names(std::span<const std::string> names, std::vector<std::string>& notes)
{
  const std::set<std::string> given(names.begin(), names.end());
  std::set<std::string> taken;
  std::vector<std::string> distinct;
  for (const std::string& name : names)
  {
    std::string own = name;
    for (int number = 2; taken.contains(own) || (number > 2 && given.contains(own)); ++number)
    {
      own = name + "_" + std::to_string(number);
    }
    if (own != name)
    {
      std::string note = "there is more than one \"";
      notes.push_back(note.append(name).append("\": one of them is shown as \"").append(own).append("\""));
    }
    taken.insert(own);
    distinct.push_back(own);
  }
  return distinct;
}

} // namespace rivulet
