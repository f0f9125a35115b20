// SPDX-License-Identifier: BSD-3-Clause
#include "Command/VtkFiles.h"

#include "Io/Files/File.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <unistd.h>

namespace rivulet::command
{

Result<std::string> head_of(const std::string& path)
{
  constexpr std::int64_t kHead = 4096;
  const Result<File> file = File::open(path, File::Mode::Read);
  if (!file)
  {
    return tl::unexpected(file.error());
  }
  std::string head(static_cast<std::size_t>(std::min(file->size().value_or(0), kHead)), '\0');
  const Result<void> read = file->pread_full(head.data(), static_cast<std::int64_t>(head.size()), 0);
  return read ? Result<std::string>(std::move(head)) : tl::unexpected(read.error());
}

bool is_vtk_file(const std::string& path)
{
  const std::string text = head_of(path).value_or("");
  const auto has = [&](const char* words)
  {
    return text.find(words) != std::string::npos;
  };
  return text.starts_with("# vtk DataFile") || has("<VTKFile") || has("\"file-series-version\"");
}

Result<Source> run_vtk_program(const SourceChoice& choice, char** argv)
{
  std::error_code none;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::string program = (self.parent_path() / RIVULET_WAY_TO_HELPERS / "rivulet-vtk").lexically_normal();
  ::execv(program.c_str(), argv);
  return fail(ErrorCode::Unsupported,
      "VTK's files are read by " + program + ", which comes with the ParaView plugin and cannot be run",
      "install or build the plugin; or open the file in ParaView and save it as .rvf (File > Save Data)",
      choice.paths.front(), -1, errno);
}

} // namespace rivulet::command
