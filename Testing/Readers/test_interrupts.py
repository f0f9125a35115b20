# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C while patches are read and while a field is saved: that ends, and the script goes on. Ranks end together."""
import os
import signal

from plugin_testing import Messages, dump, opened, run, scratch, simple

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it


class Interrupt:
    """Sends this process Ctrl-C's signal when a filter reports progress of its own: the first report is the pipeline's."""

    def __init__(self, proxy, reports_before):
        self.left = reports_before
        proxy.GetClientSideObject().AddObserver("ProgressEvent", self.send)

    def send(self, *_):
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGINT)
        self.left -= 1


def arrays_in(reader):
    return [reader.CellData[i].GetName() for i in range(reader.CellData.GetNumberOfArrays())]


def stop(proxy, after, kind):
    """Updates a proxy, interrupted at so many reports of progress. The one message, of this kind, in one line."""
    interrupt = Interrupt(proxy, after)
    with Messages() as said:
        proxy.UpdatePipeline()
    assert interrupt.left < 0
    text = " ".join(said.text().split())
    assert text.count(kind) == 1 and "stopped on request" in text, text
    return text


def test_reading_patches():
    reader = simple.RivuletSAMRAIReader(FileNames=[os.path.join(dump("dumps"), "dumps.visit")], ReadOnDemand="Never")
    text = stop(reader, 1, "Warning")
    assert "arrays of patches were not read. Use Reload Files to read again" in text, text
    assert "pressure" not in arrays_in(reader), arrays_in(reader)
    simple.ReloadFiles(reader)
    reader.UpdatePipeline()
    assert set(arrays_in(opened(dump("dumps")))) <= set(arrays_in(reader)), arrays_in(reader)


def test_saving_a_field():
    path = scratch("large.rvf")
    writer = simple.CreateWriter(path, simple.Wavelet(WholeExtent=[-180, 180] * 3))
    stop(writer, 0, "ERROR")
    assert not [name for name in os.listdir(scratch("")) if "large" in name]


run(globals())
