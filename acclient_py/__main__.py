"""`python -m acclient_py` is the command `acclient`."""

from __future__ import annotations

from acclient_py.cli.main import main

if __name__ == "__main__":
    main()
