#!/usr/bin/env python3
"""check_pictures.py FXTOP TRACE... - draws every view as SVG and HTML and reads the pictures.

An XML parser must take them, with harmless elements and attributes alone, and with the text of --format=ansi. The last
line is the sum.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

VIEWS = ("l", "2", "3j", "4", "5", "6", "7", "8", "9", "lX", "?", "/e<Enter>z/", ":problems<Enter>", ":objects<Enter>",
         ":blobs<Enter>", "lB", ":wakeups<Enter>", ":compare half<Enter>", ":profile<Enter>", "l<F3>", "l<Tab>W")
ELEMENTS = {"svg", "title", "rect", "text", "html", "head", "meta", "style", "body", "pre", "span", "b"}
ATTRIBUTES = {"width", "height", "viewBox", "font-family", "font-size", "style", "x", "y", "fill", "textLength",
              "font-weight", "opacity", "text-decoration", "charset", "class"}
STYLE = re.compile(r"(color|background|font-weight|opacity|text-decoration|direction|unicode-bidi):[-#a-z0-9.]*$")
DRAWN = re.compile("[\u2581-\u258f\\s]+")  # blocks are rectangles in SVG


def print_as(fxtop, kind, keys, trace):
    command = [fxtop, "--no-config", "--no-session", "--no-cache", "--print=100x30", "--format=" + kind,
               "--keys=" + keys, trace]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=60).stdout.decode("utf-8")


def fault_of(picture, text):
    """What is wrong with it; None: nothing."""
    root = tree.fromstring(re.sub("<!DOCTYPE html>|^<[?][^>]*[?]>", "", picture, count=1))
    for element in root.iter():
        name = element.tag.split("}")[-1]
        if name not in ELEMENTS:
            return "has an element " + name
        for attribute, value in element.attrib.items():
            if attribute not in ATTRIBUTES:
                return "has an attribute " + attribute
            if attribute == "style" and not all(STYLE.match(part) for part in value.split(";")):
                return "has a style " + value
    shown = "".join(t for element in root.iter() for t in (element.text, element.tail)
                    if t and element.tag.split("}")[-1] not in ("title", "style", "head"))
    if sorted(DRAWN.sub("", shown)) != sorted(DRAWN.sub("", text)):
        return "has another text"
    return None


def browser_fault(browser, picture, kind):
    """The same picture in a browser: it must build no script."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture." + kind)
        with open(path, "w", encoding="utf-8") as file:
            file.write(picture)
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + folder, "--dump-dom",
                   "file://" + path]
        dom = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, timeout=60).stdout
    elements = set(re.findall("<([a-z0-9]+)", dom.decode("utf-8"))) - ELEMENTS
    return "a browser makes of it " + ", ".join(elements) if elements else None


def main():
    fxtop, traces = sys.argv[1], sys.argv[2:]
    browser = shutil.which("chromium")
    passed = failed = 0
    for trace in traces:
        for keys in VIEWS:
            text = re.sub("\033\\[[0-9;]*m", "", print_as(fxtop, "ansi", keys, trace))
            for kind in "svg", "html":
                picture = print_as(fxtop, kind, keys, trace)
                try:
                    fault = fault_of(picture, text)
                except tree.ParseError as error:
                    fault = "is not well-formed: " + str(error)
                if not fault and browser and keys == VIEWS[0]:
                    fault = browser_fault(browser, picture, kind)
                passed, failed = passed + (not fault), failed + bool(fault)
                if fault:
                    print("FAILED: %s of %s as %s %s" % (keys, trace, kind, fault))
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(failed > 0)


main()
