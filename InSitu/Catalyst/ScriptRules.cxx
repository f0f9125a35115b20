// SPDX-License-Identifier: BSD-3-Clause
#include "vtkPython.h" // before all others, as Python wants

#include "Catalyst/ScriptRules.h"
#include "vtkPythonInterpreter.h"
#include "vtkSmartPyObject.h"

#include <array>
#include <cstdio>
#include <filesystem>

namespace rivulet::insitu
{

namespace
{

/// The bytes of a text, so that Python reads any path.
std::string in_hexadecimal(const std::string& text)
{
  std::string digits;
  for (const char letter : text)
  {
    std::array<char, 3> two{};
    (void)std::snprintf(two.data(), two.size(), "%02x", static_cast<unsigned>(static_cast<unsigned char>(letter)));
    digits += two.data();
  }
  return digits;
}

/// ParaView calls these functions by their names.
constexpr const char* kRules = R"(
def rivulet_rules(output):
    import functools
    import os
    from paraview.catalyst import v2_internals

    def without_exit(function):
        @functools.wraps(function)
        def call(*arguments):
            try:
                return function(*arguments)
            except SystemExit as end:
                raise RuntimeError(f"the script calls sys.exit({end.code}): return instead") from None
        return call

    def check_channels():
        from paraview import simple
        from paraview.modules.vtkPVPythonCatalyst import vtkCPPythonScriptV2Helper
        data = vtkCPPythonScriptV2Helper.GetActiveInstance().GetDataDescription()
        if not data:
            return
        channels = [data.GetInputDescriptionName(i) for i in range(data.GetNumberOfInputDescriptions())]
        for (name, _), source in simple.GetSources().items():
            if "TrivialProducer" in source.GetXMLName() and name not in channels:
                raise RuntimeError(f"the script asks for \"{name}\", which the simulation does not publish; it publishes "
                                   + (", ".join(f"\"{each}\"" for each in channels) or "nothing"))

    def below_output(function):
        @functools.wraps(function)
        def call(name):
            v2_internals.rivulet_not_begun += 1
            module = function(name)
            check_channels()
            v2_internals.rivulet_not_begun -= 1
            options = module.options
            options.ExtractsOutputDirectory = os.path.join(output, options.ExtractsOutputDirectory)
            return module
        return call

    def of_simulation(proxy):
        while proxy and "TrivialProducer" not in proxy.GetXMLName():
            input = proxy.GetProperty("Input")
            proxy = input.GetProxy(0) if input and input.GetNumberOfProxies() > 0 else None
        return bool(proxy)

    def without_past(function, name, other):
        @functools.wraps(function)
        def call(*arguments, **properties):
            from paraview import simple
            made = function(*arguments, **properties)
            if of_simulation(made.SMProxy):
                simple.Delete(made)
                raise RuntimeError(f"ParaView's {name} asks its input for several steps, and a simulation has one: it would end the "
                                   f"process. Use {other}, or read the steps that the analytics store writes")
            return made
        return call

    def guard_particles():
        from paraview import simple
        for name, other in (("ParticlePath", "RivuletPathTracer"), ("ParticleTracer", "RivuletPathTracer"),
                            ("StreakLine", "RivuletStreakLine")):
            if hasattr(simple, name):
                setattr(simple, name, without_past(getattr(simple, name), name, other))

    guard_particles()
    v2_internals.rivulet_not_begun = 0
    for name in ("import_and_validate", "do_request_data_description", "do_catalyst_initialize", "do_catalyst_execute",
                 "do_catalyst_results", "do_catalyst_finalize"):
        if hasattr(v2_internals, name):
            setattr(v2_internals, name, without_exit(getattr(v2_internals, name)))
    v2_internals.import_and_validate = below_output(v2_internals.import_and_validate)
)";

} // namespace

void rule_scripts(const std::string& output)
{
  const std::string folder = in_hexadecimal(std::filesystem::absolute(output).lexically_normal().string());
  vtkPythonInterpreter::RunSimpleString(
      (std::string(kRules) + "\nimport os\nrivulet_rules(os.fsdecode(bytes.fromhex('" + folder +
          "')))\ndel os, rivulet_rules\n")
          .c_str());
}

bool all_scripts_have_begun()
{
  const vtkPythonScopeGilEnsurer lock;
  const vtkSmartPyObject internals(PyImport_ImportModule("paraview.catalyst.v2_internals"));
  const vtkSmartPyObject count(internals ? PyObject_GetAttrString(internals, "rivulet_not_begun") : nullptr);
  const bool none = count && PyObject_IsTrue(count) == 0;
  PyErr_Clear();
  return none;
}

} // namespace rivulet::insitu
