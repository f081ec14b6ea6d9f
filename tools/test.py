"""Set everything up and run the tests: python3 tools/test.py [--lane NAME] [-- PYTEST ARGUMENTS]

Without arguments: the whole suite, on two processes, with an Xvfb of its own where there is no
display. `--lane NAME` runs a long lane instead (--list-lanes names them). What stands after `--`
goes to pytest.
"""

# Old Pythons read this file too, to be told so: nothing newer than Python 2.7 may stand here.
import sys

if sys.version_info < (3, 11):
    sys.stderr.write(
        "acclient: error: this is Python %d.%d, and 3.11 or newer is needed; "
        "install it, then run: python3.11 tools/test.py\n" % sys.version_info[:2]
    )
    sys.exit(2)

import console
import lanes
import prepare


def main(arguments):
    """Set up, then run pytest as often as the lane says; the exit code."""
    if arguments in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if arguments == ["--list-lanes"]:
        for name in sorted(lanes.LANES):
            print("%-10s %s" % (name, lanes.LANES[name].what))
        return 0
    lane, setup_only, rest = lanes.parse(arguments)
    python = prepare.prepare(["run", "test"], strict=False)
    if setup_only:
        return 0
    return lanes.run(python, lane, rest)


if __name__ == "__main__":
    sys.exit(console.guarded(main, sys.argv[1:]))
