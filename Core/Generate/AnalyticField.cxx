// SPDX-License-Identifier: BSD-3-Clause
#include "Generate/AnalyticField.h"

#include "Generate/FormulaField.h"

#include <cmath>

namespace rivulet
{

namespace
{

std::vector<FieldRecipe> collect_recipes()
{
  std::vector<FieldRecipe> all;
  for (const auto& recipes : { linear_recipes(), periodic_recipes(), vortex_recipes(), turbulence_recipes() })
  {
    all.insert(all.end(), recipes.begin(), recipes.end());
  }
  std::sort(
      all.begin(), all.end(), [](const FieldRecipe& a, const FieldRecipe& b) { return a.kind.name < b.kind.name; });
  return all;
}

const std::vector<FieldRecipe>& all_recipes()
{
  static const std::vector<FieldRecipe> recipes = collect_recipes();
  return recipes;
}

template <class Named>
std::string list_of_names(const std::vector<Named>& things)
{
  std::string list;
  for (const Named& thing : things)
  {
    list += (list.empty() ? "" : ", ") + thing.name;
  }
  return list;
}

std::string short_number(double value)
{
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  return text.back() == '.' ? text + '0' : text;
}

Result<void> check_value(const FieldParameter& parameter, double value)
{
  if (!(value >= parameter.minimum && value <= parameter.maximum)) // false for NaN, too
  {
    return fail(ErrorCode::BadArgument, "the parameter " + parameter.name + " is out of range",
        "choose a value between " + short_number(parameter.minimum) + " and " + short_number(parameter.maximum));
  }
  if (parameter.whole && value != std::floor(value))
  {
    return fail(ErrorCode::BadArgument, "the parameter " + parameter.name + " is not a whole number");
  }
  return {};
}

Result<void> check_names(const FieldKind& kind, const FieldParameters& given)
{
  for (const auto& [name, value] : given)
  {
    const auto same_name = [&wanted = name](const FieldParameter& parameter)
    {
      return parameter.name == wanted;
    };
    if (std::none_of(kind.parameters.begin(), kind.parameters.end(), same_name))
    {
      return fail(ErrorCode::BadArgument, "the field " + kind.name + " has no parameter " + name,
          "choose from: " + list_of_names(kind.parameters));
    }
  }
  return {};
}

Result<std::vector<double>> values_in_order(const FieldKind& kind, const FieldParameters& given)
{
  std::vector<double> values;
  for (const FieldParameter& parameter : kind.parameters)
  {
    const auto found = given.find(parameter.name);
    values.push_back(found == given.end() ? parameter.standard : found->second);
    if (Result<void> checked = check_value(parameter, values.back()); !checked)
    {
      return forward_error(checked);
    }
  }
  return values;
}

} // namespace

FieldParameter real_parameter(
    std::string name, double standard, double minimum, double maximum, std::string unit, std::string help)
{
  return { std::move(name), standard, minimum, maximum, std::move(unit), std::move(help), false };
}

FieldParameter whole_parameter(std::string name, double standard, double minimum, double maximum, std::string help)
{
  return { std::move(name), standard, minimum, maximum, "1", std::move(help), true };
}

Vec3 AnalyticField::vorticity(const Vec3& at, double time) const
{
  const Mat3 g = gradient(at, time);
  return { g[7] - g[5], g[2] - g[6], g[3] - g[1] };
}

const std::vector<FieldKind>& analytic_field_kinds()
{
  static const std::vector<FieldKind> kinds = []
  {
    std::vector<FieldKind> all;
    for (const FieldRecipe& recipe : all_recipes())
    {
      all.push_back(recipe.kind);
    }
    return all;
  }();
  return kinds;
}

std::vector<std::string> analytic_field_names()
{
  std::vector<std::string> names;
  for (const FieldKind& kind : analytic_field_kinds())
  {
    names.push_back(kind.name);
  }
  return names;
}

Result<std::unique_ptr<AnalyticField>> make_analytic_field(std::string_view name, const FieldParameters& parameters)
{
  const std::vector<FieldRecipe>& recipes = all_recipes();
  const auto recipe = std::find_if(
      recipes.begin(), recipes.end(), [name](const FieldRecipe& candidate) { return candidate.kind.name == name; });
  if (recipe == recipes.end())
  {
    return fail(ErrorCode::BadArgument, "there is no analytic field named " + std::string(name),
        "choose from: " + list_of_names(analytic_field_kinds()));
  }
  if (Result<void> known = check_names(recipe->kind, parameters); !known)
  {
    return forward_error(known);
  }
  Result<std::vector<double>> values = values_in_order(recipe->kind, parameters);
  return values ? recipe->make(*values) : forward_error(values);
}

} // namespace rivulet
