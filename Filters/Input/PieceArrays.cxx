// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/PieceArrays.h"

#include "Base/Bytes.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkPointData.h"

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace rivulet
{

std::array<vtkDataSetAttributes*, 2> attributes_of(vtkDataSet& dataset)
{
  return { dataset.GetPointData(), dataset.GetCellData() };
}

namespace
{

/// The types and names of the arrays, one line each; an empty line between arrays of points and of cells.
std::string described(vtkDataSet& dataset)
{
  std::string text;
  for (vtkDataSetAttributes* const each : attributes_of(dataset))
  {
    for (int i = 0; i < each->GetNumberOfArrays(); ++i)
    {
      if (vtkDataArray* const array = each->GetArray(i); array != nullptr && array->GetName() != nullptr)
      {
        text += std::to_string(array->GetDataType()) + ' ' + std::to_string(array->GetNumberOfComponents()) + ' ' +
                array->GetName() + '\n';
      }
    }
    text += '\n';
  }
  return text;
}

/// The arrays of a description, without values.
void add_arrays(vtkDataSet& to, const std::string& description)
{
  std::size_t which = 0;
  std::istringstream lines(description);
  for (std::string line; std::getline(lines, line);)
  {
    std::istringstream words(line);
    int type = 0;
    int components = 0;
    if (!(words >> type >> components))
    {
      ++which;
      continue;
    }
    vtkSmartPointer<vtkDataArray> array;
    array.TakeReference(vtkDataArray::CreateDataArray(type));
    array->SetNumberOfComponents(components);
    array->SetName(line.substr(static_cast<std::size_t>(words.tellg()) + 1).c_str());
    attributes_of(to).at(which)->AddArray(array);
  }
}

} // namespace

Result<void> make_arrays_alike(vtkSmartPointer<vtkDataSet>& mine, const Ranks& ranks)
{
  const std::string own = mine->GetNumberOfPoints() > 0 ? described(*mine) : std::string();
  const Result<std::vector<char>> all = ranks.gather(std::span<const char>(own.c_str(), own.size() + 1));
  if (!all)
  {
    return tl::unexpected(all.error());
  }
  const char* text = all->data();
  std::string first;
  for (const char* const end = text + all->size(); text < end; text += std::strlen(text) + 1)
  {
    first = first.empty() ? std::string(text) : first;
    if (*text != '\0' && first != text)
    {
      return fail(ErrorCode::Unsupported, "the pieces of the input on the ranks have other arrays",
          "give all ranks the same arrays, in the same order");
    }
  }
  if (mine->GetNumberOfPoints() == 0)
  {
    mine.TakeReference(mine->NewInstance());
    add_arrays(*mine, first);
  }
  return {};
}

tl::unexpected<Error> whole_above(std::int64_t bytes, std::int64_t limit, const Ranks& ranks)
{
  return fail(ErrorCode::BudgetTooSmall,
      "the input is in pieces on " + std::to_string(ranks.size()) + " ranks, of which each needs " +
          format_bytes(bytes) + " to put the whole together, and the budget is " + format_bytes(limit),
      "raise Memory Budget; or write a store, and trace in it");
}

} // namespace rivulet
