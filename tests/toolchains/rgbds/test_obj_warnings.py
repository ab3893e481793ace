"""The -W options of the RGBDS tools."""

from __future__ import annotations

import pytest

from romproof.text.diagnostic import Diagnostics, Severity
from romproof.toolchains.rgbds.obj.warnings import ALL, DEFAULT, EVERYTHING, WarningSettings

ON, ERROR, OFF = Severity.WARNING, Severity.ERROR, None


def settings(*texts: str) -> WarningSettings:
    made = WarningSettings(
        {"plain": (DEFAULT,), "shy": (ALL,), "rare": (EVERYTHING,), "deep": (DEFAULT, EVERYTHING)}
    )
    assert [made.apply(text) for text in texts] == [None] * len(texts)
    return made


@pytest.mark.parametrize(
    ("texts", "plain", "shy", "rare", "deep"),
    [
        ([], ON, OFF, OFF, (ON, OFF)),
        (["all"], ON, ON, OFF, (ON, OFF)),
        (["everything"], ON, ON, ON, (ON, ON)),
        (["no-everything"], OFF, OFF, OFF, (OFF, OFF)),
        (["all", "no-shy"], ON, OFF, OFF, (ON, OFF)),
        (["shy", "no-all"], OFF, ON, OFF, (OFF, OFF)),
        (["error"], ERROR, OFF, OFF, (ERROR, OFF)),
        (["error", "no-error"], ON, OFF, OFF, (ON, OFF)),
        (["error", "no-error=plain"], ON, OFF, OFF, (ERROR, OFF)),
        (["error", "no-error=all", "shy"], ON, ON, OFF, (ON, OFF)),
        (["error=shy"], ON, ERROR, OFF, (ON, OFF)),
        (["error=all"], ERROR, ERROR, OFF, (ERROR, OFF)),
        (["error=all", "no-plain"], OFF, ERROR, OFF, (ERROR, OFF)),
        (["deep=2"], ON, OFF, OFF, (ON, ON)),
        (["deep=2", "deep=1"], ON, OFF, OFF, (ON, OFF)),
        (["deep=0"], ON, OFF, OFF, (OFF, OFF)),
        (["no-deep", "everything"], ON, ON, ON, (OFF, OFF)),
        (["error=deep=2"], ON, OFF, OFF, (ERROR, ERROR)),
    ],
)
def test_what_is_on(
    texts: list[str],
    plain: Severity | None,
    shy: Severity | None,
    rare: Severity | None,
    deep: tuple[Severity | None, Severity | None],
) -> None:
    made = settings(*texts)
    assert made.severity("plain") is plain
    assert made.severity("shy") is shy
    assert made.severity("rare") is rare
    assert (made.severity("deep"), made.severity("deep", 2)) == deep


def test_silence() -> None:
    made = settings("error", "everything")
    made.silent = True
    assert made.severity("plain") is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("what", "unknown warning 'what'"),
        ("no-what", "unknown warning 'what'"),
        ("plain=", "unknown warning 'plain='"),
        ("plain=2", "the warning 'plain' takes no number"),
        ("what=2", "the warning 'what' takes no number"),
        ("deep=3", "the warning 'deep' has levels up to 2; 3 is too many"),
        (
            "deep=99999999999999999999",
            "the warning 'deep' has levels up to 2; 999999999 is too many",
        ),
    ],
)
def test_what_there_is_not(text: str, complaint: str) -> None:
    assert settings().apply(text) == complaint


def test_a_report_names_its_option() -> None:
    diagnostics = Diagnostics()
    settings().report(diagnostics, "plain", "odd")
    settings("error=plain").report(diagnostics, "plain", "bad")
    settings().report(diagnostics, "shy", "never shown")
    assert [(d.severity, d.message, d.option) for d in diagnostics.items] == [
        (Severity.WARNING, "odd", "-Wplain"),
        (Severity.ERROR, "bad", "-Werror=plain"),
    ]
