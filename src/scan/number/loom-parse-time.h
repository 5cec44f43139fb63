/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses numbers of traces exactly. Times are decimal numbers of microseconds, as in all trace formats that the program
 * reads, and are converted to nanoseconds without using doubles. Does not depend on the locale. The functions may be
 * called on any thread.
 */
#pragma once

#include <glib.h>

/* A time with a fraction below one ns: value = ns + atto / 10¹⁸ ns. `atto` is in [0, 10¹⁸), so `ns` is the floor of the
 * value, for negative values, too. Digits beyond 10⁻¹⁸ ns are dropped. */
typedef struct {
  gint64 ns;
  guint64 atto;
} LoomExactTime;

/* Parses a JSON number literal (also in quotes, and with blanks around it) as microseconds. A leading "+", and numbers
 * such as ".5", are accepted. Returns FALSE if the literal is not a finite number, or if the time does not fit into
 * `time`. */
gboolean loom_parse_time_parse_us (const char *text, gsize length, LoomExactTime *time);

/* Does the same as loom_parse_time_parse_us() for a literal in seconds, such as the member Timestamp of system
 * metrics. */
gboolean loom_parse_time_parse_s (const char *text, gsize length, LoomExactTime *time);

/* Returns the exact sum of two times; saturates on overflow. */
LoomExactTime loom_parse_time_add_exact (LoomExactTime a, LoomExactTime b);

/* Parses an integer literal (also in quotes); a fraction of zeros ("7.0") is accepted. Returns FALSE if the number does
 * not fit into `value`. */
gboolean loom_parse_time_parse_int (const char *text, gsize length, gint64 *value);

/* Parses any finite JSON number literal (also in quotes) as a double. The result is rounded, so it is used for values
 * that are drawn, not for times. */
gboolean loom_parse_time_parse_double (const char *text, gsize length, double *value);
