// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A ReadEngine that asks a service for bytes before it reads the file, and gives it those that had to be read: what
/// one run has read, later ones and those on other machines need not ask of a slow storage.
///
///     engine = std::make_unique<ServiceReads>(std::move(engine), [] { return open_byte_service(address); }, 8 << 20,
///     counts);
///
/// The key is the fingerprint of the file's contents, the offset and the length; the value is the bytes and a hash of
/// them and of the key. So the service of another field, a file that has changed, and nonsense are misses.
///
/// The file is always the way out: it is read where the service has no value, is not reached, is late (kMostWait for a
/// batch), or is slower than the file. A service in trouble is left alone for some seconds. Bytes are the same. Values
/// are given to the service only while no read waits for it, and dropped where they come too fast.
///
/// Threads as in ReadEngine.h. One thread of this object talks to the service. Bytes.
#pragma once

#include "Io/Reads/ReadEngine.h"
#include "Io/Service/ByteService.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace rivulet
{

/// What became of reads. Any thread.
class ServiceCounts
{
public:
  std::atomic<std::int64_t> found{ 0 };   ///< reads that the service has answered
  std::atomic<std::int64_t> bytes{ 0 };   ///< of these
  std::atomic<std::int64_t> missing{ 0 }; ///< reads that the service was asked for in vain
  std::atomic<std::int64_t> kept{ 0 };    ///< values that were given to the service
  std::atomic<std::int64_t> dropped{ 0 }; ///< values that were not, because others waited or it refused them

  /// The last failure in words; empty if there was none.
  [[nodiscard]] std::string trouble() const;
  void set_trouble(std::string text);

private:
  mutable std::mutex mutex_;
  std::string trouble_;
};

class ServiceReads final : public ReadEngine
{
public:
  using Connect = std::function<Result<std::unique_ptr<ByteService>>()>;
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kLeastPart = 4096; ///< smaller pieces are read from the file
  static constexpr std::chrono::milliseconds kMostWait{ 500 };
  static constexpr std::chrono::milliseconds kRest{ 5000 }; ///< before a service in trouble is tried again

  /// Half of `memory` is for values that wait to be given away, half for answers. Throws std::system_error.
  ServiceReads(
      std::unique_ptr<ReadEngine> file, Connect connect, std::int64_t memory, std::shared_ptr<ServiceCounts> counts);
  ~ServiceReads() override;

  /// Changes the memory; what is in use goes down by itself. Any thread.
  void set_memory(std::int64_t memory);

  [[nodiscard]] std::string name() const override { return file_->name(); }
  [[nodiscard]] int depth() const override { return file_->depth(); }
  void submit(FileRead& read) override;
  void wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers) override;
  void wake() override { file_->wake(); }
  void forget(const void* memory) override { file_->forget(memory); }

private:
  /// A piece of a read that has a key.
  struct Part
  {
    std::string key;
    std::byte* memory;
    std::size_t begin; ///< counted from the beginning of the read
    std::size_t bytes;
  };
  struct UnderWay
  {
    FileRead* read;
    std::vector<Part> parts;
    std::size_t bytes;  ///< of the whole read, gaps included
    std::size_t wanted; ///< of the parts
    Clock::time_point since;
    bool missed = false;
  };
  /// Mean of the latest times, in seconds.
  struct Mean
  {
    double value = 0.0;
    int count = 0;
    void add(double seconds);
  };

  [[nodiscard]] static std::vector<Part> parts_of(const FileRead& read);
  [[nodiscard]] static ByteService::Value sealed(const Part& part);
  [[nodiscard]] bool may_ask();
  [[nodiscard]] bool has_room(std::size_t bytes) const;
  void read_file(UnderWay&& one);
  void take_from_file(const ReadAnswer& answer);
  void keep(const UnderWay& one, std::int64_t result);

  void serve();
  void connect(std::unique_lock<std::mutex>& lock);
  void ask(std::unique_lock<std::mutex>& lock);
  void give(std::unique_lock<std::mutex>& lock);
  void settle(const Error& failure);
  [[nodiscard]] bool resting() const { return Clock::now() < rest_until_; }
  void interrupt_late();

  const std::unique_ptr<ReadEngine> file_;
  const Connect connect_;
  std::atomic<std::size_t> memory_{ 0 }; ///< for one of the two purposes
  const std::shared_ptr<ServiceCounts> counts_;
  std::unordered_map<FileRead*, UnderWay> in_file_; ///< reads of the file; the submitting thread's own
  std::int64_t turns_ = 0;
  Mean file_time_;

  std::mutex mutex_; ///< guards all members below but the thread
  std::condition_variable work_;
  std::unique_ptr<ByteService> service_; ///< none: to be connected; changed by the thread alone
  Clock::time_point rest_until_{};
  Clock::time_point full_until_{}; ///< no values are given before
  std::vector<UnderWay> batch_;    ///< the thread asks for these
  std::deque<UnderWay> asked_;
  std::vector<UnderWay> back_; ///< answered or missed
  std::deque<ByteService::Value> kept_;
  std::size_t kept_bytes_ = 0;
  Mean service_time_;
  bool wanted_ = true; ///< a connection: at the beginning, and when a read could have been asked for
  bool stopping_ = false;
  bool has_ended_ = false;
  std::condition_variable ended_;
  std::thread thread_;
};

} // namespace rivulet
