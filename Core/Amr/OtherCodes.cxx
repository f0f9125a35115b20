// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/OtherCodes.h"

#include <algorithm>
#include <cctype>

namespace rivulet
{

namespace
{

/// Whether an object of the root has a name of these letters and digits behind them.
bool has_numbered(const hdf5::LibraryFile& file, const std::string& letters)
{
  const Result<std::vector<std::string>> names = file.names("/");
  return names && std::any_of(names->begin(), names->end(),
                      [&](const std::string& name)
                      {
                        return name.size() > letters.size() && name.starts_with(letters) &&
                               std::isdigit(static_cast<unsigned char>(name[letters.size()])) != 0;
                      });
}

} // namespace

std::optional<OtherCode> other_code(const hdf5::LibraryFile& file)
{
  if (has_numbered(file, "Grid"))
  {
    return OtherCode{ "Enzo", "open the .hierarchy file beside it with ParaView's Enzo reader and tick the arrays" };
  }
  if (file.has("unknown names") && file.has("bounding box"))
  {
    return OtherCode{ "FLASH", "open it with ParaView's FLASH reader and tick the arrays" };
  }
  if (file.has_attribute("/", "MeshBlockSize") && file.has_attribute("/", "NumMeshBlocks"))
  {
    return OtherCode{ "Athena++", "open the .xdmf file beside it with ParaView's Xdmf reader" };
  }
  if (file.has("cell_coords") && has_numbered(file, "Timestep_"))
  {
    return OtherCode{ "PLUTO", "open the .xmf file beside it with ParaView's Xdmf reader" };
  }
  return {};
}

} // namespace rivulet
