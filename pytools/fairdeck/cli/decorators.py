"""What decorators of commands take and give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Command = TypeVar("Command", bound=Callable[..., Any])
"""A command under construction: a function, with or without options."""
