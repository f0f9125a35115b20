# SPDX-License-Identifier: BSD-3-Clause
"""What the plugin's pvbatch tests share: the plugin, fields on disk, messages, information properties, images.

A test script is a list of functions whose names begin with test_, and ends with  run(globals()).
"""
import os
import subprocess
import sys
import traceback

from paraview import servermanager, simple
from paraview.modules.vtkRemotingCore import vtkProcessModule
from paraview.modules.vtkRemotingServerManager import vtkSMReaderFactory
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow

simple.LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=vars(simple))

SCRATCH = os.environ["RIVULET_SCRATCH"]
SOURCE = os.environ["RIVULET_SOURCE"]


def controller():
    return vtkProcessModule.GetProcessModule().GetGlobalController()


def scratch(name):
    return os.path.join(SCRATCH, name)


def program(*arguments):
    """Runs `rivulet` and returns what it prints."""
    # A child must not take itself for a rank of this job.
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "PMI_"))}
    done = subprocess.run([os.environ["RIVULET_PROGRAM"], *map(str, arguments)], env=environment, text=True,
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def generate(name, kind="abc", *options):
    """An analytic field on disk, made once. Ranks may make a file at the same time, of which the last one stays."""
    path = scratch(name)
    if not os.path.exists(path):
        made = scratch(f"{os.getpid()}-{name}") if name.endswith(".rvf") else path  # others are several files
        program("generate", kind, made, "-q", *options)
        os.replace(made, path)
    return path


def system_python(*arguments):
    """Runs the Python that has h5py."""
    # A child must not take itself for a rank of this job, nor take ParaView's Python packages for its own.
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "PMI_", "PYTHON"))}
    python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else "python3"
    subprocess.run([python, *map(str, arguments)], check=True, env=environment, stdout=subprocess.DEVNULL)


def dump(name, *options):
    """A folder of dumps by Data/make_samrai.py, made once."""
    folder = scratch(name)
    if not os.path.exists(folder):
        system_python(os.path.join(SOURCE, "Data", "make_samrai.py"), folder, *options)
    return folder


def forget_ranges(folder, *components):
    """Takes what a dump's first summary says of the values out of it."""
    summary = os.path.join(folder, "visit_dump.00000", "summary.samrai")
    system_python("-c", "import h5py, sys\nwith h5py.File(sys.argv[1], 'r+') as file:\n"
                        "    for name in sys.argv[2:]: del file['extents'][name + '-Extents']", summary, *components)


def opened(folder, **properties):
    """The SAMRAI dumps in a folder, read."""
    reader = simple.RivuletSAMRAIReader(FileNames=[os.path.join(folder, "dumps.visit")], **properties)
    reader.UpdatePipeline()  # default lengths of filters come from its bounds
    return reader


def can_read(reader, path):
    """Whether a reader says that it can read a file, as the file dialog asks it."""
    return vtkSMReaderFactory.CanReadFile(path, "sources", reader, servermanager.ActiveConnection.Session)


def information(proxy, name):
    """The value of an information property now."""
    proxy.SMProxy.UpdatePropertyInformation()
    return proxy.SMProxy.GetProperty(name).GetElement(0)


class Messages:
    """Collects what VTK would print:  with Messages() as said: ...;  said.text()"""

    def __enter__(self):
        self.before = vtkOutputWindow.GetInstance()
        self.window = vtkStringOutputWindow()
        vtkOutputWindow.SetInstance(self.window)
        return self

    def __exit__(self, *_):
        vtkOutputWindow.SetInstance(self.before)

    def text(self):
        return self.window.GetOutput()


def delete(*proxies):
    for proxy in proxies:
        simple.Delete(proxy)


def assert_image(view, name):
    """Compares the view with Testing/Plugin/Baseline/<name>.png; with RIVULET_MAKE_BASELINES=1, writes that."""
    from vtkmodules.vtkImagingCore import vtkImageDifference
    from vtkmodules.vtkIOImage import vtkPNGReader

    baseline = os.path.join(SOURCE, "Testing", "Plugin", "Baseline", name + ".png")
    made = baseline if os.environ.get("RIVULET_MAKE_BASELINES") else scratch(name + ".png")
    simple.SaveScreenshot(made, view, ImageResolution=[300, 300])
    readers = [vtkPNGReader(), vtkPNGReader()]
    for reader, path in zip(readers, (baseline, made)):
        reader.SetFileName(path)
        reader.Update()
    difference = vtkImageDifference()
    difference.SetInputConnection(readers[0].GetOutputPort())
    difference.SetImageConnection(readers[1].GetOutputPort())
    difference.Update()
    assert difference.GetThresholdedError() < 15, f"{made} differs by {difference.GetThresholdedError()}"


def run(names):
    """Runs every test_ function; the process ends with 1 if one failed."""
    failed = 0
    for name, function in list(names.items()):
        if not name.startswith("test_"):
            continue
        try:
            function()
            print("ok  ", name, flush=True)
        except Exception:  # a test script reports whatever went wrong and goes on
            failed += 1
            print("FAIL", name, flush=True)
            traceback.print_exc()
        delete(*simple.GetSources().values())
    if failed:  # leaving by exit() upsets the display, so not on success
        sys.exit(1)
