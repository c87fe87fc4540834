"""The server of `mjconv serve`, as a process, for the tests of its page."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from corpus_files import CORPUS


@contextmanager
def serving(*options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Give the address of a server, and its process, which is killed."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    command = [sys.executable, "-m", "mjconv", "serve", "--jobs", "1", "--port", str(port), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        for _ in range(100):
            try:
                urllib.request.urlopen(address).close()
                break
            except urllib.error.URLError:
                time.sleep(0.1)
        try:
            yield address, process
        finally:
            process.kill()


def choose(browser: Any, address: str, *files: str) -> None:
    """Open the page, choose files of the corpus, and wait for the replay of the first one."""
    browser.driver.get(address)
    browser.driver.find_element("id", "file").send_keys("\n".join(str(CORPUS / file) for file in files))
    browser.wait("return !!document.getElementById('replay')")
    browser.driver.switch_to.frame("replay")
    browser.wait("return document.documentElement.dataset.ready !== undefined")
    browser.driver.switch_to.default_content()
