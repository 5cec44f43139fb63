/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of counters as text: three significant digits and the prefix that keeps them between 1 and 999.
 * Any thread; the locale's decimal sign is not used.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "93.7 %", "1.25 GiB", "310 MB/s", "12.4 k", "0.25". Unit "B" takes binary prefixes, other units decimal ones, "%"
 * none; "" is no unit. NaN: "–". Owned. */
char *loom_si_format_value (double value, const char *unit);

/* The smallest of 1, 2, 2.5, 5 × 10ⁿ that is not below: the end of a scale, the distance of its ticks. 1 for what is not
 * above 0. */
double loom_si_format_nice_above (double value);

G_END_DECLS
