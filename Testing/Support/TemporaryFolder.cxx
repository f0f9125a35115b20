// SPDX-License-Identifier: BSD-3-Clause
#include "Support/TemporaryFolder.h"

#include <cstdlib>
#include <stdexcept>

namespace rivulet::test
{

TemporaryFolder::TemporaryFolder()
{
  std::string name = (std::filesystem::temp_directory_path() / "rivulet-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
  {
    throw std::runtime_error("cannot make a temporary folder " + name);
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder()
{
  std::error_code ignored;
  std::filesystem::permissions(path_, std::filesystem::perms::owner_all, std::filesystem::perm_options::add, ignored);
  std::filesystem::remove_all(path_, ignored);
}

} // namespace rivulet::test
