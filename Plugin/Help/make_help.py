#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""make_help.py NAME OUT QHELPGENERATOR XML...

Makes OUT/NAME.qch, Qt's compressed help, of server-manager XML: a page for each proxy that a user can make. ParaView's "?"
opens the page GROUP.PROXY.html. ParaView has a generator of its own, which leaves out properties of base proxies.
"""

import html
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SHOWN_GROUPS = {"sources": "Readers", "filters": "Filters", "writers": "Writers"}
STYLE = """body { font-family: sans-serif; } table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: 4px 10px; border-bottom: 1px solid #c0c0c0; }"""


def text_of(element):
    """What it says, on one line."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def proxies_of(files):
    """All proxies, by group and name."""
    found = {}
    for file in files:
        for group in ElementTree.parse(file).getroot().iter("ProxyGroup"):
            for proxy in group:
                if proxy.get("name"):
                    found[group.get("name"), proxy.get("name")] = proxy
    return found


def properties_of(proxy, proxies):
    """By name, those of its bases first."""
    base = proxies.get((proxy.get("base_proxygroup"), proxy.get("base_proxyname")))
    found = properties_of(base, proxies) if base is not None else {}
    for element in proxy:
        if element.tag.endswith("Property") and element.find("Documentation") is not None:
            found[element.get("name")] = element
    return found


def values_of(prop):
    """Which values it takes, and which it has default."""
    choices = [entry.get("text") for entry in prop.iter("Entry")]
    default = prop.get("default_values")
    if prop.get("information_only"):
        return "told after a run"
    if prop.find("BooleanDomain") is not None:
        return {"1": "on", "0": "off"}.get(default, "")
    if choices:
        named = {entry.get("value"): entry.get("text") for entry in prop.iter("Entry")}
        return ", ".join(choices) + f"; default {named[default]}"
    if prop.find("BoundsDomain") is not None:
        return "from the input's bounds"
    return f"default {default}" if default else ""


def row(prop):
    label = prop.get("label") or spaced(prop.get("name"))
    return (f"<tr><td><b>{html.escape(label)}</b><br><tt>{html.escape(label.replace(' ', ''))}</tt></td>"
            f"<td>{html.escape(text_of(prop.find('Documentation')))}</td><td>{html.escape(values_of(prop))}</td></tr>")


def spaced(name):
    """ParaView's label of a property that has none: IntegratorType is Integrator Type."""
    return "".join(" " + c if i and c.isupper() and not name[i - 1].isupper() else c for i, c in enumerate(name))


def page(title, body):
    return (f"<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>{html.escape(title)}</title>"
            f"<style>{STYLE}</style></head>\n<body><h1>{html.escape(title)}</h1>\n{body}\n</body></html>\n")


def proxy_page(proxy, proxies):
    shown = [p for p in properties_of(proxy, proxies).values() if not p.get("information_only")]
    told = [p for p in properties_of(proxy, proxies).values() if p.get("information_only")]
    body = [f"<p>{html.escape(text_of(proxy.find('Documentation')))}</p>",
            "<p>Below each property stands its name in Python.</p>"]
    for heading, some in (("Properties", shown), ("What it tells", told)):
        if some:
            body += [f"<h2>{heading}</h2>", "<table><tr><th width='22%'>Property</th><th width='56%'>Meaning</th>"
                     "<th width='22%'>Values</th></tr>",
                     *map(row, some), "</table>"]
    return page(proxy.get("label"), "\n".join(body))


def main():
    name, out, generator, *files = sys.argv[1:]
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    proxies = proxies_of(files)
    pages = {}
    index = []
    for group, heading in SHOWN_GROUPS.items():
        index.append(f"<h2>{heading}</h2><ul>")
        for (where, proxy_name), proxy in proxies.items():
            if where == group:
                file = f"{group}.{proxy_name}.html"
                pages[file] = proxy.get("label")
                (folder / file).write_text(proxy_page(proxy, proxies), encoding="utf-8")
                short = proxy.find("Documentation").get("short_help")
                index.append(f'<li><a href="{file}">{html.escape(pages[file])}</a>: {html.escape(short)}</li>')
        index.append("</ul>")
    (folder / "index.html").write_text(page(name, "\n".join(index)), encoding="utf-8")
    sections = "".join(f'<section title="{html.escape(title)}" ref="{file}"/>' for file, title in pages.items())
    listed = "".join(f"<file>{file}</file>" for file in ["index.html", *pages])
    # ParaView looks for the folder that is called like the namespace up to its first point.
    project = folder / f"{name}.qhp"
    project.write_text('<?xml version="1.0" encoding="UTF-8"?>\n<QtHelpProject version="1.0">'
                       f"<namespace>{name}.org</namespace><virtualFolder>{name}</virtualFolder><filterSection>"
                       f'<toc><section title="{name}" ref="index.html">{sections}</section></toc>'
                       f"<files>{listed}</files></filterSection></QtHelpProject>\n", encoding="utf-8")
    made = subprocess.run([generator, str(project), "-s", "-o", str(folder / f"{name}.qch")], text=True,
                          capture_output=True, check=False)
    if made.returncode != 0:
        sys.exit(made.stdout + made.stderr)


main()
