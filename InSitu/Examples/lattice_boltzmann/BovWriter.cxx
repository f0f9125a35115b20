// SPDX-License-Identifier: BSD-3-Clause
#include "BovWriter.h"

#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <vector>

namespace lattice_boltzmann
{

namespace
{

// Name of the raw file for the header: %% for %, and quotes around names with blanks.
std::string data_file(const std::string& name)
{
  std::string text;
  for (const char c : std::filesystem::path(name).filename().string() + ".raw")
  {
    text += c == '%' ? "%%" : std::string(1, c);
  }
  const bool plain = text.find_first_of(" \t\r\v\f") == std::string::npos && !text.starts_with('#');
  return plain ? text : '"' + text + '"';
}

void write_header(std::ostream& out, const BovStep& step)
{
  const auto length = [&](std::size_t axis)
  {
    return step.spacing * std::max(1, step.size[axis] - 1);
  };
  const char* const endian = std::endian::native == std::endian::little ? "LITTLE" : "BIG";
  out << std::setprecision(17) << "TIME: " << step.time << "\n"
      << "DATA_FILE: " << data_file(step.name) << "\n"
      << "DATA_SIZE: " << step.size[0] << " " << step.size[1] << " " << step.size[2] << "\n"
      << "DATA_FORMAT: FLOAT\n"
      << "DATA_COMPONENTS: " << step.components << "\n"
      << "VARIABLE: " << step.variable << "\n"
      << "DATA_ENDIAN: " << endian << "\n"
      << "CENTERING: nodal\n"
      << "BRICK_ORIGIN: " << step.origin[0] << " " << step.origin[1] << " " << step.origin[2] << "\n"
      << "BRICK_SIZE: " << length(0) << " " << length(1) << " " << length(2) << "\n";
}

std::string trouble(const std::string& file)
{
  return file + ": cannot be written: " + std::strerror(errno);
}

} // namespace

std::string write_bov(const BovStep& step, const std::function<void(std::int32_t, std::span<float>)>& plane)
{
  const std::string raw = step.name + ".raw";
  std::ofstream values(raw, std::ios::binary | std::ios::trunc);
  std::vector<float> buffer(static_cast<std::size_t>(step.size[0]) * static_cast<std::size_t>(step.size[1]) *
                            static_cast<std::size_t>(step.components));
  for (std::int32_t z = 0; z < step.size[2] && values; ++z)
  {
    plane(z, buffer);
    values.write(reinterpret_cast<const char*>(buffer.data()), static_cast<std::streamsize>(buffer.size() * 4));
  }
  values.close();
  if (!values)
  {
    return trouble(raw);
  }
  std::ofstream header(step.name + ".bov", std::ios::trunc);
  write_header(header, step);
  header.close();
  return header ? std::string() : trouble(step.name + ".bov");
}

} // namespace lattice_boltzmann
