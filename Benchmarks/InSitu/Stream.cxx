// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A consumer process that gets each step from ADIOS2.
#include "Adios.h"
#include "Arena.h"
#include "Coupling.h"
#include "Need.h"
#include "Process.h"

#include <filesystem>
#include <optional>
#include <unistd.h>

namespace rivulet::bench
{

namespace
{

class ByStream final : public Coupling
{
public:
  explicit ByStream(const CouplingOptions& options)
    : options_(options)
    , adios_(options.adios)
    , consumer_({ options.program, options.adios, std::to_string(options.helpers), std::to_string(options.particles),
          options.analysis })
    , arena_(options.threads)
  {
  }

  void begin(const std::string& /*configuration*/, const std::string& seen) override
  {
    const std::string name = std::filesystem::temp_directory_path() /
                             ("rivulet-bench-" + std::to_string(getpid()) + "-" + std::to_string(runs_++));
    consumer_.write_line(name);
    consumer_.write_line(seen);
    stream_.emplace(adios_, name, true, options_.particles);
  }

  void region(const std::function<void()>& body) override { arena_.run(body); }

  void hand_over(std::int64_t step, const rivulet_particles& particles) override
  {
    need(stream_->begin_step(), "the stream has ended");
    stream_->put(step, particles);
    stream_->end_step();
  }

  void finish() override
  {
    stream_.reset();
    peak_ = std::stoll(consumer_.read_line());
  }

  [[nodiscard]] std::int64_t other_peak_bytes() const override { return peak_; }

private:
  const CouplingOptions& options_;
  Adios adios_;
  Process consumer_;
  Arena arena_;
  std::optional<Adios::Stream> stream_;
  int runs_ = 0;
  std::int64_t peak_ = 0;
};

} // namespace

std::unique_ptr<Coupling> make_stream(const CouplingOptions& options)
{
  return std::make_unique<ByStream>(options);
}

} // namespace rivulet::bench
