"""The viewer in headless Chromium, as somebody with a mouse, a keyboard or a phone uses it.

One browser and one viewer serve all tests of this module. They are left to make browser: to start
one takes longer than a hundred other tests.
"""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from viewer_games import ARCADE_TEXT, HOSTILE, LOGS, SEED, named

pytest.importorskip("selenium", reason="selenium is not installed")
pytest.importorskip("uvicorn", reason="the extra viewer is not installed")
_BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
_DRIVER = shutil.which("chromedriver")
if _BROWSER is None or _DRIVER is None:
    pytest.skip("chromium and chromedriver are not installed", allow_module_level=True)

from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.remote.webelement import WebElement  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

from fairdeck.tenhou.game.events import NoWin, Win  # noqa: E402
from fairdeck.tenhou.game.track import Tracker  # noqa: E402
from fairdeck.tenhou.mjlog import read_log  # noqa: E402
from fairdeck.tenhou.verify import verify  # noqa: E402
from fairdeck.viewer.document import Wanted, read_document  # noqa: E402
from fairdeck.viewer.page import static_page  # noqa: E402
from fairdeck.viewer.serve import bound  # noqa: E402
from fairdeck.viewer.strings import asset, translations, word  # noqa: E402

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.browser]
_PATIENCE = 60
"""Seconds that a busy machine may take; nothing is measured."""


class Page:
    """The page in the browser."""

    def __init__(self, driver: webdriver.Chrome, address: str) -> None:
        self.driver, self.address = driver, address

    def __call__(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def run(self, code: str, *values: object) -> Any:
        return self.driver.execute_script(code, *values)

    def width(self, pixels: int) -> None:
        size = {"width": pixels, "height": 800, "deviceScaleFactor": 1, "mobile": pixels < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def until(self, code: str) -> None:
        WebDriverWait(self.driver, _PATIENCE, 0.02).until(lambda _: self.run(f"return {code}"))

    def open(self, address: str | None = None) -> None:
        self.driver.get(address or self.address)
        self.driver.get_log("browser")

    def show(self, text: str) -> None:
        self.run("arguments[0].value = arguments[1]", self("#text"), text)
        self("#form button").click()
        said = "document.getElementById('status').textContent"
        self.until(f"{said} !== '' && !{said}.startsWith('Reading')")

    def status(self) -> str:
        return self("#status").text

    def complaints(self) -> list[str]:
        """What the browser wrote to its console since the page was opened."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(_BROWSER)
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    served = bound()
    thread = threading.Thread(target=served.run, daemon=True)
    thread.start()
    driver = webdriver.Chrome(options=options, service=Service(_DRIVER))
    driver.set_script_timeout(_PATIENCE)
    yield Page(driver, served.address)
    driver.quit()
    served.server.should_exit = True
    thread.join(_PATIENCE)


@pytest.fixture
def page(browser: Page) -> Page:
    browser.width(1200)
    browser.open()
    return browser


def test_a_game_by_keyboard(page: Page) -> None:
    page.show(LOGS["south"])
    assert page.status() == "Shown: a Tenhou log, 17 rounds. Verified."
    assert page(".verdict").text == "Verified"
    checks = {
        row.get_attribute("data-check"): row.text.split() for row in page.all("#checks tbody tr")
    }
    assert checks["draws"][-2:] == ["equal", "958"]
    assert checks["commitment"][-2:] == ["not", "checked"]
    told = page("#told")
    assert told.get_attribute("aria-live") == "polite"
    assert told.text.startswith("0 of 81. The deal. Dora indicator: ")
    assert page.run("return document.activeElement.id") == "result"
    body = page("body")
    body.send_keys(Keys.ARROW_RIGHT)
    assert "Ann draws " in page("#told").text
    assert len(page.all(".seat.turn .tiles .tile")) == 14
    assert len(page.all(".stacks .now")) == 1
    body.send_keys(Keys.ARROW_RIGHT)
    assert "Ann discards " in page("#told").text
    assert len(page.all(".river .tile")) == 1
    body.send_keys(Keys.END)
    assert "Points: " in page("#told").text
    body.send_keys(Keys.HOME, Keys.PAGE_DOWN)
    assert page.run("return document.getElementById('rounds').value") == "1"
    page("#slider").send_keys(Keys.ARROW_RIGHT)
    assert page("#told").text.startswith("1 of ")
    assert page.run("return document.activeElement.id") == "slider"
    assert page.complaints() == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["south", "three"])
def test_the_script_knows_who_holds_what(page: Page, name: str) -> None:
    """Hands, discards, melds and scores after every event, against the verifier's tracker."""
    document = read_document(LOGS[name].encode(), Wanted())
    shown = page.run(
        f"{asset('state.js')}; const game = arguments[0];"
        "return game.rounds.map((round) => round.events.map((_, n) =>"
        " replay(game, round, n + 1).seats.map((seat) => ({"
        "  hand: seat.hand.concat(seat.drawn === null ? [] : [seat.drawn]).sort((a, b) => a - b),"
        "  river: seat.river.map((one) => one.tile),"
        "  melds: seat.melds.map((one) => one.tiles), score: seat.score}))))",
        document,
    )
    game = read_log(LOGS[name].encode())
    assert game.rules is not None
    tracker, compared = Tracker(game, game.rules), 0
    tracker.opening()
    for log, steps in zip(game.rounds, shown, strict=True):
        tracker.begin(log)
        for event, seats in zip(log.events, steps, strict=True):
            tracker.take(event)
            played = tracker.played
            assert played is not None
            if isinstance(event, Win | NoWin):
                continue  # the tracker then knows more than the table shows
            for seat, found in zip(played.seats, seats[: len(played.seats)], strict=True):
                assert found["hand"] == sorted(seat.tiles)
                assert found["river"] == seat.discards
                melds = [*(list(one.tiles) for one in seat.melds), *([n] for n in seat.norths)]
                assert sorted(found["melds"]) == sorted(melds)
                assert found["score"] == played.scores[seat.number]
                compared += 1
    assert compared > 2000


def test_everything_has_a_name_for_who_does_not_see_it(page: Page) -> None:
    page.show(LOGS["three"])
    page.run(
        "document.querySelector('details').open = true; document.getElementById('last').click()"
    )
    parts = page.all(
        "button, select, input, textarea, [role=img], [role=group], section:not([hidden])"
    )
    named = [(part.tag_name, part.accessible_name) for part in parts if part.is_displayed()]
    assert len(named) > 30
    # the row of download buttons is a section without a heading
    assert [name for name in named if not name[1]] in ([], [("section", "")])
    assert len({part.get_attribute("id") for part in page.all("[id]")}) == len(page.all("[id]"))
    hands = [part.accessible_name for part in page.all(".seat > [role=img]:nth-of-type(1)")]
    assert any("of circles" in name for name in hands)
    for mark in page.all(".mark"):
        assert mark.text in ("equal", "differs", "not checked", "none")
        assert mark.find_elements(By.TAG_NAME, "svg")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_axe_finds_nothing(page: Page, width: int, scheme: str) -> None:
    """The rules of axe-core, contrast among them; it does not look into the drawings of tiles."""
    pytest.importorskip("axe_selenium_python", reason="axe-selenium-python is not installed")
    place = files("axe_selenium_python") / "node_modules" / "axe-core" / "axe.min.js"
    page.width(width)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    for text in (LOGS["a-tampered-draw"], ARCADE_TEXT):
        page.show(text)
        page.run(place.read_text("utf-8"))
        passed, violations = page.driver.execute_async_script(
            "const done = arguments[0];"
            "const drawn = [['.tile'], ['.sprite'], ['.board use']];"
            "axe.run({exclude: drawn}, {preload: false, iframes: false, "
            "resultTypes: ['violations']}).then((found) => done("
            "[found.passes.length, found.violations.map((one) => [one.id, one.nodes[0].html])]))"
        )
        assert violations == []
        assert passed > 20
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.slow
def test_a_forged_game_shows_the_place(page: Page) -> None:
    page.show(LOGS["a-tampered-draw"])
    assert page(".verdict").text == "Contradiction"
    assert page(".verdict.mismatch").value_of_css_property("border-top-style") == "double"
    page("#goto").click()
    assert page("#told").text.startswith("71 of ")
    assert page("#told .mark").text == "differs"
    page("body").send_keys(Keys.TAB)  # away from the slider
    page("#forward").click()
    assert page("#told .mark").text == "not checked"
    report = verify(read_log(LOGS["a-tampered-draw"].encode("utf-8")))
    assert report.difference is not None
    for language, text in translations(report.difference.sentence).items():
        Select(page("#language")).select_by_value(language)
        assert page(".message").text == text
        assert page(".message").get_attribute("lang") in (None, "")
    assert page.complaints() == []


def test_three_languages(page: Page) -> None:
    page.show(LOGS["plain"])
    for language, tag in (("ja", "ja"), ("zh", "zh-Hans"), ("en", "en")):
        Select(page("#language")).select_by_value(language)
        assert page.run("return document.documentElement.lang") == tag
        assert page.driver.title == word("title", language)
        assert page(".verdict").text == word("verdict.verified", language)
        assert page("#verdict-title").text == word("verdict.title", language)
        assert word("trust.tenhou.verifiable", language) in page("#trust").text
        shown = page("#told").text
        assert (word("event.deal", "en")[:8] in shown) == (language == "en")
    assert page.complaints() == []


@pytest.mark.slow
def test_a_phone(page: Page) -> None:
    page.width(360)
    outside = (
        "return [...document.querySelectorAll('main *')].filter((one) => "
        "!one.closest('svg, .scroll, .words, .file, thead') && "
        "one.getBoundingClientRect().right > 361).map((one) => one.outerHTML.slice(0, 80))"
    )
    for text in (LOGS["south"], ARCADE_TEXT, SEED):
        page.show(text)
        page.run("document.getElementById('last')?.click()")
        assert page.run(outside) == []
        assert page.run("return document.documentElement.scrollWidth") <= 360
    for button in page.all(".bar button"):
        assert min(button.size.values()) >= 40


def test_a_hostile_log_is_text(page: Page) -> None:
    page.run("window.alert = () => { document.title = 'alert'; }")
    page.show(named(LOGS["plain"], HOSTILE))
    assert HOSTILE in page(".seats").text
    assert page.all("main img") == []
    page.show("<mjloggm>" + HOSTILE)
    assert page.status().startswith("Not shown: line 1")
    # and what it could not do anyway: the policy runs no script that stands in the page
    page.run(
        "const s = document.createElement('script'); s.textContent = 'document.title = `ran`';"
        "document.body.append(s); document.body.setAttribute('onclick', 'document.title = `ran`');"
        "document.body.click()"
    )
    assert page.driver.title == word("title", "en")
    assert any("Content Security Policy" in message for message in page.complaints())


def test_fifty_megabytes(page: Page) -> None:
    """Pasted or dropped: told at once, without a request, and the page goes on."""
    page.run(
        "const data = new DataTransfer(); data.setData('text/plain', 'x'.repeat(50 << 20));"
        "document.getElementById('text').dispatchEvent(new ClipboardEvent('paste',"
        " {clipboardData: data, bubbles: true, cancelable: true}));"
    )
    assert page.status() == "That is 50 MB; at most 8 MB are read."
    page.run(
        "document.getElementById('status').textContent = '';"
        "const data = new DataTransfer();"
        "data.items.add(new File([new Uint8Array(50 << 20)], 'x'));"
        "document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true}));"
    )
    assert page.status() == "That is 50 MB; at most 8 MB are read."
    page.run(
        "const data = new DataTransfer(); data.items.add(new File([arguments[0]], 'game.xml'));"
        "document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true}));",
        LOGS["plain"],
    )
    page.until("document.getElementById('status').textContent.startsWith('Shown')")
    assert page(".verdict").text == "Verified"


def test_mj_arcade_and_a_machine(page: Page, tmp_path: Path) -> None:
    page.show(ARCADE_TEXT)
    assert len(page.all(".board use")) == 136 + 2
    assert len(page.all(".side .tile")) == 136
    assert "opened behind stack" in page("#play").text
    page("[data-cpu='6502']").click()
    page.until("document.querySelector('#machine-results .mark') !== null")
    assert "cycles" in page("#machine-results").text
    page.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    for name in ("json", "html"):
        page(f"#save-{name}").click()
        file = tmp_path / f"fairdeck.{name}"
        WebDriverWait(page.driver, _PATIENCE, 0.05).until(lambda _, file=file: file.exists())
    found = json.loads((tmp_path / "fairdeck.json").read_text("utf-8"))
    assert found["machines"][0]["cpu"] == "6502"
    assert (
        found["rounds"]
        == json.loads(json.dumps(read_document(ARCADE_TEXT.encode(), Wanted())))["rounds"]
    )
    assert page.complaints() == []


def test_a_file_of_its_own(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    document = read_document(named(LOGS["plain"], HOSTILE).encode(), Wanted())
    file.write_text(static_page(document, "en"), "utf-8")
    page.open(file.as_uri())
    assert page(".verdict").text == "Verified"
    assert HOSTILE in page(".seats").text
    page("#forward").click()
    assert page("#told").text.startswith("1 of ")
    assert page.all("#form") == []
    loaded = page.run("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert [name for name in loaded if not name.startswith("data:")] == []
    assert page.complaints() == []
    page.run(
        "const s = document.createElement('script'); s.textContent = 'document.title = 1';"
        "document.body.append(s)"
    )
    assert page.driver.title == word("title", "en")


def test_what_was_named_on_the_command_line(page: Page) -> None:
    served = bound(0, "ja", SEED.encode(), Wanted(players=3))
    thread = threading.Thread(target=served.run, daemon=True)
    thread.start()
    page.open(served.address)
    page.until("!document.getElementById('result').hidden")
    assert page(".verdict").text == word("verdict.made", "ja")
    assert len(page.all(".seat")) == 3
    assert page.complaints() == []
    served.server.should_exit = True
    thread.join(_PATIENCE)
    assert not thread.is_alive()
