# SPDX-License-Identifier: BSD-3-Clause
"""Random cases: the same bytes from memory and from files, for any strategy, budget and number of threads; and the stock
filter's lines but for the differences that stock_rules.py knows.

Arguments: FIRST COUNT       the cases FIRST, FIRST + 1, ...; one of them alone: NUMBER 1
A failure prints the number of its case and goes on.
"""
import hashlib
import os
import re
import sys
import traceback

import numpy as np
from filter_testing import VECTORS, Messages, array_of, simple
from plugin_testing import program, scratch
from random_cases import Case
from stock_rules import Comparison, lines_of
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDataArray


class Tracer:
    """Our filter, made once. Data go in and out past ParaView's proxies, which would take most of the time."""

    def __init__(self):
        self.proxy = simple.RivuletStreamTracerWithCustomSource(Input=simple.Wavelet(), SeedSource=simple.Line())
        self.proxy.UpdateVTKObjects()
        self.algorithm = self.proxy.GetClientSideObject()

    def __call__(self, case, dataset, **run):
        settings = dict(case.settings, MaximumTime=case.maximum_time)
        settings.update(dict({"NumberOfThreads": 1, "MemoryBudget": 0, "AccessStrategy": 0}, **run))
        settings.pop("retried", None)
        for name, value in settings.items():
            self.proxy.SMProxy.GetProperty(name).SetElement(0, value)
        self.proxy.SMProxy.UpdateVTKObjects()
        if dataset.IsA("vtkAlgorithm"):
            self.algorithm.SetInputConnection(0, dataset.GetOutputPort())
        else:
            self.algorithm.SetInputDataObject(0, dataset)
        self.algorithm.SetInputDataObject(1, case.seed_data(case.turn(case.seeds)))
        self.algorithm.SetInputArrayToProcess(0, 0, 0, 1 if case.of_cells else 0, VECTORS)
        self.algorithm.Modified()
        with Messages() as messages:
            self.algorithm.Update()
        enough = re.search("Set Memory Budget to ([0-9]+) MiB", messages.text())
        if enough and "retried" not in run:
            return self(case, dataset, **dict(run, MemoryBudget=int(enough.group(1)), retried=True))
        assert "ERROR" not in messages.text(), messages.text()
        return self.algorithm.GetOutputDataObject(0), self.algorithm.GetOutputDataObject(1)


def every_byte(*outputs):
    """Hash of points, cells and arrays as they are."""
    total = hashlib.sha256()
    for output in outputs:
        parts = [output.GetPoints().GetData() if output.GetPoints() else None, output.GetLines().GetConnectivityArray(),
                 output.GetLines().GetOffsetsArray()]
        for data in (output.GetPointData(), output.GetCellData()):
            arrays = sorted((data.GetArray(i) for i in range(data.GetNumberOfArrays())), key=lambda array: array.GetName())
            for array in arrays:
                total.update(f"{array.GetName()} {array.GetDataType()} {array.GetNumberOfComponents()}".encode())
            parts += arrays
        for part in parts:
            if part is not None and part.GetNumberOfTuples():
                total.update(vtk_to_numpy(part).tobytes())
    return total.hexdigest()


def fates_of(seeds):
    data = seeds.GetPointData()
    names = {"reason": "Reason%sTermination", "length": "%sLength", "time": "%sTime"}
    return {key: [array_of(data, name % way) for way in ("Forward", "Backward")] for key, name in names.items()}


def opened(reader, case):
    """The reader's dataset with the case's hidden points and cells, which no file has."""
    reader.UpdatePipeline()
    paged = reader.GetClientSideObject().GetOutputDataObject(0)
    for data in (paged.GetPointData(), paged.GetCellData()):
        data.RemoveArray("vtkGhostType")
    dataset = paged.NewInstance()
    dataset.ShallowCopy(paged)
    case.hide(dataset)
    return dataset


def rvf_of(case, dataset):
    path = scratch(f"case{case.number}.rvf")
    source = simple.TrivialProducer()
    plain = dataset.NewInstance()
    plain.ShallowCopy(dataset)
    for data in (plain.GetPointData(), plain.GetCellData()):
        data.RemoveArray("vtkGhostType")
    source.GetClientSideObject().SetOutput(plain)
    source.UpdatePipeline()
    simple.SaveData(path, proxy=source)
    simple.Delete(source)
    return path


def bov_of(case):
    """Velocity and density as BOV files, in blocks where the sizes have a divisor."""
    rng = np.random.default_rng(case.number)
    headers = []
    for name, values, of_cells in ((VECTORS, case.vectors, case.of_cells), ("density", case.extras["density"], False)):
        if of_cells != case.of_cells:
            continue
        size = [int(n) for n in (np.maximum(case.dims - 1, 1) if of_cells else case.dims)]
        path = scratch(f"case{case.number}_{name}")
        big = rng.random() < 0.3
        with open(path + ".raw", "wb") as file:
            file.write(values.astype(values.dtype.newbyteorder(">" if big else "<")).tobytes())
        form = {"float32": "FLOAT", "float64": "DOUBLE", "int16": "SHORT"}[values.dtype.name]
        low, lengths = [float(x) for x in case.low], [abs(float(x[-1] - x[0])) for x in case.axes]
        with open(path + ".bov", "w", encoding="ascii") as file:
            file.write(f"TIME: 0\nDATA_FILE: {path}.raw\nDATA_SIZE: {size[0]} {size[1]} {size[2]}\nDATA_FORMAT: {form}\n"
                       f"DATA_COMPONENTS: {values.size // int(np.prod(size))}\nVARIABLE: {name}\n"
                       f"CENTERING: {'zonal' if of_cells else 'nodal'}\nDATA_ENDIAN: {'BIG' if big else 'LITTLE'}\n"
                       f"BRICK_ORIGIN: {low[0]!r} {low[1]!r} {low[2]!r}\n"
                       f"BRICK_SIZE: {lengths[0]!r} {lengths[1]!r} {lengths[2]!r}\n")
        headers.append(path + ".bov")
    return headers


def in_memory(case, paged):
    """The geometry of a paged dataset, and the case's values in ordinary arrays of the types that the file has."""
    plain = paged.NewInstance()
    plain.CopyStructure(paged)
    given = case.dataset()
    for data, source, of in ((plain.GetPointData(), given.GetPointData(), paged.GetPointData()),
                             (plain.GetCellData(), given.GetCellData(), paged.GetCellData())):
        for i in range(of.GetNumberOfArrays()):
            name, kind = of.GetArrayName(i), of.GetArray(i).GetDataType()
            data.AddArray(vtkDataArray.CreateDataArray(kind))
            array = data.GetArray(data.GetNumberOfArrays() - 1)
            array.DeepCopy(source.GetArray(name))
            array.SetName(name)
    case.hide(plain)
    return plain


def compare_files(case, trace, dataset):
    rng = np.random.default_rng(case.number)
    path = rvf_of(case, dataset)
    if rng.random() < 0.3:
        other = scratch(f"case{case.number}_other.rvf")
        brick = ",".join(str(n) for n in rng.integers(2, 14, 3))
        program("convert", path, other, "--brick", brick, "-q")
        os.remove(path)
        path = other
    compare_reader(case, trace, simple.RivuletFieldReader(FileNames=[path]), range(5), rng)
    os.remove(path)
    if case.rectilinear or case.turned or (case.of_cells and case.dims.min() < 3):
        return  # a BOV file of cells is flat where there is one layer of them
    headers = bov_of(case)
    compare_reader(case, trace, simple.RivuletBOVReader(FileNames=headers), rng.choice(5, 2), rng)
    for header in headers:
        os.remove(header)
        os.remove(header[:-3] + "raw")


def compare_reader(case, trace, reader, strategies, rng):
    paged = opened(reader, case)
    expected = every_byte(*trace(case, in_memory(case, paged)))
    for strategy in strategies:
        run = {"AccessStrategy": int(strategy), "NumberOfThreads": int(rng.integers(1, 9)),
               "MemoryBudget": int(rng.choice([0, 1, 2, 64]))}
        found = every_byte(*trace(case, paged, **run))
        assert found == expected, f"{reader.FileNames} {run}: other bytes than in memory\n{case.describe()}"
    simple.Delete(reader)


def check(number, trace):
    case = Case(number)
    dataset = case.dataset()
    lines, seeds = trace(case, dataset)
    expected = every_byte(lines, seeds)
    comparison = Comparison(case, fates_of(seeds))
    comparison.check(lines_of(lines))
    threads = 2 + number % 7
    assert every_byte(*trace(case, dataset, NumberOfThreads=threads)) == expected, f"{threads} threads\n{case.describe()}"
    compare_files(case, trace, dataset)
    return comparison


def main():
    np.seterr(invalid="ignore")  # the stock filter has vorticities that are not a number where the flow rests
    first, count = int(sys.argv[1]), int(sys.argv[2])
    trace = Tracer()
    failed, compared, points = [], 0, 0
    for number in range(first, first + count):
        try:
            comparison = check(number, trace)
            compared, points = compared + comparison.compared, points + comparison.points
        except Exception:  # whatever went wrong: the other cases say more about it
            failed.append(number)
            traceback.print_exc()
    print(f"{count} cases, {points} points, of which {compared} could be compared with the stock filter's", flush=True)
    if failed:
        sys.exit(f"failed: {failed}; run one alone with its number and 1 for arguments")
    if count >= 50 and compared < 0.4 * points:
        sys.exit("too few points were compared")


if __name__ == "__main__":
    main()
