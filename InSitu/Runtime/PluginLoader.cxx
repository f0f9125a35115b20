// SPDX-License-Identifier: BSD-3-Clause
#include "PluginLoader.h"

#include <algorithm>
#include <cerrno>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rivulet::insitu
{

namespace
{

constexpr const char* kSymbol = "rivulet_analytics_entry";

Result<void> check_owner(const std::string& path)
{
  struct stat about = {};
  if (::stat(path.c_str(), &about) != 0)
  {
    return fail(ErrorCode::CannotRead, "the plugin cannot be looked at", "check its rights", path, -1, errno);
  }
  if (about.st_uid != 0 && about.st_uid != ::geteuid())
  {
    return fail(ErrorCode::Unsupported,
        "belongs to user " + std::to_string(about.st_uid) + ", who could change the plugin",
        R"(use a copy of your own or of root's, or set "check_plugins": false if you trust that user)", path);
  }
  if ((about.st_mode & (S_IWGRP | S_IWOTH)) != 0)
  {
    return fail(ErrorCode::Unsupported, "others may write to it, and so change the plugin",
        "take the right away: chmod go-w \"" + path + "\"", path);
  }
  return {};
}

Result<const rivulet_analytics*> functions_in(void* library, const std::string& path)
{
  const auto entry = reinterpret_cast<rivulet_analytics_entry_function>(::dlsym(library, kSymbol));
  if (entry == nullptr)
  {
    return fail(ErrorCode::NotThisFormat, "the plugin has no symbol rivulet_analytics_entry",
        "export it: RIVULET_ANALYTICS_EXPORT, see rivulet_analytics.h", path);
  }
  const rivulet_analytics* const functions = entry();
  if (functions == nullptr)
  {
    return fail(
        ErrorCode::NotThisFormat, "rivulet_analytics_entry of the plugin returns null", "correct the plugin", path);
  }
  if (functions->abi != RIVULET_ANALYTICS_ABI)
  {
    return fail(ErrorCode::OtherVersion,
        "the plugin is made for version " + std::to_string(functions->abi) + " of the interface, this runtime has " +
            std::to_string(RIVULET_ANALYTICS_ABI),
        "compile the plugin with this runtime's rivulet_analytics.h", path);
  }
  if (functions->create == nullptr || functions->execute == nullptr || functions->destroy == nullptr)
  {
    return fail(ErrorCode::NotThisFormat, "the plugin lacks create, execute or destroy", "correct the plugin", path);
  }
  return functions;
}

} // namespace

std::string own_folder()
{
  Dl_info library{};
  if (::dladdr(reinterpret_cast<const void*>(&own_folder), &library) == 0 || library.dli_fname == nullptr)
  {
    return {};
  }
  const std::string path = library.dli_fname;
  const auto slash = path.rfind('/');
  return (slash == std::string::npos ? std::string(".") : path.substr(0, slash)) + "/analytics";
}

Result<const rivulet_analytics*> load_plugin(
    const std::vector<std::string>& folders, const std::string& name, bool checks_owners)
{
  const auto folder = std::find_if(folders.begin(), folders.end(),
      [&name](const std::string& each) { return ::access((each + "/" + name + ".so").c_str(), F_OK) == 0; });
  if (folder == folders.end())
  {
    std::string list;
    for (const std::string& each : folders)
    {
      list += (list.empty() ? "" : ", ") + each;
    }
    return fail(ErrorCode::NotFound,
        "there is no plugin " + name + ".so in " +
            (list.empty() ? "the plugin folders, of which there are none" : list),
        R"(add its folder to "plugins" of the configuration)");
  }
  const std::string path = *folder + "/" + name + ".so";
  // The runtime's own folder is not checked: the runtime itself was loaded from beside it, with any owner.
  const bool checks = checks_owners && *folder != own_folder();
  for (const std::string& each : { *folder, path })
  {
    if (Result<void> checked = checks ? check_owner(each) : Result<void>(); !checked)
    {
      return forward_error(checked);
    }
  }
  // The file may be a link relative to a working folder; a path with a slash is never looked for elsewhere.
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
  {
    const char* const why = ::dlerror();
    return fail(ErrorCode::CannotRead, "the plugin cannot be loaded: " + std::string(why == nullptr ? "" : why),
        "check the libraries that it needs with ldd", path);
  }
  return functions_in(library, path);
}

} // namespace rivulet::insitu
