# SPDX-License-Identifier: BSD-3-Clause
"""What bad files get: one clear message that names the file and a remedy, and a pvbatch that goes on."""
import os
import shutil

import h5py
from plugin_testing import Messages, generate, information, run, scratch, servermanager, simple


def good(name="good.rvf"):
    return generate(name, "abc", "--size", "23,19,17")


def damaged(name, damage):
    path = scratch(name)
    shutil.copy(good(), path)
    damage(path)
    return path


def assert_refused(path, *parts, reader="RivuletFieldReader"):
    with Messages() as said:
        proxy = getattr(simple, reader)(FileNames=[path])
        proxy.UpdatePipeline()
        proxy.UpdatePipeline()
    text = said.text()
    for part in parts or [os.path.basename(path)]:
        assert part in text, (part, text)
    assert text.count("ERROR") == 1, text
    assert text.rstrip().endswith(".") and text.count(". ") >= 1, text  # what is wrong, and a remedy
    sphere = simple.Sphere()
    sphere.UpdatePipeline()
    assert sphere.GetDataInformation().GetNumberOfPoints() > 0


def rewrite_attribute(name, value):
    def damage(path):
        with h5py.File(path, "r+") as file:
            assert name in file.attrs, list(file.attrs)
            file.attrs.modify(name, value)  # keeps the type
    return damage


def test_truncated():
    assert_refused(damaged("cut.rvf", lambda path: os.truncate(path, os.path.getsize(path) // 2)))


def test_empty_file():
    path = scratch("empty.rvf")
    open(path, "w").close()
    assert_refused(path)


def test_missing_file():
    assert_refused(scratch("nowhere.rvf"))


def test_foreign_text():
    path = scratch("foreign.rvf")
    with open(path, "w") as file:
        file.write("this is no field\n" * 1000)
    assert_refused(path)


def test_foreign_hdf5():
    path = scratch("other.rvf")
    with h5py.File(path, "w") as file:
        file["data"] = [1, 2, 3]
    assert_refused(path)


def test_unfinished():
    assert_refused(damaged("half.rvf", rewrite_attribute("complete", 0)), "half.rvf", "finish")


def test_newer_version():
    assert_refused(damaged("newer.rvf", rewrite_attribute("format_version", 999)), "newer.rvf", "999")


def test_not_offered_for_foreign_files():
    proxy = simple.RivuletFieldReader().SMProxy
    path = scratch("foreign2.rvf")
    with open(path, "w") as file:
        file.write("no field")
    assert not servermanager.vtkSMReaderFactory.CanReadFile(path, proxy)
    assert servermanager.vtkSMReaderFactory.CanReadFile(good(), proxy)


def test_a_brick_that_does_not_match_its_checksum():
    def damage(path):
        with h5py.File(path, "r") as file:
            offsets = []
            file.visititems(lambda _, item: offsets.append(item.id.get_offset())
                            if isinstance(item, h5py.Dataset) and item.ndim == 2 and item.shape[1] >= 4096 else None)
        with open(path, "r+b") as file:
            file.seek(offsets[0] + 100)
            file.write(b"\xff\xff\xff")
    path = damaged("rotten.rvf", damage)
    reader = simple.RivuletFieldReader(FileNames=[path])
    with Messages() as said:
        simple.Threshold(Input=reader, Scalars=["POINTS", "velocity"], LowerThreshold=-9, UpperThreshold=9).UpdatePipeline()
    assert said.text().count("rotten.rvf") == 1 and "checksum" in said.text(), said.text()


def test_a_file_cut_short_while_it_is_open():
    for strategy in ("Memory Map", "Buffered Cache", "Direct Cache", "Asynchronous"):
        path = damaged(f"shrunk{strategy[0]}.rvf", lambda path: None)
        reader = simple.RivuletFieldReader(FileNames=[path], AccessStrategy=strategy)
        reader.UpdatePipeline()
        os.truncate(path, 16384)
        with Messages() as said:
            kept = simple.Threshold(Input=reader, Scalars=["POINTS", "velocity"], LowerThreshold=-9, UpperThreshold=9)
            kept.UpdatePipeline()
        assert said.text().count(os.path.basename(path)) == 1, (strategy, said.text())
        assert kept.GetDataInformation().GetNumberOfPoints() < 23 * 19 * 17, strategy


def test_values_that_are_not_finite_are_shown_as_they_are():
    holes = simple.Calculator(Input=simple.Wavelet(WholeExtent=[0, 9, 0, 9, 0, 9]), ResultArrayName="holes",
                              Function="sqrt(RTData - 200)", ReplaceInvalidResults=0)
    path = scratch("holes.rvf")
    simple.SaveData(path, proxy=holes)
    reader = simple.OpenDataFile(path)
    reader.UpdatePipeline()
    low, high = reader.PointData["holes"].GetRange()
    assert 0 <= low < high < 10, (low, high)
    assert information(reader, "BytesRead") == 0


def test_budget_below_the_minimum():
    path = generate("wide.rvf", "abc", "--size", "121,121,121", "--brick", "120,120,120")
    with Messages() as said:
        proxy = simple.RivuletFieldReader(FileNames=[path], MemoryBudget=1)
        proxy.UpdatePipeline()
    assert "wide.rvf" in said.text() and "budget" in said.text(), said.text()


def test_bov_without_its_data():
    path = scratch("lonely.bov")
    with open(path, "w") as file:
        file.write("TIME: 0\nDATA_FILE: lonely.values\nDATA_SIZE: 4 4 4\nDATA_FORMAT: FLOAT\nVARIABLE: v\n"
                   "DATA_ENDIAN: LITTLE\nCENTERING: nodal\nBRICK_ORIGIN: 0 0 0\nBRICK_SIZE: 1 1 1\n")
    assert_refused(path, "lonely.values", reader="RivuletBOVReader")


def test_a_series_of_unlike_files():
    other = generate("other_size.rvf", "abc", "--size", "9,9,9", "--start-time", 5)
    with Messages() as said:
        proxy = simple.RivuletFieldReader(FileNames=[good(), other])
        proxy.UpdatePipeline()
    assert "other_size.rvf" in said.text() or "good.rvf" in said.text(), said.text()


def test_the_reader_recovers_when_the_file_name_is_mended():
    with Messages():
        proxy = simple.RivuletFieldReader(FileNames=[scratch("nowhere2.rvf")])
        proxy.UpdatePipeline()
    proxy.FileNames = [good()]
    proxy.UpdatePipeline()
    assert proxy.GetDataInformation().GetNumberOfPoints() == 23 * 19 * 17
    assert information(proxy, "BytesRead") == 0


run(globals())
