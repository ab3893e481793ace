"""The command ``fairdeck``, also as ``python -m fairdeck``.

It sees to Ctrl-C before it imports the rest, which takes a moment.
"""

from __future__ import annotations

from romproof.text.ctrl_c import end_now, take_over


def main() -> None:
    """The command ``fairdeck``."""
    take_over()
    try:
        from fairdeck.cli import main as carry_out
    except KeyboardInterrupt:
        end_now(told=False)
    carry_out()


if __name__ == "__main__":
    main()
