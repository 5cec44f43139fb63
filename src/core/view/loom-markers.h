/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of marks: a GArray of LoomMarker, ascending. Labels are interned. One thread per list.
 */
#pragma once

#include "loom-timeline-painter.h"

G_BEGIN_DECLS

/* Removes the one at `time_ns`, else sets one; a temporary one takes the place of the last temporary one. */
void loom_markers_toggle (GArray *marks, gint64 time_ns, gboolean temporary);
/* The same at both ends of a range: removes the two when both are there. Two temporary ones take the place of all before. */
void loom_markers_toggle_ends (GArray *marks, LoomRange range, gboolean temporary);

/* One that stays. FALSE where one stays already. */
gboolean loom_markers_add (GArray *marks, gint64 time_ns, const char *label);

/* Removes what lies within the range, both ends included. FALSE when nothing did. */
gboolean loom_markers_remove (GArray *marks, LoomRange range);

/* Writes on the mark at `time_ns`, which stays from then on; NULL or "": takes its label away. FALSE: no mark there. */
gboolean loom_markers_set_label (GArray *marks, gint64 time_ns, const char *label);

/* The mark next to `time_ns`, at most `within_ns` away; NULL for none. */
const LoomMarker *loom_markers_nearest (const GArray *marks, gint64 time_ns, gint64 within_ns);

G_END_DECLS
