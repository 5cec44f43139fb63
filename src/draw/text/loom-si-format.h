/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats values of counters: three significant digits, with the SI prefix for which the number is from 1 to 999. May
 * be called on any thread. The decimal sign doesn't depend on the locale.
 */
#pragma once

#include <glib.h>

/* Returns a value with its unit, for example "93.7 %", "1.25 GiB", "310 MB/s", "12.4 k", "0.25". The unit "B" gets a
 * binary prefix (KiB), "%" gets none, and other units get a decimal prefix (k). `unit` "": no unit. NaN gives "–".
 * Zeros at the end of the fraction are removed; but 73.98 % is "74.0 %", because only 74 % is "74 %". Owned by the
 * caller. */
char *loom_si_format_value (double value, const char *unit);
/* Like loom_si_format_value(), but for a column of values: keeps zeros at the end of the fraction, and percentages
 * always have two decimals. Owned by the caller. */
char *loom_si_format_in_column (double value, const char *unit);

/* Returns the smallest of 1, 2, 2.5, 5 × 10ⁿ that is ≥ `value`, for the end of a scale or the distance of its ticks; 1
 * if `value` is not above 0. */
double loom_si_format_nice_above (double value);
