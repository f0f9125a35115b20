// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A tree of Conduit for tests, from short calls:
///
///     Tree tree;
///     tree.set("coordsets/c/type", "uniform").set("coordsets/c/dims/i", 5);
///     parts_of(tree.at("catalyst/channels/grid"), teller);
#pragma once

#include "InSitu/Catalyst2/Place.h"

#include <vector>

namespace rivulet::catalyst2
{

class Tree
{
public:
  Tree()
    : root_(conduit_node_create())
  {
  }
  ~Tree() { conduit_node_destroy(root_); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  Tree& set(const std::string& path, const char* text)
  {
    conduit_node_set_path_char8_str(root_, path.c_str(), text);
    return *this;
  }
  Tree& set(const std::string& path, std::int64_t number)
  {
    conduit_node_set_path_int64(root_, path.c_str(), number);
    return *this;
  }
  Tree& set(const std::string& path, double number)
  {
    conduit_node_set_path_float64(root_, path.c_str(), number);
    return *this;
  }
  /// The tree keeps a copy.
  Tree& set(const std::string& path, std::vector<double> numbers)
  {
    forget(path);
    conduit_node_set_path_float64_ptr(
        root_, path.c_str(), numbers.data(), static_cast<conduit_index_t>(numbers.size()));
    return *this;
  }
  Tree& set(const std::string& path, std::vector<std::int32_t> numbers)
  {
    forget(path);
    conduit_node_set_path_int32_ptr(root_, path.c_str(), numbers.data(), static_cast<conduit_index_t>(numbers.size()));
    return *this;
  }
  /// Elements `step` apart in memory of the caller, from the `first` one on.
  Tree& show(const std::string& path, double* numbers, std::int64_t count, std::int64_t first, std::int64_t step)
  {
    const auto bytes = static_cast<conduit_index_t>(sizeof(double));
    conduit_node_set_path_external_float64_ptr_detailed(
        root_, path.c_str(), numbers, count, bytes * first, bytes * step, bytes, CONDUIT_ENDIANNESS_DEFAULT_ID);
    return *this;
  }

  /// Memory of the caller. `step`: elements from one to the next.
  Tree& show(const std::string& path, std::vector<std::int32_t>& numbers, std::int64_t step = 1)
  {
    const auto bytes = static_cast<conduit_index_t>(sizeof(std::int32_t));
    const auto count = static_cast<conduit_index_t>(numbers.size()) / step;
    conduit_node_set_path_external_int32_ptr_detailed(
        root_, path.c_str(), numbers.data(), count, 0, bytes * step, bytes, CONDUIT_ENDIANNESS_DEFAULT_ID);
    return *this;
  }

  [[nodiscard]] Place root() const { return Place(root_, ""); }
  [[nodiscard]] Place at(const std::string& path) const { return Place(conduit_node_fetch(root_, path.c_str()), path); }

private:
  /// Conduit fills the array that was there, which may be longer, from the new one.
  void forget(const std::string& path)
  {
    if (conduit_node_has_path(root_, path.c_str()) != 0)
    {
      conduit_node_remove_path(root_, path.c_str());
    }
  }

  conduit_node* root_;
};

} // namespace rivulet::catalyst2
