// SPDX-License-Identifier: BSD-3-Clause
#include "Catalyst/VtkThread.h"

#include "vtkGarbageCollector.h"

#include <thread>

namespace rivulet::insitu
{

namespace
{

using Function = void (*)();

// VTK has no public function to name another thread: the collector records the thread that initialises it. Access is
// not checked where a template is instantiated explicitly ([temp.spec.general]), so that these can be called
// nevertheless.
Function initialize_collector();
Function finalize_collector();

template <Function Initialize, Function Finalize>
struct Collector
{
  friend Function initialize_collector() { return Initialize; }
  friend Function finalize_collector() { return Finalize; }
};
template struct Collector<&vtkGarbageCollector::ClassInitialize, &vtkGarbageCollector::ClassFinalize>;

// The thread that loads this library, and VTK with it. In a program that uses VTK itself its main thread has loaded
// both.
std::thread::id main_thread = std::this_thread::get_id(); // NOLINT(*-avoid-non-const-global-variables)

} // namespace

void use_vtk_on_this_thread()
{
  if (main_thread != std::this_thread::get_id())
  {
    finalize_collector()();
    initialize_collector()();
    main_thread = std::this_thread::get_id();
  }
}

} // namespace rivulet::insitu
