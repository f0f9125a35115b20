# SPDX-License-Identifier: BSD-3-Clause
"""A client of ParaView that watches a running simulation, as Catalyst > Connect in the GUI does.

    pvpython live_client.py PORT SECONDS

Prints "listening", and when the simulation has gone, or the seconds are over, a line of JSON: the steps that it saw, and the sources.
"""
import json
import os
import sys
import time

from paraview import servermanager, simple


def say(line):
    """On the standard output at once: pvpython's own stream keeps lines back, even when it is flushed."""
    os.write(1, f"{line}\n".encode())


def connect(port, steps):
    """The link, which listens from now on, and the sources' session."""
    simple.ResetSession()
    manager = servermanager.vtkSMProxyManager.GetProxyManager()
    link = servermanager.ProxyManager().SMProxyManager.NewProxy("coprocessing", "LiveInsituLink")
    link.GetProperty("InsituPort").SetElement(0, port)
    link.GetProperty("ProcessType").SetElement(0, 0)
    link.UpdateVTKObjects()
    modules = servermanager.vtkProcessModule.GetProcessModule()
    session = modules.GetSession(servermanager.vtkSMSession.ConnectToCatalyst())
    link.SetInsituProxyManager(manager.GetSessionProxyManager(session))
    link.AddObserver("UpdateEvent", lambda *_: steps.add(link.GetTimeStep()))
    link.InvokeCommand("Initialize")
    return link, session


def sources_of(session):
    found = []
    proxies = servermanager.vtkSMProxyIterator()
    proxies.SetSession(session)
    proxies.Begin()
    while not proxies.IsAtEnd():
        if proxies.GetGroup() == "sources":
            found.append(proxies.GetKey())
        proxies.Next()
    return found


def main():
    steps = set()
    gone = []
    link, session = connect(int(sys.argv[1]), steps)
    link.AddObserver("ConnectionClosedEvent", lambda *_: gone.append(True))
    say("listening")
    network = servermanager.vtkProcessModule.GetProcessModule().GetNetworkAccessManager()
    end = time.monotonic() + float(sys.argv[2])
    sources = []
    while not gone and time.monotonic() < end:
        network.ProcessEvents(100)
        sources = sources_of(session) or sources
    say(json.dumps({"steps": sorted(steps), "sources": sources}))


main()
