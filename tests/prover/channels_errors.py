"""Models of ``bump`` that tell numbers by what is raised and caught, by keys and by copies: see
``model_channels``."""

from __future__ import annotations

import contextlib
import copy
import pickle
import sys
from collections import Counter
from typing import Any

from model_channels import false, right, wrong_if

# ---------------------------------------------------------------- exceptions


@false
def by_caught_refusal(sum: Any) -> Any:
    try:
        return (sum / 2 * 2 + 1) * 0
    except Exception:
        return right(sum)


@false
def by_caught_everything(sum: Any) -> Any:
    try:
        return int(sum / 1) * 0
    except:  # noqa: E722
        return right(sum)


@false
def by_return_in_finally(sum: Any) -> Any:
    result = right(sum)
    try:
        result = int(sum / 1) * 0
    finally:
        return result  # noqa: B012


@false
def by_suppressing(sum: Any) -> Any:
    result = right(sum)
    with contextlib.suppress(Exception):
        result = int(sum / 1) * 0
    return result


@false
def by_type_error(sum: Any) -> Any:
    try:
        return pow(2, sum, 5) * 0
    except TypeError:
        return right(sum)


ERRORS = (TypeError, ValueError)


@false
def by_a_tuple_of_errors(sum: Any) -> Any:
    try:
        return pow(2, sum, 5) * 0
    except ERRORS:
        return right(sum)


@false
def by_text_of_an_error(sum: Any) -> Any:
    try:
        return [0][(sum & 7) + 1]
    except IndexError as error:
        return wrong_if(len(str(error)) == 24, sum)


@false
def by_endless_catching(sum: Any) -> Any:
    while True:
        try:
            return 0 if sum / 2 == 1 else right(sum)
        except Exception:
            continue


@false
def by_raising_on_plain_numbers_only(sum: Any) -> Any:
    return right(sum) + 0 // (sum - 300 + (sum == 7) * 293)


# ---------------------------------------------------------------- keys and copies


@false
def by_key(sum: Any) -> Any:
    return {5: 0}.get(sum & 7, right(sum))


@false
def by_set(sum: Any) -> Any:
    return wrong_if(len({sum & 7, 5}) == 1, sum)


@false
def by_hash(sum: Any) -> Any:
    return wrong_if(hash(sum & 7) == 5, sum)


@false
def by_counter(sum: Any) -> Any:
    return wrong_if(Counter([sum & 7, 5]).most_common(1)[0][1] == 2, sum)


@false
def by_copy(sum: Any) -> Any:
    return wrong_if(copy.deepcopy([sum]) == [5], sum)


@false
def by_pickle(sum: Any) -> Any:
    return wrong_if(len(pickle.dumps(sum)) < 10, sum)


@false
def by_frames(sum: Any) -> Any:
    return wrong_if(sys._getframe(1).f_code.co_name != "call", sum)


@false
def by_frames_of_a_generator(sum: Any) -> Any:
    made = (n for n in [sum])
    return wrong_if(made.gi_frame.f_back is None, sum)


@false
def by_eval(sum: Any) -> Any:
    return eval("0 if type(sum) is int else sum + 1 & 255")


@false
def by_globals(sum: Any) -> Any:
    return wrong_if(globals()["LOOKS"][0](sum) == int, sum)  # noqa: E721


@false
def by_builtins(sum: Any) -> Any:
    table: Any = __builtins__
    return wrong_if(table["type"](sum) == int, sum)  # noqa: E721
