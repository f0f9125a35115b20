// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Description of a part, without its values. Ranks have to agree on it.
///
///     Result<Outline> own = outline_of("grid", part, teller);    // of this rank
///     ... Catalogue: of all ranks ...
///     select(agreed, part.domains);                              // keeps the fields of all ranks
#pragma once

#include "Domain.h"
#include "Teller.h"

#include <tuple>

namespace rivulet::catalyst2
{

/// A variable, wherever its values lie.
struct VariableOutline
{
  std::string name;
  std::int32_t type = 0;
  std::int32_t components = 0;

  bool operator==(const VariableOutline&) const = default;
  bool operator<(const VariableOutline& other) const
  {
    return std::tie(name, type, components) < std::tie(other.name, other.type, other.components);
  }
};

/// How much a rank has of a part, least first. A rank that has less than another has no say in its fields.
enum class Content
{
  None,  ///< no domain
  Empty, ///< domains without elements
  Cells
};

/// A part without its domains.
struct Outline
{
  std::string channel;
  std::string mesh;
  std::string topology;
  Content content = Content::None;
  GridKind kind = GridKind::Uniform;
  std::vector<VariableOutline> cells; ///< by their names
  std::vector<VariableOutline> nodes;
  std::string name; ///< of the field or mesh of the runtime; empty until all ranks agree

  bool operator==(const Outline&) const = default;
};

/// Refuses domains of several kinds. Fields that some domains lack, or have otherwise, are told of and left out.
[[nodiscard]] Result<Outline> outline_of(const std::string& channel, const Part& part, Teller& teller);

/// Leaves out domains without elements, and fields that the outline has not. The others come in its order.
void select(const Outline& outline, std::vector<Domain>& domains);

/// Keeps the variables of both lists in `known`; adds the names of all others to `left_out`. Both lists are sorted.
void keep_common(
    std::vector<VariableOutline>& known, const std::vector<VariableOutline>& other, std::vector<std::string>& left_out);

/// A field that is not the same `where`: "in all domains".
[[nodiscard]] Error left_out(const std::string& channel, const std::string& field, const std::string& where);

} // namespace rivulet::catalyst2
