// SPDX-License-Identifier: BSD-3-Clause
#include "Trace.h"

#include <nlohmann/json.hpp>

#include <array>
#include <atomic>
#include <cstdio>
#include <new>

namespace rivulet::insitu
{

namespace
{

constexpr std::size_t kMostEvents = 100'000; // of one thread: 5 MB

struct Words
{
  const char* name;
  const char* category;
  const char* argument;
};

constexpr std::array<Words, static_cast<std::size_t>(Activity::Count_)> kWords{ {
    { "parallel", "simulation", nullptr },
    { "sequential", "simulation", nullptr },
    { "copy", "simulation", "bytes" },
    { "wait", "simulation", nullptr },
    { "execute", "analytics", "step" },
    { "parallel", "analytics", "elements" },
    { "worker", "simulation", nullptr },
    { "worker", "analytics", nullptr },
} };

std::atomic<std::uint64_t> traces{ 0 };

double microseconds(Trace::Clock::duration time)
{
  return std::chrono::duration<double, std::micro>(time).count();
}

std::string quoted(const std::string& text)
{
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

Trace::Trace(bool on)
  : on_(on)
  , id_(++traces)
{
}

Trace::Row& Trace::row()
{
  thread_local std::uint64_t owner = 0;
  thread_local Row* mine = nullptr;
  if (owner != id_)
  {
    auto fresh = std::make_unique<Row>();
    const std::lock_guard lock(mutex_);
    fresh->name = "worker " + std::to_string(rows_.size());
    rows_.push_back(std::move(fresh));
    mine = rows_.back().get();
    owner = id_;
  }
  return *mine;
}

void Trace::add(Activity activity, Clock::time_point begin, std::int64_t argument, const char* label) noexcept
{
  if (!on_)
  {
    return;
  }
  try
  {
    Row& into = row();
    const std::lock_guard lock(into.mutex);
    ++into.lost;
    if (into.events.size() < kMostEvents)
    {
      into.events.push_back({ activity, begin, Clock::now(), argument, label });
      --into.lost;
    }
  }
  catch (const std::bad_alloc&) // a thread without a row, or one more lost
  {
  }
}

void Trace::name_this_thread(const std::string& name)
{
  if (on_)
  {
    Row& mine = row();
    const std::lock_guard lock(mine.mutex);
    mine.name = name;
  }
}

std::string Trace::events(int rank) const
{
  const std::string process = "\"pid\":" + std::to_string(rank);
  std::string text = "{\"ph\":\"M\",\"name\":\"process_name\"," + process + ",\"args\":{\"name\":\"rank " +
                     std::to_string(rank) + "\"}}";
  const std::lock_guard lock(mutex_);
  for (std::size_t number = 0; number < rows_.size(); ++number)
  {
    const Row& row = *rows_[number];
    const std::lock_guard row_lock(row.mutex);
    const std::string place = process + ",\"tid\":" + std::to_string(number);
    const std::string lost = row.lost == 0 ? "" : " (" + std::to_string(row.lost) + " later activities are not kept)";
    text +=
        ",\n{\"ph\":\"M\",\"name\":\"thread_name\"," + place + ",\"args\":{\"name\":" + quoted(row.name + lost) + "}}";
    for (const Event& event : row.events)
    {
      const Words& words = kWords[static_cast<std::size_t>(event.activity)];
      std::array<char, 96> times{};
      std::snprintf(times.data(), times.size(), ",\"ts\":%.3f,\"dur\":%.3f", microseconds(event.begin - start_),
          microseconds(event.end - event.begin));
      text += ",\n{\"ph\":\"X\",\"name\":" + quoted(event.label != nullptr ? event.label : words.name) + ",\"cat\":\"" +
              words.category + "\"," + place + times.data();
      text += words.argument == nullptr
                  ? "}"
                  : ",\"args\":{\"" + std::string(words.argument) + "\":" + std::to_string(event.argument) + "}}";
    }
  }
  return text;
}

} // namespace rivulet::insitu
