"""A page as Chromium shows it, where there is one."""

import json
import re
import shutil
import subprocess
from base64 import b64encode
from hashlib import sha256

__all__ = ["BROWSER", "hash_of", "seen_in_browser", "with_script"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)


def hash_of(script):
    """Return by which a page names a script that may run."""
    return f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"


def with_script(text, script):
    """Return the page with a script of the test, which it allows beside its own."""
    text = text.replace("script-src '", f"script-src '{hash_of(script)}' '", 1)
    return text.replace("</title>", f"</title><script>{script}</script>", 1)


def seen_in_browser(path, width):
    """Return what the script of the test noted; the console must be free of errors."""
    command = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-breakpad"]
    command += [f"--user-data-dir={path.parent / 'profile'}", "--enable-logging=stderr"]
    command += ["--virtual-time-budget=4000", f"--window-size={width},900", "--dump-dom"]
    command.append(path.as_uri())
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert "data-error" not in done.stdout
    assert not re.search(r"CONSOLE.*(error|Uncaught|Refused)", done.stderr, re.IGNORECASE)
    found = re.search(r'data-seen="([^"]+)"', done.stdout)
    return json.loads(found.group(1).replace("&quot;", '"'))
