// SPDX-License-Identifier: BSD-3-Clause
// The input describes a sound HDF5 file with datasets and attributes of any type and shape, which the library then
// writes: what is done with its answers is looked at, not how it reads damaged files.
#include "Hdf5/LibraryFile.h"
#include "Fuzz/Support.h"

#include <hdf5.h>

#include <array>
#include <filesystem>
#include <vector>

namespace
{

using namespace rivulet;
namespace fs = std::filesystem;

hid_t plain_type(fuzz::Input& input)
{
  static const std::array<hid_t, 10> kTypes{ H5T_STD_I8LE, H5T_STD_U8BE, H5T_STD_I16BE, H5T_STD_U32LE, H5T_STD_I64BE,
    H5T_STD_U64LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_NATIVE_LDOUBLE, H5T_STD_B16LE };
  const hid_t type = H5Tcopy(kTypes[static_cast<std::size_t>(input.below(10))]);
  if (input.below(4) == 3 && H5Tget_class(type) == H5T_INTEGER)
  {
    H5Tset_precision(type, 1 + static_cast<std::size_t>(input.below(8))); // refused where it is too many bits
  }
  return type;
}

hid_t text_type(fuzz::Input& input)
{
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 1 + static_cast<std::size_t>(input.take<std::uint16_t>()));
  H5Tset_strpad(type, static_cast<H5T_str_t>(input.below(3)));
  H5Tset_cset(type, input.below(2) == 0 ? H5T_CSET_ASCII : H5T_CSET_UTF8);
  return type;
}

hid_t array_type(fuzz::Input& input, hid_t of)
{
  std::array<hsize_t, 3> dims{};
  for (hsize_t& dim : dims)
  {
    dim = 1 + static_cast<hsize_t>(input.below(input.below(8) == 7 ? 200 : 4));
  }
  const hid_t type = H5Tarray_create2(of, static_cast<unsigned>(1 + input.below(3)), dims.data());
  H5Tclose(of);
  return type;
}

/// With a member "lower", mostly.
hid_t compound_type(fuzz::Input& input)
{
  const int kind = input.below(4);
  const hid_t member = kind == 0   ? plain_type(input)
                       : kind == 1 ? text_type(input)
                       : kind == 2 ? array_type(input, plain_type(input))
                                   : array_type(input, text_type(input));
  const std::size_t before = static_cast<std::size_t>(input.below(20));
  const hid_t type = H5Tcreate(H5T_COMPOUND, before + H5Tget_size(member) + static_cast<std::size_t>(input.below(9)));
  H5Tinsert(type, input.below(8) == 7 ? "other" : "lower", before, member);
  H5Tclose(member);
  return type;
}

hid_t any_type(fuzz::Input& input)
{
  switch (input.below(5))
  {
  case 0:
    return text_type(input);
  case 1:
    return compound_type(input);
  case 2:
    return array_type(input, plain_type(input));
  default:
    return plain_type(input);
  }
}

struct Shape
{
  hid_t space = -1;
  std::vector<hsize_t> dims;
  double count = 1; ///< of elements
};

Shape any_shape(fuzz::Input& input)
{
  Shape shape;
  if (input.below(16) == 15)
  {
    shape.space = H5Screate(H5S_NULL);
    shape.count = 0;
    return shape;
  }
  shape.dims.resize(static_cast<std::size_t>(input.below(4)));
  for (hsize_t& dim : shape.dims)
  {
    dim = input.below(8) == 7 ? input.take<std::uint32_t>() : static_cast<hsize_t>(input.below(6));
    shape.count *= static_cast<double>(dim);
  }
  shape.space = shape.dims.empty() ? H5Screate(H5S_SCALAR)
                                   : H5Screate_simple(static_cast<int>(shape.dims.size()), shape.dims.data(), nullptr);
  return shape;
}

/// HDF5 before 2.0 refuses larger attributes. Later ones write all their bytes: gigabytes, for some shapes.
bool fits_attribute(const Shape& shape, hid_t type)
{
  return shape.count * static_cast<double>(H5Tget_size(type)) <= 65536.0;
}

/// What is stored, if it is not too much: bytes of the input again and again.
std::vector<std::byte> values_for(fuzz::Input& input, double count, hid_t type)
{
  const double bytes = count * static_cast<double>(H5Tget_size(type));
  std::vector<std::byte> values(bytes <= 65536.0 ? static_cast<std::size_t>(bytes) : 0);
  for (std::byte& value : values)
  {
    value = input.ended() ? std::byte{ 0x41 } : input.take<std::byte>();
  }
  return values;
}

/// Texts of any length, as the library wants them.
std::vector<const char*> texts_for(const Shape& shape)
{
  static constexpr const char* kTexts[] = { "", "CARTESIAN", nullptr };
  std::vector<const char*> texts(shape.count <= 100.0 ? static_cast<std::size_t>(shape.count) : 0);
  for (std::size_t i = 0; i < texts.size(); ++i)
  {
    texts[i] = kTexts[i % 3];
  }
  return texts;
}

void put(fuzz::Input& input, hid_t file, const std::string& name)
{
  const Shape shape = any_shape(input);
  const bool of_any_length = input.below(8) == 7;
  const hid_t type = of_any_length ? H5Tcopy(H5T_C_S1) : any_type(input);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  if (of_any_length)
  {
    H5Tset_size(type, H5T_VARIABLE);
  }
  if (input.below(3) == 2 && !shape.dims.empty())
  {
    H5Pset_chunk(properties, static_cast<int>(shape.dims.size()), std::array<hsize_t, 4>{ 2, 2, 2, 2 }.data());
    H5Pset_deflate(properties, 1);
  }
  const hid_t dataset = H5Dcreate2(file, name.c_str(), type, shape.space, H5P_DEFAULT, properties, H5P_DEFAULT);
  const hid_t attribute = fits_attribute(shape, type)
                              ? H5Acreate2(file, name.c_str(), type, shape.space, H5P_DEFAULT, H5P_DEFAULT)
                              : H5I_INVALID_HID;
  const std::vector<std::byte> values = values_for(input, of_any_length ? 0 : shape.count, type);
  const std::vector<const char*> texts = texts_for(shape);
  const void* data = of_any_length ? static_cast<const void*>(texts.data()) : values.data();
  if ((of_any_length ? !texts.empty() : !values.empty()) && input.below(4) != 3)
  {
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Awrite(attribute, type, data);
  }
  H5Aclose(attribute);
  H5Dclose(dataset);
  H5Pclose(properties);
  H5Tclose(type);
  H5Sclose(shape.space);
}

void read_all(const hdf5::LibraryFile& file)
{
  (void)file.names("/");
  for (const std::string name : { "/a", "/b", "/c", "/missing", "/a/b" })
  {
    (void)file.has(name);
    const auto numbers = file.numbers(name);
    const auto integers = file.integers(name);
    fuzz::expect(numbers.has_value() == integers.has_value(), "numbers are not all integers");
    fuzz::expect(!numbers || numbers->size() == integers->size(), "there are more integers than numbers, or fewer");
    (void)file.texts(name);
    (void)file.member(name, "lower");
    (void)file.values(name, 4);
    if (file.has_attribute("/", name.substr(1)))
    {
      (void)file.attribute_numbers("/", name.substr(1));
      (void)file.attribute_texts("/", name.substr(1));
    }
  }
}

/// A file in memory where there is such a folder: the library wants a name that leads to it.
class ScratchFile
{
public:
  ScratchFile()
  {
    const bool in_memory = ::access("/dev/shm", W_OK) == 0;
    const fs::path folder = in_memory ? fs::path("/dev/shm") : fs::temp_directory_path();
    path_ = (folder / ("rivulet-fuzz-" + std::to_string(::getpid()) + ".h5")).string();
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { ::unlink(path_.c_str()); }

  [[nodiscard]] const std::string& path() const { return path_; }

private:
  std::string path_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  static const ScratchFile scratch;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // some of what is asked of it is refused
  fuzz::Input input(data, size);
  const hid_t file = H5Fcreate(scratch.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  fuzz::expect(file >= 0, "the library cannot write here");
  for (const char* name : { "a", "b", "c" })
  {
    put(input, file, name);
  }
  H5Fclose(file);
  const Result<hdf5::LibraryFile> opened = hdf5::LibraryFile::open(scratch.path());
  fuzz::expect(opened.has_value(), "what the library has written cannot be opened");
  read_all(*opened);
  return 0;
}
