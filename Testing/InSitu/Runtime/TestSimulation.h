// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A simulation in a few lines, for tests of sessions: particles and a field with levels, whose bytes follow from the
/// step and the rank, in a folder that all ranks share.
///
///     Workplace place;
///     rivulet_insitu* insitu = place.open({ { "policy", "static" }, { "analytics", { { { "name", "recorder" } } } }
///     }); TestSimulation simulation; for (int step = 0; step < 10; ++step) simulation.advance(insitu, step);
///     rivulet_insitu_finalize(&insitu);
///     EXPECT_EQ(place.steps_of("recorder"), ...);
#pragma once

#include "InSitu/Runtime/rivulet_insitu.h"
#include "Support/TemporaryFolder.h"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace rivulet::test
{

[[nodiscard]] int rank();
[[nodiscard]] int ranks();

/// A folder of the test, the same on all ranks. Collective.
class Workplace
{
public:
  Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace();

  /// Begins a session. Keys that are not given: 8 cores, output, plugins. Null, and `code()`, if it fails.
  rivulet_insitu* open(nlohmann::json configuration);
  /// The same with a file's text for this rank alone.
  rivulet_insitu* open_text(const std::string& text);
  [[nodiscard]] int code() const { return code_; }

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] std::string text_of(const std::string& name) const;
  /// Lines that the plugin `recorder` has written on this rank.
  [[nodiscard]] std::vector<std::string> lines_of(const std::string& name) const;
  /// Their steps.
  [[nodiscard]] std::vector<int> steps_of(const std::string& name) const;
  /// summary.json, broadcast from rank 0. Collective.
  [[nodiscard]] nlohmann::json summary() const;

private:
  std::optional<TemporaryFolder> folder_; ///< of rank 0
  std::string path_;
  int code_ = 0;
};

class TestSimulation
{
public:
  /// `particles`: of rank 0; other ranks have more.
  explicit TestSimulation(int particles = 1000);

  /// Publishes the step if it is wanted, executes, and overwrites what was published. Returns the code of execute, or
  /// nothing if the step was not wanted.
  std::optional<int> advance(rivulet_insitu* insitu, int step);

  void fill(int step);
  [[nodiscard]] const rivulet_particles& particles() const { return particles_; }
  [[nodiscard]] const rivulet_field& field() const { return field_; }

private:
  std::vector<std::int64_t> ids_;
  std::vector<std::int32_t> types_;
  std::array<std::vector<double>, 5> numbers_; ///< x y z vx vy; there is no vz
  std::vector<float> stress_;
  std::array<rivulet_array, 2> arrays_{};
  std::vector<unsigned char> flags_;
  rivulet_particles particles_{};

  std::array<std::int32_t, 3> ratio_{ 2, 2, 1 };
  std::array<rivulet_variable, 2> variables_{};
  std::vector<std::vector<float>> velocity_; ///< of each block
  std::vector<std::vector<double>> pressure_;
  std::vector<std::array<const void*, 2>> data_;
  std::vector<rivulet_block> blocks_;
  rivulet_field field_{};
};

} // namespace rivulet::test
