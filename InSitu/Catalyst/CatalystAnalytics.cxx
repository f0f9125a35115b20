// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Analytics "catalyst": runs ParaView's Python scripts (Catalyst V2) on published data. Each set of particles, each
/// field and each mesh is a channel with its name:
///
///     "options": { "scripts": ["film.py"] }
///
///     # film.py
///     from paraview.simple import *
///     flow = TrivialProducer(registrationName="flow")
///
/// Datasets that a code with an adaptor for legacy Catalyst hands over (rivulet_legacy_catalyst.h) are channels, too.
///
/// Options: "scripts", a list of files; "renders" (true), whether they need a display.
///
/// ParaView is initialised, run and finalised on the thread that calls analytics, with a communicator of its own: it
/// must not be used from two threads, and its collective calls must not meet the simulation's.
#include "Catalyst/CurrentContext.h"
#include "Catalyst/Display.h"
#include "Catalyst/FieldData.h"
#include "Catalyst/MeshData.h"
#include "Catalyst/ParticleData.h"
#include "Catalyst/PythonOfThread.h"
#include "Catalyst/rivulet_legacy_catalyst.h"
#include "Catalyst/ScriptOptions.h"
#include "Catalyst/ScriptRules.h"
#include "Catalyst/SharedPython.h"
#include "Catalyst/VtkThread.h"
#include "rivulet_analytics.h"
#include "vtkCPDataDescription.h"
#include "vtkCPInputDataDescription.h"
#include "vtkCPProcessor.h"
#include "vtkCPPythonPipeline.h"
#include "vtkMPI.h"
#include "vtkNew.h"

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace rivulet::insitu
{

namespace
{

/// A use of VTK on the calling thread, which for tasks is another one each time.
class UseOfVtk
{
public:
  UseOfVtk() { use_vtk_on_this_thread(); }

private:
  PythonOfThread python_;
  KeptContext context_;
};

/// Collective. Throws on all ranks if one has a reason, since ParaView communicates while it begins.
void throw_together(MPI_Comm comm, const std::string& reason)
{
  int failed = reason.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm);
  if (failed != 0)
  {
    throw std::runtime_error(
        reason.empty() ? "ParaView cannot be used on another rank; look for that rank's message" : reason);
  }
}

/// The options of this rank, and whether it can draw. Collective, and throws as above.
ScriptOptions options_of_all(const rivulet_analytics_host& host)
{
  ScriptOptions options;
  std::string reason;
  try
  {
    options = script_options_of(host.options);
    reason = options.renders ? why_no_display() : std::string();
  }
  catch (const std::exception& error)
  {
    reason = error.what();
  }
  throw_together(host.comm, reason);
  return options;
}

/// A number for the names of the fields and meshes, in their order.
std::int64_t number_of_names(const rivulet_snapshot& snapshot)
{
  std::string names;
  for (std::int32_t i = 0; i < snapshot.fields; ++i)
  {
    names += std::string(snapshot.field[i].name) + '\n';
  }
  for (std::int32_t i = 0; i < snapshot.meshes; ++i)
  {
    names += std::string(snapshot.mesh[i].name) + '\n';
  }
  return static_cast<std::int64_t>(std::hash<std::string>()(names) >> 1U);
}

bool ended = false; ///< ParaView, which does not begin again in a process

class Catalyst
{
public:
  explicit Catalyst(const rivulet_analytics_host& host)
    : comm_(host.comm)
  {
    const ScriptOptions options = options_of_all(host);
    share_python();
    const UseOfVtk use;
    vtkMPICommunicatorOpaqueComm comm(&comm_);
    // Without a working folder, which would become that of the whole process in each step.
    std::string reason = processor_->Initialize(comm, nullptr) == 0 ? "ParaView cannot be initialised" : "";
    for (const std::string& script : options.scripts)
    {
      if (!reason.empty())
      {
        break;
      }
      const vtkSmartPointer<vtkCPPythonPipeline> pipeline =
          vtkCPPythonPipeline::CreateAndInitializePipeline(std::filesystem::absolute(script).c_str(), 2);
      if (pipeline == nullptr || processor_->AddPipeline(pipeline) == 0)
      {
        reason = "the script " + script + " fails; its message is above";
      }
    }
    rule_scripts(host.output);
    try
    {
      throw_together(comm_, reason);
    }
    catch (...)
    {
      end();
      throw;
    }
  }
  Catalyst(const Catalyst&) = delete;
  Catalyst& operator=(const Catalyst&) = delete;
  ~Catalyst()
  {
    const UseOfVtk use;
    end();
  }

  void execute(const rivulet_snapshot& snapshot)
  {
    const UseOfVtk use;
    check_fields(snapshot);
    vtkNew<vtkCPDataDescription> description;
    description->SetTimeData(snapshot.time, snapshot.step);
    for (std::int32_t i = 0; i < snapshot.particle_sets; ++i)
    {
      description->AddInput(snapshot.particles[i].name);
    }
    for (std::int32_t i = 0; i < snapshot.fields; ++i)
    {
      description->AddInput(snapshot.field[i].name);
    }
    for (std::int32_t i = 0; i < snapshot.meshes; ++i)
    {
      description->AddInput(snapshot.mesh[i].name);
    }
    for (std::int32_t i = 0; i < snapshot.objects; ++i)
    {
      description->AddInput(snapshot.object[i].name);
    }
    if (processor_->RequestDataDescription(description) == 0)
    {
      check_scripts();
      return;
    }
    give_particles(snapshot, *description);
    give_fields(snapshot, *description);
    give_meshes(snapshot, *description);
    give_objects(snapshot, *description);
    const int done = processor_->CoProcess(description);
    description->ResetAll(); // the values are the simulation's again
    if (done == 0)
    {
      throw std::runtime_error("a script fails; its message is above");
    }
    check_scripts();
  }

private:
  void end()
  {
    ended = true;
    let_python_end_here();
    for (int i = 0; i < processor_->GetNumberOfPipelines(); ++i)
    {
      processor_->GetPipeline(i)->Finalize(); // may write, for which it needs the processor
    }
    processor_->RemoveAllPipelines();
    processor_->Finalize();
    processor_.Reset(); // ends Python, which wants this thread
  }

  static void check_scripts()
  {
    if (!all_scripts_have_begun())
    {
      throw std::runtime_error("a script fails where it begins, with the message above, and is left out from then on");
    }
  }

  /// Fields are put together over all ranks, one after the other.
  void check_fields(const rivulet_snapshot& snapshot) const
  {
    const std::int64_t number = number_of_names(snapshot);
    std::array<std::int64_t, 2> most{ number, -number };
    MPI_Allreduce(MPI_IN_PLACE, most.data(), 2, MPI_INT64_T, MPI_MAX, comm_);
    if (most[0] != number || most[1] != -number)
    {
      throw std::runtime_error("ranks publish other fields, or in another order; publish all on all ranks, those "
                               "without blocks too");
    }
  }

  static vtkCPInputDataDescription* wanted(vtkCPDataDescription& description, const char* name)
  {
    vtkCPInputDataDescription* input = description.GetInputDescriptionByName(name);
    return input != nullptr && input->GetIfGridIsNecessary() ? input : nullptr;
  }

  static void give_particles(const rivulet_snapshot& snapshot, vtkCPDataDescription& description)
  {
    for (std::int32_t i = 0; i < snapshot.particle_sets; ++i)
    {
      if (vtkCPInputDataDescription* input = wanted(description, snapshot.particles[i].name); input != nullptr)
      {
        input->SetGrid(particle_data(snapshot.particles[i]));
      }
    }
  }

  void give_fields(const rivulet_snapshot& snapshot, vtkCPDataDescription& description) const
  {
    for (std::int32_t i = 0; i < snapshot.fields; ++i)
    {
      vtkCPInputDataDescription* input = wanted(description, snapshot.field[i].name);
      if (input == nullptr)
      {
        continue;
      }
      FieldData field = field_data(snapshot.field[i], comm_);
      if (!field.error.empty())
      {
        throw std::runtime_error(field.error);
      }
      input->SetGrid(field.data);
      input->SetWholeExtent(field.whole.data());
    }
  }

  static void give_meshes(const rivulet_snapshot& snapshot, vtkCPDataDescription& description)
  {
    for (std::int32_t i = 0; i < snapshot.meshes; ++i)
    {
      if (vtkCPInputDataDescription* input = wanted(description, snapshot.mesh[i].name); input != nullptr)
      {
        input->SetGrid(mesh_data(snapshot.mesh[i]));
      }
    }
  }

  /// Objects of other types are for other analytics, and their channels stay empty.
  static void give_objects(const rivulet_snapshot& snapshot, vtkCPDataDescription& description)
  {
    for (std::int32_t i = 0; i < snapshot.objects; ++i)
    {
      const VtkInput* given = VtkInput::from(snapshot.object[i]);
      vtkCPInputDataDescription* input = wanted(description, snapshot.object[i].name);
      if (given != nullptr && input != nullptr)
      {
        input->SetGrid(given->grid);
        std::array<int, 6> whole = given->whole;
        input->SetWholeExtent(whole.data());
      }
    }
  }

  MPI_Comm comm_;
  vtkNew<vtkCPProcessor> processor_;
};

const rivulet_analytics_host* host = nullptr; ///< ParaView exists once in a process

/// The result of `work`: 0, or 1 after a message.
template <class Work>
int reported(const Work& work)
{
  try
  {
    work();
    return 0;
  }
  catch (const std::exception& error)
  {
    host->message(host->runtime, RIVULET_ERROR, error.what());
    return 1;
  }
}

/// Why ParaView cannot be used in this process; empty: it can. The same on all ranks, because it depends on the program
/// and on earlier sessions.
std::string why_no_paraview()
{
  if (ended)
  {
    return "ParaView has ended with an earlier session of this process, and cannot begin again: keep one session open, "
           "or use \"store\" or \"streamlines\"";
  }
  if (python_runs())
  {
    return "the simulation is a program in Python, whose interpreter ParaView's scripts would share and end: use "
           "\"store\" or \"streamlines\", and run the scripts on the store";
  }
  return {};
}

int create(const rivulet_analytics_host* given, void** self)
{
  if (host != nullptr)
  {
    given->message(given->runtime, RIVULET_ERROR,
        "ParaView can be used once in a process; list all scripts in the \"scripts\" of one analytics");
    return 1;
  }
  host = given;
  if (const std::string reason = why_no_paraview(); !reason.empty())
  {
    given->message(given->runtime, RIVULET_ERROR, reason.c_str());
    host = nullptr;
    return 1;
  }
  const int failed = reported([&] { *self = std::make_unique<Catalyst>(*given).release(); });
  host = failed != 0 ? nullptr : host;
  return failed;
}

int execute(void* self, const rivulet_snapshot* snapshot)
{
  return reported([&] { static_cast<Catalyst*>(self)->execute(*snapshot); });
}

void destroy(void* self)
{
  delete static_cast<Catalyst*>(self);
  host = nullptr;
}

const rivulet_analytics kAnalytics = { RIVULET_ANALYTICS_ABI, 1, create, execute, destroy };

} // namespace

} // namespace rivulet::insitu

RIVULET_ANALYTICS_EXPORT const rivulet_analytics* rivulet_analytics_entry(void)
{
  return &rivulet::insitu::kAnalytics;
}
