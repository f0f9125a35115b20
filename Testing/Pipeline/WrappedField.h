// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A source of bricks dressed as an open file, for tests of the lazily paged array: any budget, a mapping on demand.
///
///     AnalyticBricks bricks(...);
///     auto file = std::make_shared<WrappedField>(bricks, kMiB);
#pragma once

#include "Store/Field/OpenField.h"

#include <optional>

namespace rivulet::test
{

class WrappedField final : public FileBricks
{
public:
  /// `inner` must outlive this.
  WrappedField(BrickSource& inner, std::int64_t budget)
    : inner_(inner)
    , budget_(budget)
  {
  }

  [[nodiscard]] const FieldInfo& info() const override { return inner_.info(); }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override { return inner_.bricks(variable); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override { return inner_.try_get(key); }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override
  {
    inner_.request_for(key, waiter, particles);
  }
  [[nodiscard]] std::int64_t working_minimum(int) const override { return 0; }
  [[nodiscard]] SourceStatistics statistics() const override { return inner_.statistics(); }
  [[nodiscard]] const std::string& path() const override { return path_; }
  [[nodiscard]] AccessStrategy strategy() const override { return AccessStrategy::BufferedCache; }
  [[nodiscard]] std::string strategy_reason() const override { return "a test"; }
  [[nodiscard]] AccessStrategy asked_strategy() const override { return strategy(); }
  [[nodiscard]] Result<void> set_strategy(AccessStrategy) override { return {}; }
  [[nodiscard]] std::int64_t memory_budget() const override { return budget_; }
  void set_memory_budget(std::int64_t bytes) override { budget_ = bytes; }
  [[nodiscard]] std::shared_ptr<const WholeArray> whole_array(int, int) override { return mapping; }
  void read_ahead(const BrickKey&, const Box&) override {}
  [[nodiscard]] bool hides(Centering, int) const override { return false; }
  [[nodiscard]] Result<void> read_hidden(Centering, int, const Box& box, std::uint8_t* out) const override
  {
    std::fill_n(out, box.count(), std::uint8_t{ 0 });
    return {};
  }
  [[nodiscard]] Result<void> health() override
  {
    return changed ? Result<void>(tl::unexpected(*changed)) : inner_.health();
  }
  [[nodiscard]] Result<std::vector<std::array<float, 2>>> brick_ranges(int, int) override
  {
    return std::vector<std::array<float, 2>>{};
  }
  [[nodiscard]] Result<std::vector<PlacesMeasure>> brick_places(int) override { return std::vector<PlacesMeasure>{}; }

  std::shared_ptr<const WholeArray> mapping; ///< what whole_array() answers
  std::optional<Error> changed;              ///< what health() answers

private:
  void unpin(void*) override {} // pins are the inner source's own

  BrickSource& inner_;
  std::int64_t budget_;
  std::string path_ = "wrapped.rvf";
};

} // namespace rivulet::test
