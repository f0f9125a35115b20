// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A ReadEngine that has the troubles of real storage: short answers, errors, busy systems, answers in another order.
/// What an answer does not own up to is overwritten, so that nobody gets away with using it.
///
///     FaultyReads engine(open_read_engine(EngineChoice::Best), { .short_answers = 1 });
///
/// Threads as in ReadEngine.h.
#pragma once

#include "Io/Reads/ReadEngine.h"

#include <atomic>
#include <map>
#include <random>

namespace rivulet::test
{

struct ReadFaults
{
  int short_answers = 0;      ///< so many answers to each read fall short
  int busy_answers = 0;       ///< so many answers to each read are -EAGAIN
  std::int64_t bad_byte = -1; ///< reads that cover this offset of a file fail with -EIO
  bool out_of_order = false;  ///< answers are held back for a while and come in random order
};

class FaultyReads final : public ReadEngine
{
public:
  FaultyReads(std::unique_ptr<ReadEngine> inner, const ReadFaults& faults);

  [[nodiscard]] std::string name() const override { return inner_->name(); }
  [[nodiscard]] int depth() const override { return inner_->depth(); }
  void submit(FileRead& read) override;
  void wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers) override;
  void wake() override { inner_->wake(); }

private:
  [[nodiscard]] std::int64_t fault(const ReadAnswer& answer);

  std::unique_ptr<ReadEngine> inner_;
  ReadFaults faults_;
  std::map<FileRead*, int> answered_; ///< how often each read that is not through has been answered
  std::vector<ReadAnswer> held_back_;
  std::mt19937 random_{ 5 };
};

} // namespace rivulet::test
