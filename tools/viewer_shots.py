"""Take the pictures of docs/viewer.md: a game in the viewer's file, on a wide page and a phone.

Needs selenium, Chromium and its driver: python tools/viewer_shots.py
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from fairdeck.viewer.document import Wanted, read_document
from fairdeck.viewer.page import static_page

ROOT = Path(__file__).parents[1]
GAMES = ROOT / "tests" / "vectors" / "tenhou_games.json"
STEP = 66
PLACES = {"viewer-desktop.png": (1200, 1010), "viewer-phone.png": (360, 740)}
"""Width and height of each picture."""


def main() -> None:
    """Write the pictures."""
    games = json.loads(GAMES.read_text("utf-8"))["logs"]
    log = next(game["xml"] for game in games if game["name"] == "south")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    with TemporaryDirectory() as folder:
        page = Path(folder) / "game.html"
        page.write_text(static_page(read_document(log.encode(), Wanted()), "en"), "utf-8")
        for name, (width, height) in PLACES.items():
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            driver.get(page.as_uri())
            driver.execute_script(
                f"for (let i = 0; i < {STEP}; i++) document.getElementById('forward').click();"
                "document.getElementById('play').scrollIntoView();"
            )
            driver.save_screenshot(str(ROOT / "docs" / "pictures" / name))
    driver.quit()


if __name__ == "__main__":
    main()
