"""The alarm behind ``--timeout``: it ends what does not look at the clock, wherever it rings."""

from __future__ import annotations

import sys
import time
from typing import NoReturn

import pytest

from satdip.base.budget import Alarm
from satdip.cli.deadline import limited


def spin() -> NoReturn:
    while True:
        pass


def test_what_does_not_look_at_the_clock_is_ended() -> None:
    with pytest.raises(Alarm), limited(0.01):
        spin()


class Dying:
    """An object that takes its time to die; what is raised meanwhile is lost, and Python prints it."""

    lost = 0

    def __del__(self) -> None:
        end = time.monotonic() + 10
        try:
            while time.monotonic() < end:
                pass
        except Alarm:
            Dying.lost += 1
            raise


def outlive_one() -> NoReturn:
    dying = Dying()
    del dying
    spin()


def test_an_alarm_that_is_lost_in_a_dying_object_rings_again_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    Dying.lost, hook = 0, sys.unraisablehook
    with pytest.raises(Alarm), limited(0.01):
        outlive_one()
    assert Dying.lost == 1
    assert sys.unraisablehook is hook
    assert capfd.readouterr().err == ""


def test_what_else_is_lost_is_told_as_ever() -> None:
    class Bad:
        def __del__(self) -> None:
            raise ValueError("told")

    heard: list[object] = []
    usual = sys.unraisablehook
    sys.unraisablehook = lambda raised: heard.append(raised.exc_value)
    try:
        with limited(60):
            bad = Bad()
            del bad
    finally:
        sys.unraisablehook = usual
    assert [str(error) for error in heard] == ["told"]
