"""The command ``fairdeck``, also as ``python -m fairdeck``."""

from __future__ import annotations

from romproof import carry_out


def main() -> None:
    """The command ``fairdeck``."""
    carry_out("fairdeck.cli")


if __name__ == "__main__":
    main()
