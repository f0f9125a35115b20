// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The analytics `write_dat`: a text file for each rank and step with the positions of its particles, without messages
/// and on one thread.
///
/// Options:
///     "set"         name of the particles; needed if there are several
///     "velocities"  true: vx vy vz follow; false by default
///
/// File NAME.RANK-STEP.dat, which appears when it is whole:
///     # step 12 time 0.024 rank 3 particles 2
///     # id type x y z
///     7 1 0.5 0.25 1e-3
///     8 1 0.5 0.75 nan
/// `id` and `type` are there if the simulation has them. Numbers are the shortest that read as the same value.
#include "Plugin/Analytics.h"
#include "Plugin/Options.h"
#include "Plugin/OutputFile.h"
#include "Plugin/Particles.h"
#include "Plugin/StepFiles.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace
{

using namespace rivulet;

class WriteDat final : public Analytics
{
public:
  [[nodiscard]] static Result<std::unique_ptr<Analytics>> create(const Host& host)
  {
    std::unique_ptr<WriteDat> made(new WriteDat(host));
    OptionReader read(host);
    made->set_ = read.text("set", "");
    made->velocities_ = read.flag("velocities", false);
    Result<void> sound = read.finish();
    sound = sound ? made->files_.check() : sound;
    if (!sound)
    {
      return forward_error(sound);
    }
    return made;
  }

  [[nodiscard]] Result<void> execute(const rivulet_snapshot& snapshot) override
  {
    return files_.write(snapshot, [&](const std::string& path) { return write(path, snapshot); });
  }
  [[nodiscard]] bool wants(const std::string& name, const std::string& variable) const override;

private:
  explicit WriteDat(const Host& host)
    : host_(host)
    , files_(host, ".dat", FilesOf::EachRank)
  {
  }
  [[nodiscard]] Result<void> write(const std::string& path, const rivulet_snapshot& snapshot) const;
  [[nodiscard]] Result<std::vector<const double*>> numbers_of(const rivulet_particles& set) const;

  Host host_;
  StepFiles files_;
  std::string set_;
  bool velocities_ = false;
};

std::string header(const rivulet_snapshot& snapshot, const rivulet_particles& set, int rank, bool velocities)
{
  std::string text = "# step ";
  append_number(text, snapshot.step);
  text += " time ";
  append_number(text, snapshot.time);
  text += " rank " + std::to_string(rank) + " particles " + std::to_string(set.count) + "\n#";
  text += std::string(set.id != nullptr ? " id" : "") + (set.type != nullptr ? " type" : "") + " x y z";
  return text + (velocities ? " vx vy vz\n" : "\n");
}

bool WriteDat::wants(const std::string& name, const std::string& variable) const
{
  constexpr std::array kAlways{ "id", "type", "x", "y", "z" };
  const bool velocity = velocities_ && (variable == "vx" || variable == "vy" || variable == "vz");
  return (set_.empty() || name == set_) &&
         (velocity || std::find(kAlways.begin(), kAlways.end(), variable) != kAlways.end());
}

/// The columns of numbers to write.
Result<std::vector<const double*>> WriteDat::numbers_of(const rivulet_particles& set) const
{
  std::vector<const double*> numbers;
  for (const char* name : { "x", "y", "z", "vx", "vy", "vz" })
  {
    if (numbers.size() == 3 && !velocities_)
    {
      break;
    }
    Result<Column> column = column_of(set, { name });
    if (!column)
    {
      return forward_error(column);
    }
    numbers.push_back(static_cast<const double*>(column->values));
  }
  return numbers;
}

Result<void> WriteDat::write(const std::string& path, const rivulet_snapshot& snapshot) const
{
  const Result<const rivulet_particles*> set = choose_particles(snapshot, set_);
  Result<std::vector<const double*>> numbers = set ? numbers_of(**set) : tl::unexpected(set.error());
  Result<OutputFile> file = numbers ? OutputFile::create(path) : forward_error(numbers);
  Result<void> done = file ? file->append(header(snapshot, **set, host_.rank(), velocities_)) : forward_error(file);
  std::int64_t not_finite = 0;
  std::string line;
  for (std::int64_t i = 0; done && i < (*set)->count; ++i)
  {
    line.clear();
    if ((*set)->id != nullptr)
    {
      append_number(line, (*set)->id[i]);
      line += ' ';
    }
    if ((*set)->type != nullptr)
    {
      append_number(line, std::int64_t{ (*set)->type[i] });
      line += ' ';
    }
    for (const double* column : *numbers)
    {
      append_number(line, column[i]);
      line += ' ';
    }
    line.back() = '\n';
    const bool finite =
        std::all_of(numbers->begin(), numbers->begin() + 3, [&](const double* axis) { return std::isfinite(axis[i]); });
    not_finite += finite ? 0 : 1;
    done = file->append(line);
  }
  if (done && not_finite > 0)
  {
    host_.warn(std::to_string(not_finite) + " positions of \"" + (*set)->name + "\" are not finite");
  }
  return done ? file->finish() : done;
}

} // namespace

RIVULET_ANALYTICS(WriteDat, 0)
