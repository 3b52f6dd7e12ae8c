"""The version, which is that of the program."""

import re
from pathlib import Path

from setuptools import setup

file = Path(__file__).resolve().parents[2] / "Sources" / "mock-apns" / "System" / "Version.swift"
setup(version=re.search(r'text = "(.+)"', file.read_text(encoding="utf-8"))[1])
