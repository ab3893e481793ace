"""Polynomials over GF(2) as ints, bit i for x^i: enough to find the cycles of a register.

A register whose polynomial is a product of different irreducible factors has,
for each choice of factors, cycles as long as the least common multiple of the
orders of x modulo those factors (Golomb, Shift Register Sequences, 1967).
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import lcm, prod


def multiply(a: int, b: int) -> int:
    """The product."""
    result = 0
    while b:
        if b & 1:
            result ^= a
        a, b = a << 1, b >> 1
    return result


def divide(a: int, b: int) -> tuple[int, int]:
    """Quotient and remainder."""
    quotient = 0
    while a.bit_length() >= b.bit_length():
        shift = a.bit_length() - b.bit_length()
        quotient ^= 1 << shift
        a ^= b << shift
    return quotient, a


def factors(polynomial: int) -> list[int]:
    """The irreducible factors, smallest first, by trial division."""
    found: list[int] = []
    divisor = 0b10
    while 2 * (divisor.bit_length() - 1) <= polynomial.bit_length() - 1:
        quotient, rest = divide(polynomial, divisor)
        if rest == 0:
            found.append(divisor)
            polynomial = quotient
        else:
            divisor += 1
    return [*found, polynomial]


def power_of_x(exponent: int, modulus: int) -> int:
    """x to the ``exponent`` modulo ``modulus``."""
    result, square = 1, 0b10
    while exponent:
        if exponent & 1:
            result = divide(multiply(result, square), modulus)[1]
        square = divide(multiply(square, square), modulus)[1]
        exponent >>= 1
    return result


def primes(number: int) -> list[int]:
    """The different prime factors."""
    found, divisor = [], 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            found.append(divisor)
            while number % divisor == 0:
                number //= divisor
        divisor += 1
    return [*found, number] if number > 1 else found


def order_of_x(irreducible: int) -> int:
    """The least k > 0 with x^k = 1 modulo an irreducible polynomial."""
    order = (1 << (irreducible.bit_length() - 1)) - 1
    assert power_of_x(order, irreducible) == 1
    for prime in primes(order):
        while order % prime == 0 and power_of_x(order // prime, irreducible) == 1:
            order //= prime
    return order


def cycles(polynomial: int) -> Counter[int]:
    """Cycle length -> number of cycles of the nonzero states of the register."""
    found: Counter[int] = Counter()
    parts = factors(polynomial)
    assert len(set(parts)) == len(parts), "repeated factors need another rule"
    for size in range(1, len(parts) + 1):
        for chosen in combinations(parts, size):
            length = lcm(*(order_of_x(part) for part in chosen))
            states = prod((1 << (part.bit_length() - 1)) - 1 for part in chosen)
            found[length] += states // length
    return found
