"""Chromium for the tests of the page. Without Chromium, its driver or Selenium, these tests are skipped."""

import json
from collections.abc import Iterator

import pytest
from chromium import WIDE, Browser, programs
from records import RECORDS, Record


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Give a Chromium with a profile of its own: one for all tests of a worker."""
    pytest.importorskip("selenium", reason="the extra `browser` is not installed: no Selenium")
    missing = [name for name, path in programs().items() if path is None]
    if missing:
        pytest.skip(f"the page is not tested: {' and '.join(missing)} not installed")
    browser = Browser(programs(), tmp_path_factory.mktemp("browser"))
    yield browser
    browser.close()


@pytest.fixture(params=RECORDS, ids=lambda record: record.name)
def record(request: pytest.FixtureRequest) -> Record:
    assert isinstance(request.param, Record)
    return request.param


@pytest.fixture(autouse=True)
def quiet(request: pytest.FixtureRequest) -> Iterator[None]:
    """Begin each test with the usual medium and size; after it, no network was used, and the console is empty."""
    if "browser" not in request.fixturenames:
        yield
    else:
        browser: Browser = request.getfixturevalue("browser")
        browser.media(prefers_color_scheme="light")
        browser.size(WIDE)
        yield
        assert browser.requests() == []
        assert browser.console() == [], json.dumps(browser.console(), indent=1)
