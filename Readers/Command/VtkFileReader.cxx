// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/Command/VtkFileReader.h"

#include "Base/Bytes.h"
#include "Command/VtkFiles.h"
#include "Io/Files/File.h"
#include "Pipeline/KeptArrays.h"
#include "Readers/Command/VtkMessages.h"
#include "Store/Memory/FreeMemory.h"
#include "vtkDataArraySelection.h"
#include "vtkDataReader.h"
#include "vtkDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkRectilinearGridReader.h"
#include "vtkSmartPointer.h"
#include "vtkStructuredGridReader.h"
#include "vtkStructuredPointsReader.h"
#include "vtkXMLDataElement.h"
#include "vtkXMLImageDataReader.h"
#include "vtkXMLPImageDataReader.h"
#include "vtkXMLPRectilinearGridReader.h"
#include "vtkXMLPStructuredGridReader.h"
#include "vtkXMLRectilinearGridReader.h"
#include "vtkXMLStructuredGridReader.h"
#include "vtkXMLUtilities.h"

#include <algorithm>
#include <filesystem>

namespace rivulet
{

namespace
{

// VTK keeps the last data read from each file of a parallel file. So a reader is used for so many bytes, and then
// replaced.
constexpr std::int64_t kMostGiven = 64 * kMiB;

tl::unexpected<Error> refused(const std::string& path, const std::string& kind)
{
  return fail(ErrorCode::Unsupported,
      "the file holds " + kind + ", and a field file holds an image, a rectilinear or a curvilinear grid",
      "open it in ParaView, apply Resample To Image, and save that as .rvf (File > Save Data)", path);
}

// Text that follows a word: the value of type="...", or the word behind DATASET.
std::string word_after(const std::string& text, const std::string& before, const char* ends)
{
  const std::size_t found = text.find(before);
  const std::size_t begin = found == std::string::npos ? text.size() : found + before.size();
  return text.substr(begin, std::min(text.find_first_of(ends, begin), text.size()) - begin);
}

Result<VtkFormat> xml_format_of(const std::string& path, const std::string& head)
{
  const std::string element = head.substr(std::min(head.find("<VTKFile"), head.size()));
  const std::string type = word_after(element, "type=\"", "\"");
  return type == "ImageData"          ? Result<VtkFormat>(VtkFormat::Image)
         : type == "RectilinearGrid"  ? Result<VtkFormat>(VtkFormat::Rectilinear)
         : type == "StructuredGrid"   ? Result<VtkFormat>(VtkFormat::Curvilinear)
         : type == "PImageData"       ? Result<VtkFormat>(VtkFormat::ParallelImage)
         : type == "PRectilinearGrid" ? Result<VtkFormat>(VtkFormat::ParallelRectilinear)
         : type == "PStructuredGrid"  ? Result<VtkFormat>(VtkFormat::ParallelCurvilinear)
         : type == "Collection"       ? Result<VtkFormat>(VtkFormat::Collection)
         : type.empty()               ? refused(path, "no dataset that it names")
                                      : refused(path, "a dataset of VTK's type " + type);
}

Result<VtkFormat> legacy_format_of(const std::string& path, std::string head)
{
  std::transform(head.begin(), head.end(), head.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
  const std::string type = word_after(head, "\nDATASET ", " \t\r\n");
  return type == "STRUCTURED_POINTS"  ? Result<VtkFormat>(VtkFormat::LegacyImage)
         : type == "RECTILINEAR_GRID" ? Result<VtkFormat>(VtkFormat::LegacyRectilinear)
         : type == "STRUCTURED_GRID"  ? Result<VtkFormat>(VtkFormat::LegacyCurvilinear)
         : type.empty()               ? refused(path, "no dataset that it names")
                                      : refused(path, "a dataset of VTK's type " + type);
}

class XmlFile final : public VtkFileReader
{
public:
  XmlFile(std::string path, VtkFormat format, bool ascii)
    : path_(std::move(path))
    , format_(format)
    , ascii_(ascii)
  {
    renew();
  }

  Result<vtkDataSet*> outline() override
  {
    reader_->UpdateInformation();
    if (reader_->GetNumberOfTimeSteps() > 1)
    {
      return fail(ErrorCode::Unsupported,
          "the file holds " + std::to_string(reader_->GetNumberOfTimeSteps()) + " time steps",
          "write each to a file; or open it in ParaView and save it as .rvf (File > Save Data, Write All Time Steps)",
          path_);
    }
    select({}, Centering::Node);
    reader_->Update();
    return result();
  }

  Result<vtkDataSet*> sample(const Extent& whole) override
  {
    Extent corner = whole;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      corner[2 * axis + 1] = std::min(whole[2 * axis + 1], whole[2 * axis] + 1);
    }
    selection(Centering::Node)->EnableAllArrays();
    selection(Centering::Cell)->EnableAllArrays();
    reader_->UpdateExtent(corner.data());
    return result();
  }

  Result<vtkDataSet*> fetch(const std::string& array, Centering centering, const Extent& extent) override
  {
    if (parallel() && given_ > kMostGiven)
    {
      renew();
    }
    reader_->UpdateInformation();
    if (selected_ != array)
    {
      select(array, centering);
    }
    reader_->UpdateExtent(extent.data());
    Result<vtkDataSet*> dataset = result();
    given_ += dataset ? static_cast<std::int64_t>((*dataset)->GetActualMemorySize()) * kKiB : 0;
    return dataset;
  }

  [[nodiscard]] std::vector<std::string> files() const override;
  [[nodiscard]] VtkHolds holds() const override { return ascii_ ? VtkHolds::Array : VtkHolds::Piece; }
  [[nodiscard]] bool has(const std::string& array, Centering centering) override
  {
    return selection(centering)->ArrayExists(array.c_str()) == 1;
  }

private:
  [[nodiscard]] bool parallel() const
  {
    return format_ == VtkFormat::ParallelImage || format_ == VtkFormat::ParallelRectilinear ||
           format_ == VtkFormat::ParallelCurvilinear;
  }
  void renew();
  vtkDataArraySelection* selection(Centering centering)
  {
    return centering == Centering::Node ? reader_->GetPointDataArraySelection() : reader_->GetCellDataArraySelection();
  }
  void select(const std::string& array, Centering centering)
  {
    selection(Centering::Node)->DisableAllArrays();
    selection(Centering::Cell)->DisableAllArrays();
    if (!array.empty())
    {
      selection(centering)->EnableArray(array.c_str());
    }
    selected_ = array;
  }
  Result<vtkDataSet*> result() { return checked(path_, *reader_, reader_->GetOutputAsDataSet(0)); }

  std::string path_;
  VtkFormat format_;
  bool ascii_;
  vtkSmartPointer<vtkXMLReader> reader_;
  std::string selected_;
  std::int64_t given_ = 0; ///< bytes since the reader was made
};

void XmlFile::renew()
{
  switch (format_)
  {
  case VtkFormat::Image:
    reader_ = vtkSmartPointer<vtkXMLImageDataReader>::New();
    break;
  case VtkFormat::ParallelImage:
    reader_ = vtkSmartPointer<vtkXMLPImageDataReader>::New();
    break;
  case VtkFormat::ParallelRectilinear:
    reader_ = vtkSmartPointer<vtkXMLPRectilinearGridReader>::New();
    break;
  case VtkFormat::Curvilinear:
    reader_ = vtkSmartPointer<vtkXMLStructuredGridReader>::New();
    break;
  case VtkFormat::ParallelCurvilinear:
    reader_ = vtkSmartPointer<vtkXMLPStructuredGridReader>::New();
    break;
  default:
    reader_ = vtkSmartPointer<vtkXMLRectilinearGridReader>::New();
  }
  reader_->SetFileName(path_.c_str());
  selected_.clear();
  given_ = 0;
}

std::vector<std::string> XmlFile::files() const
{
  std::vector<std::string> names{ path_ };
  if (!parallel())
  {
    return names;
  }
  const auto root = vtkSmartPointer<vtkXMLDataElement>::Take(vtkXMLUtilities::ReadElementFromFile(path_.c_str()));
  vtkXMLDataElement* primary =
      root != nullptr && root->GetNumberOfNestedElements() > 0 ? root->GetNestedElement(0) : nullptr;
  for (int number = 0; primary != nullptr && number < primary->GetNumberOfNestedElements(); ++number)
  {
    if (const char* source = primary->GetNestedElement(number)->GetAttribute("Source"))
    {
      names.push_back((std::filesystem::path(path_).parent_path() / source).lexically_normal());
    }
  }
  (void)take_vtk_messages(); // its reader says the same, and more
  return names;
}

class LegacyFile final : public VtkFileReader
{
public:
  LegacyFile(std::string path, vtkSmartPointer<vtkDataReader> reader)
    : path_(std::move(path))
    , reader_(std::move(reader))
  {
    reader_->SetFileName(path_.c_str());
    reader_->ReadAllScalarsOn();
    reader_->ReadAllVectorsOn();
    reader_->ReadAllNormalsOn();
    reader_->ReadAllTensorsOn();
    reader_->ReadAllColorScalarsOn();
    reader_->ReadAllTCoordsOn();
    reader_->ReadAllFieldsOn();
  }

  Result<vtkDataSet*> outline() override
  {
    if (!read_)
    {
      reader_->Update();
      read_ = true;
    }
    return checked(path_, *reader_, vtkDataSet::SafeDownCast(reader_->GetOutputDataObject(0)));
  }
  Result<vtkDataSet*> sample(const Extent&) override { return outline(); }
  Result<vtkDataSet*> fetch(const std::string&, Centering, const Extent&) override { return outline(); }
  [[nodiscard]] std::vector<std::string> files() const override { return { path_ }; }
  [[nodiscard]] VtkHolds holds() const override { return VtkHolds::File; }
  [[nodiscard]] bool has(const std::string& array, Centering centering) override
  {
    auto* dataset = vtkDataSet::SafeDownCast(reader_->GetOutputDataObject(0));
    return dataset != nullptr && attributes_of(*dataset, centering)->HasArray(array.c_str()) == 1;
  }

private:
  std::string path_;
  vtkSmartPointer<vtkDataReader> reader_;
  bool read_ = false;
};

vtkSmartPointer<vtkDataReader> legacy_reader(VtkFormat format)
{
  switch (format)
  {
  case VtkFormat::LegacyImage:
    return vtkSmartPointer<vtkStructuredPointsReader>::New();
  case VtkFormat::LegacyCurvilinear:
    return vtkSmartPointer<vtkStructuredGridReader>::New();
  default:
    return vtkSmartPointer<vtkRectilinearGridReader>::New();
  }
}

} // namespace

// A file that is read whole and does not fit would bring down the machine.
Result<void> check_room(const std::string& path, const std::string& kind)
{
  const Result<File> file = File::open(path, File::Mode::Read);
  if (!file)
  {
    return tl::unexpected(file.error());
  }
  const std::int64_t bytes = file->size().value_or(0);
  const std::int64_t room = free_memory();
  if (room > 0 && bytes > room)
  {
    return fail(ErrorCode::BudgetTooSmall,
        "VTK reads " + kind + " whole: this one takes " + format_bytes(bytes) + " of memory, and " +
            format_bytes(room) + " are free",
        "write it as .vti, .vtr or .vts with appended data, which is read piece by piece", path);
  }
  return {};
}

Result<vtkDataSet*> VtkFileReader::checked(const std::string& path, vtkAlgorithm& reader, vtkDataSet* dataset)
{
  const VtkMessages said = take_vtk_messages();
  warnings_.insert(said.warnings.begin(), said.warnings.end());
  if (said.error.empty() && reader.GetErrorCode() == 0 && dataset != nullptr)
  {
    return dataset;
  }
  return fail(ErrorCode::CannotRead,
      "VTK's reader says: " + (said.error.empty() ? std::string("the file cannot be read") : said.error),
      "see whether the file is whole, or write it again with its values inline (data mode Binary), which all versions "
      "of VTK read",
      path);
}

Result<VtkFormat> format_of(const std::string& path)
{
  Result<std::string> head = command::head_of(path);
  if (!head)
  {
    return forward_error(head);
  }
  if (head->find("\"file-series-version\"") != std::string::npos)
  {
    return VtkFormat::Series;
  }
  return head->rfind("# vtk DataFile", 0) == 0 ? legacy_format_of(path, *head) : xml_format_of(path, *head);
}

Result<std::unique_ptr<VtkFileReader>> VtkFileReader::open(const std::string& path)
{
  Result<VtkFormat> format = format_of(path);
  if (!format)
  {
    return forward_error(format);
  }
  switch (*format)
  {
  case VtkFormat::Collection:
  case VtkFormat::Series:
    return fail(ErrorCode::Unsupported, "a list of files lists this one, which is a list itself",
        "give the files themselves", path);
  case VtkFormat::LegacyImage:
  case VtkFormat::LegacyRectilinear:
  case VtkFormat::LegacyCurvilinear:
    break;
  default:
    return std::make_unique<XmlFile>(
        path, *format, command::head_of(path)->find("format=\"ascii\"") != std::string::npos);
  }
  if (Result<void> fits = check_room(path, "legacy files"); !fits)
  {
    return forward_error(fits);
  }
  return std::make_unique<LegacyFile>(path, legacy_reader(*format));
}

} // namespace rivulet
