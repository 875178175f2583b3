# SPDX-License-Identifier: MIT
"""The documentation's site; scripts/docs builds it. The package must be importable, and SHAPEBOOST_BIN name the program."""

import os
import pathlib
import re
import subprocess

import jupytext
import shapeboost
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

HERE = pathlib.Path(__file__).parent
project = "shapeboost"
author = "shapeboost contributors"
copyright = "2026, shapeboost contributors"
version = release = shapeboost.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["requirements.txt"]
html_theme = "furo"
html_title = f"shapeboost {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"

myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True
# Pages that are read on their own begin as they like, and show files in formats that nobody colours.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the signature has them
autodoc_default_options = {"members": True, "inherited-members": False, "undoc-members": False}




class Commands(SphinxDirective):
    """What the program says of itself and of each of its commands."""

    def run(self):
        program = os.environ["SHAPEBOOST_BIN"]
        said = lambda *words: subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout
        overview = said("--help")
        names = re.findall(r"(?m)^  ([a-z]+) {3,}\S", overview[overview.index("Commands:"):overview.index("Options:")])
        sections = []
        for title, text in [("shapeboost", overview), *((f"shapeboost {name}", said(name, "--help")) for name in names)]:
            section = nodes.section(ids=[nodes.make_id(title)])
            section += [nodes.title(text=title), nodes.literal_block(text, text, language="none")]
            sections.append(section)
        return sections


def notebooks(app, exception):
    """A notebook to download beside every worked example."""
    if exception is None and app.builder.name == "html":
        for page in sorted((HERE / "gallery").glob("*.md")):
            if page.stem != "index":
                jupytext.write(jupytext.read(page), pathlib.Path(app.outdir) / "gallery" / f"{page.stem}.ipynb")


def plain_bars(app, what, name, obj, options, lines):
    """|alpha| is a number's size, not the name of a substitution."""
    lines[:] = [line.replace("|", r"\|") for line in lines]


def setup(app):
    app.add_directive("commands", Commands)
    app.connect("build-finished", notebooks)
    app.connect("autodoc-process-docstring", plain_bars)
    return {"parallel_read_safe": True}
