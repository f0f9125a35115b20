// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Result.h"

#include <cctype>
#include <cstring>

namespace rivulet
{

std::string Error::describe() const
{
  std::string text = path.empty() ? what : path + ": " + what;
  if (offset >= 0)
  {
    text += " (at byte " + std::to_string(offset) + ")";
  }
  if (sys_errno != 0)
  {
    text += std::string(": ") + std::strerror(sys_errno);
  }
  text += ".";
  if (!remedy.empty())
  {
    std::string advice = remedy;
    advice[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(advice[0])));
    text += " " + advice + ".";
  }
  return text;
}

} // namespace rivulet
