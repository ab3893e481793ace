"""The command ``romproof``, also as ``python -m romproof``."""

from romproof.text.bundle import use_bundle

use_bundle(__file__.rpartition("/")[0])  # before the modules that are in it are asked for

from romproof.text.ctrl_c import carry_out  # noqa: E402


def main() -> None:
    """The command ``romproof``."""
    carry_out("romproof.cli")


if __name__ == "__main__":
    main()
