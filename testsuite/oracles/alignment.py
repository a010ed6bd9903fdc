#!/usr/bin/env python3
"""Two-level mappings by brute force, and the formulas of docs/mappings.md against it. usage: alignment.py [cases]"""
import random, sys
def owner(i, d, e, l, b, n): return ((d * i + e - l) // b) % n
def elements(p, lo, hi, d, e, l, b, n): return [i for i in range(lo, hi + 1) if owner(i, d, e, l, b, n) == p]
def count_below(x, p, lo, d, e, l, b, n):
    """elements of p in [lo, x): two sums of floors, each O(log) by floor_sum"""
    c = e - l
    return sum((d * i + c - p * b) // (b * n) - (d * i + c - (p + 1) * b) // (b * n) for i in range(lo, x))
def block(j, lo, hi, d, e, l, b):
    """first and last element in template block j (cells j*b .. j*b+b-1)"""
    c = e - l; x, y = (j * b - c, j * b + b - 1 - c) if d > 0 else (-(j * b + b - 1 - c), -(j * b - c))
    a = abs(d); return max(lo, -(-x // a)), min(hi, y // a)
def check(rng):
    d = rng.choice([1, 2, 3, 5, 7, -1, -2, -3, -5]); b = rng.randint(1, 9); n = rng.randint(1, 5); lo = rng.randint(-4, 4); hi = lo + rng.randint(-1, 40); l = rng.randint(-3, 3)
    e = l + rng.randint(0, 9) - min(d * lo, d * hi)
    Q = b * n // __import__('math').gcd(d, b * n)
    for p in range(n):
        mine = elements(p, lo, hi, d, e, l, b, n)
        for i in mine: assert count_below(i, p, lo, d, e, l, b, n) == mine.index(i)
        inside = []
        for j in range(0, (max(d * lo, d * hi) + e - l) // b + 2):
            if j % n == p:
                x, y = block(j, lo, hi, d, e, l, b); inside += range(x, y + 1)
                if abs(d) > b: assert y - x + 1 <= 1
                elif x > lo and y < hi and x <= y: assert y - x + 1 in (b // abs(d), -(-b // abs(d)))
        assert sorted(inside) == mine
    for i in range(lo, hi + 1 - Q): assert owner(i, d, e, l, b, n) == owner(i + Q, d, e, l, b, n)
rng = random.Random(1)
for k in range(int(sys.argv[1]) if len(sys.argv) > 1 else 2000): check(rng)
print('ok')
