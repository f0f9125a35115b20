// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A process of analytics that runs only while the simulation is between two parallel regions, as GoldRush has it:
/// SIGCONT when a region ends, SIGSTOP when the next one begins. A phase is foreseen to last as long as the same one of
/// the step before; short ones do not wake the process.
#include "Arena.h"
#include "Coupling.h"
#include "Need.h"
#include "Particles.h"
#include "Process.h"
#include "SharedMemory.h"
#include "SuspendedRing.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

namespace rivulet::bench
{

namespace
{

constexpr double kPoll = 50e-6; // seconds

class Suspended final : public Coupling
{
public:
  explicit Suspended(const CouplingOptions& options)
    : options_(options)
    , name_("/rivulet-bench-" + std::to_string(getpid()))
    , memory_(name_,
          slot_begin(options.buffers - 1, options.buffers, bytes_for(options.particles)) +
              bytes_for(options.particles) + 64,
          true)
    , ring_(*new (memory_.data()) SuspendedRing)
    , process_({ options.program, name_, std::to_string(options.helpers), std::to_string(options.particles),
          std::to_string(options.buffers), options.analysis })
    , arena_(options.threads)
  {
    need(options.buffers <= static_cast<int>(kMostSlots), "there are too many buffers");
    (void)process_.read_line(); // it has opened the memory
    suspend();
  }

  ~Suspended() override { resume(); }

  void begin(const std::string& /*configuration*/, const std::string& seen) override
  {
    process_.write_line(seen);
    phases_.clear();
    phase_ = 0;
    phase_began_ = now();
  }

  void region(const std::function<void()>& body) override
  {
    end_phase();
    arena_.run(body);
    begin_phase();
  }

  void hand_over(std::int64_t step, const rivulet_particles& particles) override
  {
    give(step, &particles);
    // The phase around the end of a step is the first one of the next.
    if (steps_phases_ == 0)
    {
      steps_phases_ = phase_;
    }
  }

  /// The rest is done after the simulation, without stops.
  void finish() override
  {
    resume();
    const std::int64_t runs = ring_.written;
    give(-1, nullptr);
    while (ring_.written == runs)
    {
      pause(kPoll);
    }
    suspend();
  }

private:
  void resume()
  {
    if (!runs_)
    {
      ring_.since = now();
      kill(process_.id(), SIGCONT);
      runs_ = true;
    }
  }

  void suspend()
  {
    if (runs_)
    {
      kill(process_.id(), SIGSTOP);
      ring_.ran = ring_.ran + now() - ring_.since;
      ring_.since = now();
      runs_ = false;
    }
  }

  [[nodiscard]] std::size_t place() const { return steps_phases_ == 0 ? phase_ : phase_ % steps_phases_; }

  void begin_phase()
  {
    phase_began_ = now();
    ++phase_;
    const std::size_t at = place();
    if (at < phases_.size() && phases_[at] >= options_.threshold)
    {
      resume();
    }
  }

  void end_phase()
  {
    suspend();
    const std::size_t at = place();
    phases_.resize(std::max(phases_.size(), at + 1));
    phases_[at] = now() - phase_began_;
  }

  /// Waits, with the process running, where the ring is full.
  void give(std::int64_t step, const rivulet_particles* particles)
  {
    const std::int64_t number = ring_.given;
    const bool ran = runs_;
    while (number - ring_.done >= options_.buffers)
    {
      resume();
      pause(kPoll);
    }
    if (!ran)
    {
      suspend();
    }
    std::byte* to = memory_.data() + slot_begin(number, options_.buffers, bytes_for(options_.particles));
    for (const auto& [address, bytes] : particles == nullptr ? std::vector<Piece>{} : pieces_of(*particles))
    {
      std::memcpy(to, address, bytes);
      to += bytes;
    }
    ring_.steps[static_cast<std::size_t>(number % options_.buffers)] = step;
    ring_.given = number + 1;
  }

  const CouplingOptions& options_;
  std::string name_;
  SharedMemory memory_;
  SuspendedRing& ring_;
  Process process_;
  Arena arena_;
  bool runs_ = true;
  std::vector<double> phases_; ///< seconds of each sequential phase of the last step
  std::size_t phase_ = 0;
  std::size_t steps_phases_ = 0; ///< 0: not known yet
  double phase_began_ = 0;
};

} // namespace

std::unique_ptr<Coupling> make_suspended(const CouplingOptions& options)
{
  return std::make_unique<Suspended>(options);
}

} // namespace rivulet::bench
