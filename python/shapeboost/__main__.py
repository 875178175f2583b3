# SPDX-License-Identifier: MIT
"""The command line: `shapeboost`, or `python -m shapeboost`."""

import sys

from . import _core


def main() -> None:
    """Runs the program with the words of the command line; the exit code is its own."""
    sys.exit(_core.run_program(["shapeboost", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
