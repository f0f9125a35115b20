// SPDX-License-Identifier: BSD-3-Clause
// Feeds every file of a folder to a fuzz target, for builds without a fuzzer: what once went wrong must not again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv)
{
  std::vector<std::filesystem::path> paths;
  for (int i = 1; i < argc; ++i)
  {
    for (const auto& entry : std::filesystem::directory_iterator(argv[i]))
    {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path& path : paths)
  {
    std::fprintf(stderr, "%s\n", path.filename().c_str()); // the last one is the culprit
    std::ifstream file(path, std::ios::binary);
    // Exactly as long as the input, so that the address sanitizer sees what reads beyond it.
    const std::vector<char> bytes{ std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>() };
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%zu inputs\n", paths.size());
  return paths.empty() ? 1 : 0;
}
