// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletArray
 * @brief A data array whose values stay in the file until they are touched.
 *
 * It covers a box of one variable of an open field at one step, or a patch of a dump. Any VTK filter may read it. It
 * cannot be written, and NewInstance() makes ordinary arrays, so that filters' outputs are ordinary. Ranges come from
 * the file. If the file has none, they come from all values of a small array and from some values of a large one.
 * Filters that read bricks themselves take GetSource(), or GetValues()->hold(), and never copy.
 *
 * GetVoidPointer() gives, in this order: a mapping of the file, if the file has the layout of the array; a copy, which
 * counts towards the field's memory budget and is freed with the array; NaN and one error. A user that writes there,
 * such as numpy, gets the pages for itself: the array keeps the values of the file, and one error says so. Values that
 * cannot be read are NaN. The field's first read error is shown once, by the thread that made the array; so is a change
 * of the file while it was open.
 *
 * All const functions may be called from any thread.
 */

#ifndef vtkRivuletArray_h
#define vtkRivuletArray_h

#include "Pipeline/LazyValues.h"
#include "vtkGenericDataArray.h"
#include "vtkRivuletPipelineModule.h"

#include <array>
#include <memory>
#include <thread>

namespace rivulet
{
class ArrayValues;
class FileBricks;
class LazyField;
struct ValueBlock;
} // namespace rivulet

template <class ValueTypeT>
class VTKRIVULETPIPELINE_EXPORT vtkRivuletArray : public vtkGenericDataArray<vtkRivuletArray<ValueTypeT>, ValueTypeT>,
                                                  public rivulet::PagedArray
{
  using GenericBase = vtkGenericDataArray<vtkRivuletArray<ValueTypeT>, ValueTypeT>;

public:
  vtkRivuletArray(const vtkRivuletArray&) = delete;
  void operator=(const vtkRivuletArray&) = delete;

  vtkAbstractTemplateTypeMacro(vtkRivuletArray<ValueTypeT>, GenericBase);
  vtkAOSArrayNewInstanceMacro(vtkRivuletArray<ValueTypeT>);
  using ValueType = ValueTypeT;

  static vtkRivuletArray* New();
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Makes this the array of `block`, with the variable's name and components. ValueType must be the type of the
   * variable's whole numbers, or, if it has none, of its values.
   */
  void SetBlock(std::shared_ptr<rivulet::LazyField> field, const rivulet::ValueBlock& block);

  /**
   * Makes this the array of the values, which must be of type ValueType.
   */
  void SetValues(std::shared_ptr<rivulet::ArrayValues> values);
  const std::shared_ptr<rivulet::ArrayValues>& GetValues() const { return this->Values; }

  /**
   * The source of the values of an open field; nullptr for any other array and before SetBlock(). The next five
   * functions are for open fields only, too.
   */
  std::shared_ptr<rivulet::FileBricks> GetSource() const;
  std::shared_ptr<rivulet::LazyField> GetField() const;
  int GetVariable() const;
  int GetStep() const;
  /**
   * The lattice point of tuple 0, counted from the field's corner.
   */
  std::array<int, 3> GetLatticeOffset() const;
  /**
   * Lattice points along each axis.
   */
  std::array<int, 3> GetLatticeSize() const;

  const rivulet::LazyValues* of_field() const override { return this->OfField; }

  ValueType GetValue(vtkIdType valueIdx) const;
  void GetTypedTuple(vtkIdType tupleIdx, ValueType* tuple) const;
  ValueType GetTypedComponent(vtkIdType tupleIdx, int compIdx) const;

  void* GetVoidPointer(vtkIdType valueIdx) override;
  unsigned long GetActualMemorySize() const override;
  void Squeeze() override {}
  void Initialize() override;

  ///@{
  /** Refused: the array cannot be written. */
  void SetValue(vtkIdType, ValueType) { this->Refuse(); }
  void SetTypedTuple(vtkIdType, const ValueType*) { this->Refuse(); }
  void SetTypedComponent(vtkIdType, int, ValueType) { this->Refuse(); }
  vtkTypeBool Allocate(vtkIdType, vtkIdType = 1000) override { return this->Refuse(); }
  vtkTypeBool Resize(vtkIdType) override { return this->Refuse(); }
  void RemoveTuple(vtkIdType) override { this->Refuse(); }
  void DeepCopy(vtkDataArray*) override { this->Refuse(); }
  void DeepCopy(vtkAbstractArray*) override { this->Refuse(); }
  void* WriteVoidPointer(vtkIdType, vtkIdType) override;
  ///@}

protected:
  vtkRivuletArray();
  ~vtkRivuletArray() override;

  bool AllocateTuples(vtkIdType) { return false; }
  bool ReallocateTuples(vtkIdType) { return false; }

  ///@{
  /** The ranges of the file or an estimate, ghosts included; or ranges of the values without ghosts, if they are exact.
   */
  bool ComputeScalarRange(double* ranges) override { return this->KnownScalarRange(ranges, false); }
  bool ComputeScalarRange(double* ranges, const unsigned char* ghosts, unsigned char skip = 0xff) override
  {
    return this->CountsGhosts(ghosts) ? this->GenericBase::ComputeScalarRange(ranges, ghosts, skip)
                                      : this->KnownScalarRange(ranges, false);
  }
  bool ComputeFiniteScalarRange(double* ranges) override { return this->KnownScalarRange(ranges, true); }
  bool ComputeFiniteScalarRange(double* ranges, const unsigned char* ghosts, unsigned char skip = 0xff) override
  {
    return this->CountsGhosts(ghosts) ? this->GenericBase::ComputeFiniteScalarRange(ranges, ghosts, skip)
                                      : this->KnownScalarRange(ranges, true);
  }
  bool ComputeVectorRange(double range[2]) override { return this->KnownVectorRange(range, false); }
  bool ComputeVectorRange(double range[2], const unsigned char* ghosts, unsigned char skip = 0xff) override
  {
    return this->CountsGhosts(ghosts) ? this->GenericBase::ComputeVectorRange(range, ghosts, skip)
                                      : this->KnownVectorRange(range, false);
  }
  bool ComputeFiniteVectorRange(double range[2]) override { return this->KnownVectorRange(range, true); }
  bool ComputeFiniteVectorRange(double range[2], const unsigned char* ghosts, unsigned char skip = 0xff) override
  {
    return this->CountsGhosts(ghosts) ? this->GenericBase::ComputeFiniteVectorRange(range, ghosts, skip)
                                      : this->KnownVectorRange(range, true);
  }
  ///@}

private:
  const ValueType* Tuple(vtkIdType tupleIdx) const;
  bool KnownScalarRange(double* ranges, bool finite);
  bool KnownVectorRange(double range[2], bool finite);
  bool CountsGhosts(const unsigned char* ghosts);
  void ShowError() const;
  int Refuse();

  std::shared_ptr<rivulet::ArrayValues> Values;
  const rivulet::LazyValues* OfField = nullptr; // Values, if they are a box of a field; else nullptr
  std::thread::id Home = std::this_thread::get_id();
  bool Refused = false;

  friend class vtkGenericDataArray<vtkRivuletArray<ValueTypeT>, ValueTypeT>;
};

extern template class vtkRivuletArray<float>;
extern template class vtkRivuletArray<double>;
extern template class vtkRivuletArray<vtkTypeInt8>;
extern template class vtkRivuletArray<vtkTypeUInt8>;
extern template class vtkRivuletArray<vtkTypeInt16>;
extern template class vtkRivuletArray<vtkTypeUInt16>;
extern template class vtkRivuletArray<vtkTypeInt32>;
extern template class vtkRivuletArray<vtkTypeUInt32>;
extern template class vtkRivuletArray<vtkTypeInt64>;
extern template class vtkRivuletArray<vtkTypeUInt64>;

#endif
