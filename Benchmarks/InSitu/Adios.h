// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The few functions of ADIOS2's C interface that a stream of steps needs, from a library that is named at run time: so
/// this benchmark is built without it.
///
///     Adios adios("/opt/adios2/libadios2_c.so");
///     Adios::Stream stream(adios, "run-0", true, 20'000);      // opens; waits for the other side
///     stream.begin_step();
///     stream.put(step, particles);                             // writer
///     stream.get(step, memory);                                // reader: as particles_in() has it
///     stream.end_step();
///
/// Interface and values: adios2_c.h of ADIOS2 2.12. Engine SST, with one step that waits at most.
#pragma once

#include "Need.h"
#include "Particles.h"

#include <dlfcn.h>

namespace rivulet::bench
{

class Adios
{
public:
  explicit Adios(const std::string& library)
    : library_(dlopen(library.c_str(), RTLD_NOW))
  {
    need(library_ != nullptr, library + " cannot be loaded");
    adios_ = call<void*>("adios2_init_serial");
  }
  Adios(const Adios&) = delete;
  Adios& operator=(const Adios&) = delete;
  ~Adios() { call<int>("adios2_finalize", adios_); }

  class Stream;

private:
  template <class Return, class... Arguments>
  Return call(const char* name, Arguments... arguments) const
  {
    auto* const function = reinterpret_cast<Return (*)(Arguments...)>(dlsym(library_, name));
    need(function != nullptr, std::string(name) + " is no function of ADIOS2");
    return function(arguments...);
  }
  template <class... Arguments>
  void done(const char* name, Arguments... arguments) const
  {
    need(call<int>(name, arguments...) == 0, std::string(name) + " has failed");
  }

  void* library_;
  void* adios_;
};

class Adios::Stream
{
public:
  Stream(const Adios& adios, const std::string& name, bool writes, std::int64_t particles)
    : adios_(adios)
    , writes_(writes)
    , particles_(particles)
    , io_(adios.call<void*>("adios2_declare_io", adios.adios_, name.c_str()))
  {
    adios_.done("adios2_set_engine", io_, "SST");
    if (writes_)
    {
      adios_.done("adios2_set_parameter", io_, "QueueLimit", "1");
      adios_.done("adios2_set_parameter", io_, "QueueFullPolicy", "Block");
      define("step", kInt64, 0);
      std::size_t number = 0;
      for (const auto& piece : pieces_of(particles_in(nullptr, particles_)))
      {
        define("piece" + std::to_string(number++), kUint8, piece.second);
      }
    }
    engine_ = adios_.call<void*>("adios2_open", io_, name.c_str(), writes_ ? kWrite : kRead);
    need(engine_ != nullptr, name + " cannot be opened");
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { adios_.call<int>("adios2_close", engine_); }

  /// False: the stream has ended.
  [[nodiscard]] bool begin_step()
  {
    int status = 0;
    adios_.done("adios2_begin_step", engine_, writes_ ? kAppend : kReadStep, -1.0F, &status);
    return status == 0;
  }

  void put(const std::int64_t& step, const rivulet_particles& particles)
  {
    adios_.done("adios2_put_by_name", engine_, "step", static_cast<const void*>(&step), kSync);
    std::size_t number = 0;
    for (const auto& piece : pieces_of(particles))
    {
      adios_.done("adios2_put_by_name", engine_, ("piece" + std::to_string(number++)).c_str(), piece.first, kSync);
    }
  }

  void get(std::int64_t& step, std::byte* to)
  {
    adios_.done("adios2_get_by_name", engine_, "step", static_cast<void*>(&step), kSync);
    std::size_t number = 0;
    for (const auto& piece : pieces_of(particles_in(to, particles_)))
    {
      adios_.done("adios2_get_by_name", engine_, ("piece" + std::to_string(number++)).c_str(),
          const_cast<void*>(piece.first), kSync);
    }
  }

  void end_step() { adios_.done("adios2_end_step", engine_); }

private:
  static constexpr int kWrite = 1;
  static constexpr int kRead = 2;
  static constexpr int kSync = 5;
  static constexpr int kAppend = 0;
  static constexpr int kReadStep = 2;
  static constexpr int kInt64 = 8;
  static constexpr int kUint8 = 9;

  /// A value, or a vector of so many values.
  void define(const std::string& name, int type, std::size_t size)
  {
    const std::size_t zero = 0;
    const std::size_t dimensions = size == 0 ? 0 : 1;
    const void* const variable = adios_.call<void*>("adios2_define_variable", io_, name.c_str(), type, dimensions,
        size == 0 ? nullptr : &size, size == 0 ? nullptr : &zero, size == 0 ? nullptr : &size, 1);
    need(variable != nullptr, name + " cannot be defined");
  }

  const Adios& adios_;
  bool writes_;
  std::int64_t particles_;
  void* io_;
  void* engine_ = nullptr;
};

} // namespace rivulet::bench
