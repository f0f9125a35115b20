// SPDX-License-Identifier: BSD-3-Clause
#include "Catalyst/ScriptRules.h"

#include "vtkPythonInterpreter.h"

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

    def below_output(function):
        @functools.wraps(function)
        def call(name):
            module = function(name)
            options = module.options
            options.ExtractsOutputDirectory = os.path.join(output, options.ExtractsOutputDirectory)
            return module
        return call

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

} // namespace rivulet::insitu
