"""Where setuptools finds the packages; everything else is said in pyproject.toml.

The assembly library and the ROM programs are top-level folders of the source
tree. Installed, they are siblings inside the package fairdeck, so that the
relative paths of the manifests hold in both places.
"""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages("pytools"), "fairdeck.asm", "fairdeck.rom"],
    package_dir={"": "pytools", "fairdeck.asm": "asm", "fairdeck.rom": "rom"},
)
