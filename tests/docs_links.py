# SPDX-License-Identifier: MIT
"""Links in the documentation that lead nowhere:

    docs_links.py ROOT            in the Markdown files of the repository: to files, to headings in them, and pages that the site leaves out
    docs_links.py ROOT SITE       in the pages of the built site: to files and to anchors
    docs_links.py --self-test
"""

import html.parser
import pathlib
import re
import sys
import tempfile
import urllib.parse


def anchors(text):
    """What headings are called by those who link to them."""
    found = set()
    for line in re.sub(r"```.*?```", "", text, flags=re.DOTALL).splitlines():
        if re.match(r"#{1,6} ", line):
            words = re.sub(r"[^\w\s-]", "", line.lstrip("# ").strip().lower().replace("`", ""))
            found.add(words.replace(" ", "-"))
    return found


def dead_in_markdown(root):
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "licences").glob("*.md")]
    faults = []
    listed = {"docs/index.md"}
    for page in pages:
        text = page.read_text()
        for block in re.findall(r"```\{toctree\}(.*?)```", text, re.DOTALL):
            for name in block.splitlines():
                if name and not name.startswith(":"):
                    name = re.sub(r"^.*<(.*)>$", r"\1", name)  # behind a title of its own
                    entry = (page.parent / f"{name}.md").resolve()
                    listed.add(str(entry.relative_to(root.resolve())))
                    if not entry.is_file():
                        faults.append(f"{page.relative_to(root)}: {name} is listed and not there")
        prose = re.sub(r"`[^`\n]*`", "", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
        for target in re.findall(r"\]\(([^)\s]+)\)", prose):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = page.parent / name if name else page
            if not file.exists():
                faults.append(f"{page.relative_to(root)}: {target} is not there")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
                faults.append(f"{page.relative_to(root)}: {target}: no such heading")
    for page in (root / "docs").rglob("*.md"):
        if str(page.relative_to(root)) not in listed:
            faults.append(f"{page.relative_to(root)} is in no table of contents")
    return faults


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.links += [attrs[name] for name in ("href", "src") if attrs.get(name)]
        self.anchors |= {attrs[name] for name in ("id", "name") if attrs.get(name)}


def dead_in_site(site):
    pages = {path.resolve(): Page(path.read_text()) for path in site.rglob("*.html")}
    faults = []
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            file = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            file = file / "index.html" if file.is_dir() else file
            if not file.is_file():
                faults.append(f"{path.name}: {link} is not there")
            elif parts.fragment and file in pages and urllib.parse.unquote(parts.fragment) not in pages[file].anchors:
                faults.append(f"{path.name}: {link}: no such anchor")
    return faults


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "docs").mkdir()
        (root / "README.md").write_text("# A\n[good](docs/b.md#two-words) [bad](docs/c.md) [worse](docs/b.md#three) `[code](x)`\n")
        (root / "docs" / "index.md").write_text("# I\n```{toctree}\nThe b <b>\ngone\n```\n")
        (root / "docs" / "b.md").write_text("# B\n## Two `words`\n")
        (root / "docs" / "lost.md").write_text("# L\n")
        assert len(dead_in_markdown(root)) == 4, dead_in_markdown(root)
        site = root / "site"
        site.mkdir()
        (site / "a.html").write_text('<p id="x"></p><a href="#x"></a><a href="#y"></a><a href="b.html#z"></a><a href="https://example.org"></a>')
        assert len(dead_in_site(site)) == 2, dead_in_site(site)


if __name__ == "__main__":
    if sys.argv[1] == "--self-test":
        self_test()
        sys.exit()
    found = dead_in_site(pathlib.Path(sys.argv[2])) if len(sys.argv) > 2 else dead_in_markdown(pathlib.Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(bool(found))
