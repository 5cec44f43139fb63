/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the events of ranks of which only an index is open; an index is a small file with a summary of a trace. For the
 * unfolded ranks in view, reads the events of the visible range from the traces of which the indexes were made, and
 * shows these events in the rows of the ranks instead of the summary. A worker reads one rank at a time, as soon as the
 * view has stopped moving. When the view moves, reads that are not needed any more are cancelled, and events that are
 * no longer visible are freed. If a file cannot be read, the row of the rank says why, and the summary stays. Main
 * thread only.
 *
 * A file that is on another machine is read only through a command that the user gave for this run.
 */
#pragma once

#include "loom-serve-client.h"
#include "loom-timeline-state.h"

/* Maximum number of ranks whose events are shown at the same time; these are the topmost ranks of the view. */
#define LOOM_RANGE_DETAILS_MOST_RANKS 12u
/* Maximum memory that all ranges may take, in bytes. If a quarter of the memory budget in the settings is less than
 * this, the quarter is the maximum. */
#define LOOM_RANGE_DETAILS_MOST_BYTES (G_GUINT64_CONSTANT (512) << 20)

#define LOOM_TYPE_RANGE_DETAILS (loom_range_details_get_type ())
G_DECLARE_FINAL_TYPE (LoomRangeDetails, loom_range_details, LOOM, RANGE_DETAILS, GObject)

/* Makes an object that shows events in the rows of the view. Takes a reference to the view. */
LoomRangeDetails *loom_range_details_new (LoomTimelineState *view);

/* Sets the command through which files on other machines are read from now on; NULL: they are not read. Takes a
 * reference. Tries again to read ranges that could not be read. */
void loom_range_details_set_through (LoomRangeDetails *self, LoomServeClient *through);

/* Returns TRUE if no range is being read, and the view is not about to be examined for ranges to read. */
gboolean loom_range_details_is_idle (LoomRangeDetails *self);
/* Returns the number of the detail that shows the events of a trace in the whole `range`; a detail is a trace with the
 * events of a time range (loom-run-details.h). G_MAXUINT: there is no such detail. */
guint loom_range_details_find (LoomRangeDetails *self, guint trace, LoomRange range);
/* Returns the memory that all ranges take, in bytes. */
guint64 loom_range_details_get_bytes (LoomRangeDetails *self);
