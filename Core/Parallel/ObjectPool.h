// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Objects with memory of their own that threads use one at a time and keep for the next user. There are as many as
/// were ever in use at once.
///
///     ObjectPool<TaskReader> readers;
///     ObjectPool<TaskReader>::Lent reader(readers); // given back at the end of the scope
///     reader->read(...);
///
/// Any thread. All lent objects must be back before this object is destroyed.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace rivulet
{

template <class T>
class ObjectPool
{
public:
  /// Throws std::bad_alloc.
  class Lent
  {
  public:
    explicit Lent(ObjectPool& from)
      : from_(from)
      , one_(from.take())
    {
    }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    ~Lent() { from_.give_back(std::move(one_)); }

    T& operator*() const { return *one_; }
    T* operator->() const { return one_.get(); }

  private:
    ObjectPool& from_;
    std::unique_ptr<T> one_;
  };

  /// Objects that are not lent. Valid while no thread takes one.
  [[nodiscard]] const std::vector<std::unique_ptr<T>>& idle() const { return idle_; }

private:
  [[nodiscard]] std::unique_ptr<T> take()
  {
    const std::lock_guard lock(mutex_);
    idle_.reserve(idle_.size() + lent_ + 1); // giving back needs no memory
    std::unique_ptr<T> one;
    if (idle_.empty())
    {
      one = std::make_unique<T>();
    }
    else
    {
      one = std::move(idle_.back());
      idle_.pop_back();
    }
    ++lent_;
    return one;
  }

  void give_back(std::unique_ptr<T> one)
  {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(one));
    --lent_;
  }

  std::mutex mutex_; ///< guards the members below
  std::vector<std::unique_ptr<T>> idle_;
  std::size_t lent_ = 0;
};

} // namespace rivulet
