"""The wrong orders of a frame as options, for every command that draws one (`order/study.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from acclient_py.order.names import ALPHAS, ORDERS, RETAIL


def study_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--order` and `--alpha`; it takes them as `order` and `alpha`."""
    wrong = ", ".join(name for name in ORDERS if name != RETAIL)
    order = click.option(
        "--order",
        default=RETAIL,
        show_default=True,
        metavar="ORDER",
        help=f"Draw in a wrong order, for study: {wrong}. The picture says so.",
    )
    alpha = click.option(
        "--alpha",
        default=RETAIL,
        show_default=True,
        metavar="ORDER",
        help=f"What blended surfaces are drawn by: {' or '.join(ALPHAS)} (wrong, for study).",
    )
    return order(alpha(command))
