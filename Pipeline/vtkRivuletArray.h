// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletArray
 * @brief A data array whose values stay in the file until they are touched.
 *
 * It covers a box of one variable of an open field at one step, or a patch of a dump. Any VTK filter may read it; it
 * cannot be written, and NewInstance() makes ordinary arrays, so that filters' outputs are ordinary. Ranges come from
 * the file. Filters that page for themselves take GetSource(), or GetValues()->hold(), and never copy.
 *
 * GetVoidPointer() answers, in this order: the file's mapping, if the file holds the array just so; a copy that counts
 * towards the field's memory budget and goes with the array; one error and NaN. Values that cannot be read are NaN, and
 * the field's first read error is shown once, by the thread that made the array.
 *
 * All const functions may be called from any thread.
 */

#ifndef vtkRivuletArray_h
#define vtkRivuletArray_h

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
class LazyValues;
struct ValueBlock;
} // namespace rivulet

template <class ValueTypeT>
class VTKRIVULETPIPELINE_EXPORT vtkRivuletArray : public vtkGenericDataArray<vtkRivuletArray<ValueTypeT>, ValueTypeT>
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
   * Makes this the array of `block`, with the variable's name and components. The variable's type must be ValueType.
   */
  void SetBlock(std::shared_ptr<rivulet::LazyField> field, const rivulet::ValueBlock& block);

  /**
   * Makes this the array of the values, which must be of type ValueType.
   */
  void SetValues(std::shared_ptr<rivulet::ArrayValues> values);
  const std::shared_ptr<rivulet::ArrayValues>& GetValues() const { return this->Values; }

  /**
   * Where the values of an open field come from; nullptr for any other, and before SetBlock(). So are the next five.
   */
  std::shared_ptr<rivulet::FileBricks> GetSource() const;
  std::shared_ptr<rivulet::LazyField> GetField() const;
  int GetVariable() const;
  int GetStep() const;
  /**
   * The lattice point, counted from the field's corner, that is tuple 0.
   */
  std::array<int, 3> GetLatticeOffset() const;
  /**
   * Lattice points along each axis.
   */
  std::array<int, 3> GetLatticeSize() const;

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
  /** The ranges of the file, whatever the ghosts. */
  bool ComputeScalarRange(double* ranges) override { return this->StoredScalarRange(ranges); }
  bool ComputeScalarRange(double* ranges, const unsigned char*, unsigned char = 0xff) override
  {
    return this->StoredScalarRange(ranges);
  }
  bool ComputeFiniteScalarRange(double* ranges) override { return this->StoredScalarRange(ranges); }
  bool ComputeFiniteScalarRange(double* ranges, const unsigned char*, unsigned char = 0xff) override
  {
    return this->StoredScalarRange(ranges);
  }
  bool ComputeVectorRange(double range[2]) override { return this->StoredVectorRange(range); }
  bool ComputeVectorRange(double range[2], const unsigned char*, unsigned char = 0xff) override
  {
    return this->StoredVectorRange(range);
  }
  bool ComputeFiniteVectorRange(double range[2]) override { return this->StoredVectorRange(range); }
  bool ComputeFiniteVectorRange(double range[2], const unsigned char*, unsigned char = 0xff) override
  {
    return this->StoredVectorRange(range);
  }
  ///@}

private:
  const ValueType* Tuple(vtkIdType tupleIdx) const;
  bool StoredScalarRange(double* ranges);
  bool StoredVectorRange(double range[2]);
  void ShowError() const;
  int Refuse();

  std::shared_ptr<rivulet::ArrayValues> Values;
  const rivulet::LazyValues* OfField = nullptr; // the same, where they are a box of a field
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
