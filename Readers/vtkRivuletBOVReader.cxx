// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletBOVReader.h"

#include "vtkObjectFactory.h"

#include <cctype>
#include <fstream>
#include <sstream>

vtkStandardNewMacro(vtkRivuletBOVReader);

namespace
{

constexpr std::size_t LargestHeader = 64 * 1024;

// The keys at the beginnings of the header's lines, without comments, in capitals.
bool HasKey(const std::string& text, const std::string& key)
{
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
  {
    std::string first = line.substr(0, line.find(':'));
    first.erase(0, first.find_first_not_of(" \t"));
    first.erase(first.find_last_not_of(" \t") + 1);
    for (char& letter : first)
    {
      letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    }
    if (first == key && line.find(':') != std::string::npos)
    {
      return true;
    }
  }
  return false;
}

} // namespace

int vtkRivuletBOVReader::CanReadFile(const char* name)
{
  std::ifstream file(name != nullptr ? name : "", std::ios::binary);
  std::string text(LargestHeader, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const bool format = HasKey(text, "DATA_FORMAT") || HasKey(text, "DATA FORMAT");
  return HasKey(text, "DATA_FILE") && HasKey(text, "DATA_SIZE") && format ? 1 : 0;
}
