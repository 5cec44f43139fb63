/* SPDX-License-Identifier: Apache-2.0
 *
 * The marks that the user sets at times of the timeline: a GArray of LoomMarker, ascending. Labels are interned
 * strings. Only one thread may use a list.
 */
#pragma once

#include "loom-timeline-painter.h"

/* Removes the mark at `time_ns`; but if the mark is temporary and `temporary` is FALSE, makes the mark permanent
 * instead of removing it. If there is no mark, adds a mark; a new temporary mark replaces the previous temporary
 * mark. */
void loom_markers_toggle (GArray *marks, gint64 time_ns, gboolean temporary);
/* Removes the marks at both ends of a range if both exist; otherwise adds the missing ones. New temporary marks replace
 * all earlier temporary marks. */
void loom_markers_toggle_ends (GArray *marks, LoomRange range, gboolean temporary);

/* Adds a permanent mark. Returns FALSE if there is a permanent mark at this time already. */
gboolean loom_markers_add (GArray *marks, gint64 time_ns, const char *label);

/* Removes the marks in the range, both ends included. Returns FALSE if the range contains no mark. */
gboolean loom_markers_remove (GArray *marks, LoomRange range);

/* Sets the label of the mark at `time_ns` and makes it permanent; NULL or "": removes the label. Returns FALSE if there
 * is no mark. */
gboolean loom_markers_set_label (GArray *marks, gint64 time_ns, const char *label);

/* Returns the mark nearest to `time_ns`, at most `within_ns` away; NULL if no mark is that near. */
const LoomMarker *loom_markers_nearest (const GArray *marks, gint64 time_ns, gint64 within_ns);
