// SPDX-License-Identifier: BSD-3-Clause
// The recorder (RecordPath-inl.h) of end states: keeps nothing per step. Included once per target by the Kernel*.cxx
// files.
#if defined(RIVULET_RECORD_END_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_RECORD_END_INL_H
#undef RIVULET_RECORD_END_INL_H
#else
#define RIVULET_RECORD_END_INL_H
#endif

#include "Trace/Kernel/RecordPath-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

template <class W, class Mesh, bool kUnsteady>
class RecordEnd
{
public:
  static constexpr bool kStoresPoints = false;

  RecordEnd(const KernelCall&, const Mesh&) {}

  [[nodiscard]] bool make_room(std::size_t) { return true; }
  [[nodiscard]] bool wants_gradient() const { return false; }
  void take(std::size_t, const Particle&) {}
  void give(std::size_t, Particle&) const {}
  void arrived(const Arrivals<W, Mesh>&) {}
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
