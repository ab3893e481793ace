"""The command ``romproof``, also as ``python -m romproof``."""

from romproof.support.ctrl_c import carry_out


def main() -> None:
    """The command ``romproof``."""
    carry_out("romproof.cli")


if __name__ == "__main__":
    main()
