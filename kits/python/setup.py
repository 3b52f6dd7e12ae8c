"""The version, which is that of the repository."""

from pathlib import Path

from setuptools import setup

file = Path(__file__).resolve().parents[2] / "VERSION"
setup(version=file.read_text(encoding="ascii").strip() if file.exists() else "0.2.0")
