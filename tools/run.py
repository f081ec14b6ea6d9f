"""Set everything up and start the program: python3 tools/run.py [--setup-only] [ARGUMENTS]

Makes .venv beside this folder, installs the packages and what the system lacks, bakes the demo
world, compiles the kernels, and opens the viewer. Arguments go to `acclient`, for instance
`python3 tools/run.py frame border_walk -o out.png`. Run it as often as you like: what is done is
not done again. Needs nothing but Python 3.11 or newer.
"""

# Old Pythons read this file too, to be told so: nothing newer than Python 2.7 may stand here.
import sys

if sys.version_info < (3, 11):
    sys.stderr.write(
        "acclient: error: this is Python %d.%d, and 3.11 or newer is needed; "
        "install it, then run: python3.11 tools/run.py\n" % sys.version_info[:2]
    )
    sys.exit(2)

import console
import prepare


def main(arguments):
    """Set up, then hand over to `acclient`; the exit code."""
    if arguments in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    setup_only = "--setup-only" in arguments
    python = prepare.prepare(["run"])
    if setup_only:
        print("acclient: everything is set up; python3 tools/run.py starts it")
        return 0
    return console.start([str(python), "-m", "acclient_py"] + arguments)


if __name__ == "__main__":
    sys.exit(console.guarded(main, sys.argv[1:]))
