/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to loom-query-span-scan.c and the other files that include this header. Tests whether a track, a row, a name
 * or an event meets the conditions of a scan (loom-query-span-scan.h).
 */
#pragma once

#include "loom-query-span-scan.h"

/* In a range of at most this many spans of a row (LoomQueryStretch), the texts of each span are compared with the
 * conditions. In a longer range, it takes less time to compare each name only once, and to store the result. */
#define LOOM_QUERY_SPAN_SHORT 64

static inline gboolean
loom_query_span_test_is_limited (LoomQueryLimits limits)
{
  return limits.least != G_MININT64 || limits.most != G_MAXINT64;
}

static inline gboolean
loom_query_span_test_is_empty (LoomQueryLimits limits)
{
  return limits.least > limits.most;
}

static inline gboolean
loom_query_span_test_is_within (LoomQueryLimits limits, gint64 value)
{
  return limits.least <= value && value <= limits.most;
}

/* Returns TRUE if a condition <> or IS NOT excludes the value of a column. */
gboolean loom_query_span_test_is_excluded (const LoomQuerySpanScan *scan, guint column, gint64 value);

/* Removes the conditions on texts, and the results that were stored for them. */
void loom_query_span_test_clear_texts (LoomQuerySpanScan *scan);

/* Sets the trace and the kind of the track from which events are read next. Whether the conditions allow a name depends
 * on the trace and on the kind of track. */
void loom_query_span_test_set_track (LoomQuerySpanScan *scan, guint32 t, const LoomTrack *track);

/* Sets scan->verdicts to the array that stores which names of this trace the conditions allow on this kind of track. If
 * this array does not exist yet, makes it if `make` is TRUE; otherwise sets scan->verdicts to NULL. */
void loom_query_span_test_use_verdicts (LoomQuerySpanScan *scan, gboolean make);

/* Returns TRUE if the conditions on texts allow a name of the current trace on the current kind of track. If the array
 * scan->verdicts exists, the result is read from this array; if the array does not contain it yet, it is computed and
 * stored in the array. */
gboolean loom_query_span_test_is_text_allowed (LoomQuerySpanScan *scan, guint32 name_id);

/* Returns FALSE if the conditions on texts allow none of the names of the trace on this kind of track. If the trace has
 * too few spans per name (LOOM_QUERY_SPANS_PER_NAME), returns TRUE without a test. */
gboolean loom_query_span_test_has_allowed_name (LoomQuerySpanScan *scan, guint32 t, const LoomTrack *track);

/* Returns TRUE if spans of this row may be nested in spans of a row above it. */
gboolean loom_query_span_test_is_row_nested (const LoomTrack *track, const LoomRow *row);
