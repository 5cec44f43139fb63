# SPDX-License-Identifier: Apache-2.0
"""Units, clocks, reproducible random numbers and file writing for the sample run.

In these scripts every time is an integer: nanoseconds since the Unix epoch on the true clock. Writers convert times to
the unit of their format by integer arithmetic when they write, because doubles would lose digits.
"""
import gzip
import json
import os
import random
import time

US = 1000
MS = 1000 * US
S = 1000 * MS
SEED = 20250617
T0 = 1750154388 * S             # 2025-06-17 09:59:48 UTC, 12 s before the hour, so that files are in two hour folders


class Rng:
    """Random numbers based on random() only, whose sequence for a seed is the same in every version of Python."""

    def __init__(self, name):
        self.source = random.Random("%d %s" % (SEED, name))

    def ns(self, low, high):
        """Return an integer from low up to, not including, high."""
        return low + int(self.source.random() * (high - low))

    def real(self, low, high):
        """Return a float from low to high."""
        return low + self.source.random() * (high - low)

    def around(self, value, share):
        """Return a random integer that differs from value by at most that fraction of it."""
        return int(value * (1 + self.real(-share, share)))


class Clock:
    """A clock that reads true + offset_ns + drift_ppb * (true - reference_ns) / 10^9, rounded down."""

    def __init__(self, offset_ns=0, drift_ppb=0, reference_ns=T0):
        self.offset_ns, self.drift_ppb, self.reference_ns = offset_ns, drift_ppb, reference_ns

    def stamp(self, true_ns):
        """Return what this clock shows at a true time; never runs backwards."""
        return true_ns + self.offset_ns + (true_ns - self.reference_ns) * self.drift_ppb // S

    def truth(self):
        """Return the numbers that describe this clock."""
        return {"offset_ns": self.offset_ns, "drift_ppb": self.drift_ppb, "reference_ns": self.reference_ns}


def hour(ns):
    """Return the folder name YYYYMMDDHH (UTC) of a time."""
    return time.strftime("%Y%m%d%H", time.gmtime(ns // S))


def micros(ns):
    """Return a time or duration in ns as decimal µs with three digits, as text."""
    sign, ns = ("-", -ns) if ns < 0 else ("", ns)
    return "%s%d.%03d" % (sign, ns // US, ns % US)


def compact(value):
    """Return JSON without blanks."""
    return json.dumps(value, separators=(",", ":"))


def write(path, text, zipped=False):
    """Write text to a file, gzipped without name and time if asked; make its folder."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = text.encode()
    with open(path, "wb") as f:
        if not zipped:
            f.write(data)
            return
        with gzip.GzipFile(fileobj=f, mode="wb", filename="", mtime=0, compresslevel=9) as z:
            z.write(data)
