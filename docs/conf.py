# SPDX-License-Identifier: MIT
"""The documentation's site; scripts/docs builds it. The package must be importable, and SHAPEBOOST_BIN name the program."""

import os
import pathlib
import re
import shutil
import subprocess

import jupytext
import shapeboost
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

HERE = pathlib.Path(__file__).parent
project = "shapeboost"
author = "shapeboost contributors"
copyright = "2026, shapeboost contributors"
version = release = shapeboost.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "sphinx_design"]
exclude_patterns = ["requirements.txt"]
html_theme = "furo"
html_title = f"shapeboost {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_logo = html_favicon = "_static/logo.svg"
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
nb_execution_mode = "force"
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
# Pages that are read on their own begin as they like, and show files in formats that nobody colours.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

napoleon_use_param = False  # else lambda_ loses its last letter
napoleon_attr_annotations = False
napoleon_custom_sections = [("Attributes", "params_style")]  # some are properties too, with an entry of their own
default_role = "code"
smartquotes_action = "D"  # dashes alone: 'auto' in a docstring is Python
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the signature has them
autodoc_default_options = {"members": True}


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


def link_to_notebook(app, name, source):
    """Below the title of every worked example."""
    folder, _, page = name.partition("/")
    if folder == "gallery" and page != "index" and app.builder.name == "html":
        link = f'<p><a class="notebook" href="{page}.ipynb" download>Download as a notebook</a></p>'
        source[0] = re.sub(r"(?m)^(# .*)$", rf"\1\n\n{link}", source[0], count=1)


def notebooks(app, exception):
    """A notebook to download beside every worked example, and its last picture for their list."""
    if exception is None and app.builder.name == "html":
        out = pathlib.Path(app.outdir)
        for page in sorted((HERE / "gallery").glob("*.md")):
            if page.stem != "index":
                jupytext.write(jupytext.read(page), out / "gallery" / f"{page.stem}.ipynb")
                pictures = re.findall(r'src="\.\./(_images/[0-9a-f]+\.png)"', (out / "gallery" / f"{page.stem}.html").read_text())
                shutil.copy(out / pictures[-1], out / "gallery" / f"{page.stem}.png")


def complete(app, exception):
    """Nothing that the package offers is left out of its reference."""
    if exception is None and app.builder.name == "html":
        told = app.env.get_domain("py").objects
        for name in shapeboost.__all__:
            own = getattr(shapeboost, name)
            members = [f"{name}.{one}" for one in dir(own) if not one.startswith("_") and callable(getattr(own, one))] if isinstance(own, type) else []
            for one in [name, *members] if callable(own) else []:
                if f"shapeboost.{one}" not in told:
                    raise ExtensionError(f"docs/api.md: shapeboost.{one} is not there")


def plain_bars(app, what, name, obj, options, lines):
    """|alpha| is a number's size, not the name of a substitution."""
    lines[:] = [line.replace("|", r"\|") for line in lines]


def setup(app):
    app.add_directive("commands", Commands)
    app.connect("source-read", link_to_notebook)
    app.connect("build-finished", notebooks)
    app.connect("build-finished", complete)
    app.connect("autodoc-process-docstring", plain_bars)
    return {"parallel_read_safe": True}
