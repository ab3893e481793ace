"""What reports in JSON are made of."""

from __future__ import annotations

from collections.abc import Mapping

JsonObject = Mapping[str, object]
"""The fields of a JSON object by their names; values are what :func:`json.dumps` takes."""
