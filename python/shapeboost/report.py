# SPDX-License-Identifier: MIT
"""The interactive page about a model at work."""

from __future__ import annotations

import html
import os
import tempfile

from ._types import Path
from .inputs import file_to_write


class Report:
    """One HTML page that needs no network and no other file. Shows itself in notebooks."""

    def __init__(self, page: str) -> None:
        self.html = page

    def save(self, path: Path) -> None:
        """Write the page to a file, whole or not at all."""
        path = file_to_write(path)
        folder = os.path.dirname(os.path.abspath(path))
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(self.html)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html)}" style="width: 100%; height: 800px; border: 1px solid #ccc" '
                'title="shapeboost report"></iframe>')

    def __repr__(self) -> str:
        return f"Report({len(self.html.encode()) / 1024:.0f} KiB; save(path) writes it)"
