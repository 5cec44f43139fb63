/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact numbers: decimal microseconds, as every trace format here writes its times, become nanoseconds without ever
 * being a double. No locale. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A time with what is left below one ns: value = ns + atto / 10¹⁸ ns, atto in [0, 10¹⁸) also for negative values,
 * so `ns` is the floor. Digits beyond 18 below the ns are cut. */
typedef struct {
  gint64 ns;
  guint64 atto;
} LoomExactTime;

/* Parses a JSON number literal (also inside quotes, with blanks around) as microseconds; leading "+" and ".5" are
 * accepted. FALSE when it is not a finite number or does not fit. */
gboolean loom_parse_time_parse_us (const char *text, gsize length, LoomExactTime *time);

/* The same for seconds (system metrics' Timestamp). */
gboolean loom_parse_time_parse_s (const char *text, gsize length, LoomExactTime *time);

/* a + b, exact; saturates. */
LoomExactTime loom_parse_time_add_exact (LoomExactTime a, LoomExactTime b);

/* An integer literal (also inside quotes) that fits; a fraction of zeros ("7.0") is accepted. */
gboolean loom_parse_time_parse_int (const char *text, gsize length, gint64 *value);

/* Any finite JSON number literal (also inside quotes), for values that are drawn. */
gboolean loom_parse_time_parse_double (const char *text, gsize length, double *value);

G_END_DECLS
