// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A node of the tree that a simulation hands to Catalyst, with its path, which messages name:
///
///     Result<Place> dims = coordset.need("dims");             // or: ".../coordsets/c: there is no dims. ..."
///     Result<std::int64_t> i = dims->need("i")...;
///
/// Nothing is copied, and nothing is owned: a place is valid as long as the tree. Any thread; the tree is only read.
#pragma once

#include "Base/Result.h"

#include <catalyst.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rivulet::catalyst2
{

/// An array as it lies in the simulation's memory. All of it can be read, if the tree says the truth.
struct Numbers
{
  conduit_index_t type = CONDUIT_EMPTY_ID; ///< CONDUIT_FLOAT64_ID, ...
  const std::byte* first = nullptr;
  std::int64_t count = 0;
  std::int64_t bytes = 0;  ///< of a number
  std::int64_t stride = 0; ///< bytes from one number to the next

  [[nodiscard]] const std::byte* at(std::int64_t i) const { return first + i * stride; }
  /// True if compilers may read the numbers as such: addresses are multiples of their size.
  [[nodiscard]] bool aligned() const;
};

class Place
{
public:
  Place(const conduit_node* node, std::string path)
    : node_(const_cast<conduit_node*>(node)) // the functions of Conduit for C take no constant nodes
    , path_(std::move(path))
  {
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string name() const; ///< the last part of the path

  /// A node below; none if it is not there, or empty. `way` may be a path.
  [[nodiscard]] std::optional<Place> find(const std::string& way) const;
  /// The same, where it has to be there.
  [[nodiscard]] Result<Place> need(const std::string& way) const;
  [[nodiscard]] std::vector<Place> children() const;

  [[nodiscard]] Result<std::string> text() const;
  /// One number; also a float whose value is an integer.
  [[nodiscard]] Result<std::int64_t> integer() const;
  [[nodiscard]] Result<double> real() const;
  /// Copies.
  [[nodiscard]] Result<std::vector<std::int64_t>> integers() const;
  [[nodiscard]] Result<std::vector<double>> reals() const;
  [[nodiscard]] Result<Numbers> numbers() const;

  [[nodiscard]] Result<std::string> need_text(const std::string& way) const;
  [[nodiscard]] Result<std::int64_t> need_integer(const std::string& way) const;

  /// True for an array without numbers, and for a node that nothing was set in.
  [[nodiscard]] bool empty() const;
  /// True for numbers and texts.
  [[nodiscard]] bool is_leaf() const;
  /// An error if the name of the node is not UTF-8, as the runtime's names are.
  [[nodiscard]] Result<void> check_name() const;

  /// Error: the data cannot be translated. `what`: the problem at this place; `remedy`: advice for the user.
  [[nodiscard]] tl::unexpected<Error> refuse(std::string what, std::string remedy) const;

private:
  [[nodiscard]] std::string below(const std::string& way) const;

  conduit_node* node_;
  std::string path_;
};

} // namespace rivulet::catalyst2
