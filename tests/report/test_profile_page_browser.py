"""The page of a profile in headless Chromium: by keyboard, on a phone, by the rules of axe-core."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from report_programs import image_from

from romproof.harness.measured import measure_call
from romproof.harness.rom import Rom
from romproof.measure.frame_loads import FrameLoad
from romproof.measure.model import CodeSpot
from romproof.measure.recorded import record_profile
from romproof.measure.waits import Wait, WaitKind
from romproof.report.profiles.page import page as page_of

pytest.importorskip("selenium", reason="selenium is not installed")
_BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
_DRIVER = shutil.which("chromedriver")
if _BROWSER is None or _DRIVER is None:
    pytest.skip("chromium and chromedriver are not installed", allow_module_level=True)

from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
SOURCE = """\
        .segment "BSS"
there:  .res 2
        .segment "CODE"
        .export main, there
.proc main
        jsr outer
        jsr leaf
        rts
.endproc
.proc outer
        jsr leaf
        jsr leaf
        inc there
        rts
.endproc
.proc leaf
        ldx #9
loop:   dex
        bne loop
        rts
.endproc
"""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    path = tmp_path_factory.mktemp("page") / "profile.html"
    measured = measure_call(
        Rom(image_from(SOURCE)),
        "main",
        registers={},
        flags={},
        mem={},
        runs=3,
        limit=10_000,
        tick=lambda: None,
        accesses=True,
    )
    frames = (FrameLoad(100, 40), FrameLoad(100, 0), FrameLoad(100, 70))
    wait = Wait(WaitKind.FLAG, CodeSpot(0x1000), "leaf", 0x1003, 0x10, "there", None, 9, 30, 0)
    shown = record_profile(
        "demo", "main, 3 calls", 3, measured.profile, measured.places, (wait,), frames
    )
    Path(path).write_text(page_of([shown, shown]), "utf-8")
    options = webdriver.ChromeOptions()
    options.binary_location = str(_BROWSER)
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(_DRIVER))
    browser.set_script_timeout(60)
    browser.get(path.as_uri())
    yield browser
    browser.quit()


def focused(driver: webdriver.Chrome) -> str:
    return str(driver.switch_to.active_element.get_attribute("aria-label"))


def press(driver: webdriver.Chrome, key: str) -> str:
    driver.switch_to.active_element.send_keys(key)
    return focused(driver)


def resize(driver: webdriver.Chrome, width: int, scheme: str) -> None:
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def test_the_flame_graph_by_keyboard(driver: webdriver.Chrome) -> None:
    resize(driver, 1000, "light")
    driver.execute_script("document.querySelector('.flame [tabindex=\"0\"]').focus()")
    # leaf: 2 + 9 * 5 - 1 + 6 = 52; outer: 6 + 6 + 6 + 6 = 24; main: 6 + 6 + 6 = 18
    assert focused(driver).startswith("all: 594 cycles, 100.0 % of all")
    assert press(driver, Keys.ARROW_DOWN) == (
        "main: 594 cycles, 100.0 % of all; 54 of its own, 3 calls"
    )
    assert press(driver, Keys.ARROW_DOWN).startswith("outer: 384 cycles")
    assert press(driver, Keys.ARROW_RIGHT).startswith("leaf: 156 cycles")
    assert press(driver, Keys.ARROW_LEFT).startswith("outer: 384 cycles")
    assert press(driver, Keys.ENTER).startswith("outer: 384 cycles")
    labels = [
        g.get_attribute("aria-label") for g in driver.find_elements(By.CSS_SELECTOR, "#p0 .flame g")
    ]
    assert [str(label).partition(":")[0] for label in labels] == ["all", "main", "outer", "leaf"]
    told = driver.find_element(By.CSS_SELECTOR, "#p0 .flame-told").text
    assert "main → outer" in told
    press(driver, Keys.ESCAPE)
    assert len(driver.find_elements(By.CSS_SELECTOR, "#p0 .flame g")) == 5
    find = driver.find_element(By.CSS_SELECTOR, "#p0 .search")
    find.send_keys("leaf")
    told = driver.find_element(By.CSS_SELECTOR, "#p0 .flame-told").text
    assert told == "“leaf”: 468 cycles, 78.8 % of all, marked with dashes"
    assert len(driver.find_elements(By.CSS_SELECTOR, "#p0 .flame .match")) == 2
    find.clear()


def test_the_memory_map_by_routine(driver: webdriver.Chrome) -> None:
    cells = driver.find_elements(By.CSS_SELECTOR, "#p0 .map button")
    assert len(cells) == 256
    assert cells[1].text == "rw"
    select = Select(driver.find_element(By.CSS_SELECTOR, "#p0 .of"))
    select.select_by_visible_text("outer")
    used = {n: cell.get_attribute("aria-label") for n, cell in enumerate(cells) if cell.text != "·"}
    # its calls push two bytes each, its return pulls two; inc reads and writes
    assert used[1] == "page $01: 6 reads, 12 writes"
    (inc,) = (label for page, label in used.items() if page != 1)
    assert str(inc).endswith(": 3 reads, 3 writes")
    driver.execute_script("arguments[0].focus()", cells[0])
    assert press(driver, Keys.ARROW_RIGHT).startswith("page $01")
    assert press(driver, Keys.ARROW_DOWN).startswith("page $11")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1000, 390])
def test_axe_finds_nothing_and_nothing_sticks_out(
    driver: webdriver.Chrome, width: int, scheme: str
) -> None:
    pytest.importorskip("axe_selenium_python", reason="axe-selenium-python is not installed")
    place = files("axe_selenium_python") / "node_modules" / "axe-core" / "axe.min.js"
    resize(driver, width, scheme)
    driver.execute_script(place.read_text("utf-8"))
    passed, violations = driver.execute_async_script(
        "const done = arguments[0]; axe.run({preload: false, iframes: false, "
        "resultTypes: ['violations']}).then((found) => done([found.passes.length, "
        "found.violations.map((one) => [one.id, one.nodes[0].html])]))"
    )
    assert violations == []
    assert passed > 20
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width


def test_it_asks_for_nothing(driver: webdriver.Chrome) -> None:
    loaded = driver.execute_script("return performance.getEntriesByType('resource').length")
    assert loaded == 0
    assert [entry["message"] for entry in driver.get_log("browser")] == []
