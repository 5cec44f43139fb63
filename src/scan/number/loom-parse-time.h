/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses numbers of traces exactly. Times are decimal numbers of microseconds, as in all trace formats that the program
 * reads, and are converted to nanoseconds without using doubles. Does not depend on the locale. Any thread.
 */
#pragma once

#include <glib.h>

/* A time with a fraction below one ns: value = ns + atto / 10¹⁸ ns, with atto in [0, 10¹⁸) also for negative values, so
 * `ns` is the floor. Digits beyond 10⁻¹⁸ ns are cut. */
typedef struct {
  gint64 ns;
  guint64 atto;
} LoomExactTime;

/* Parses a JSON number literal (also in quotes, and with blanks around it) as microseconds; a leading "+" and ".5" are
 * accepted. Returns FALSE if it is not a finite number or does not fit. */
gboolean loom_parse_time_parse_us (const char *text, gsize length, LoomExactTime *time);

/* Like loom_parse_time_parse_us(), for a number of seconds (such as Timestamp of system metrics). */
gboolean loom_parse_time_parse_s (const char *text, gsize length, LoomExactTime *time);

/* Returns the exact sum of two times; saturates on overflow. */
LoomExactTime loom_parse_time_add_exact (LoomExactTime a, LoomExactTime b);

/* Parses an integer literal (also in quotes); a fraction of zeros ("7.0") is accepted. Returns FALSE if it does not
 * fit. */
gboolean loom_parse_time_parse_int (const char *text, gsize length, gint64 *value);

/* Parses any finite JSON number literal (also in quotes) to a double. For values that are drawn. */
gboolean loom_parse_time_parse_double (const char *text, gsize length, double *value);
