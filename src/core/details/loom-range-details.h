/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows events of ranks of which only an index file is open. An index file is a small file with a summary of a trace.
 * For the unfolded ranks that are in view, this object reads the events of the visible range from the traces of which
 * the index files were made. It shows these events in the rows of the ranks, in place of the summary.
 *
 * A worker thread reads one rank at a time, as soon as the view stops moving. When the view moves, reading is cancelled
 * if the events are no longer needed, and events outside of the view are freed. If a file cannot be read, the row of
 * the rank says why, and the summary stays. Main thread only.
 *
 * A file on another machine is read only if the user has given a command for reading such files of this run.
 */
#pragma once

#include "loom-serve-client.h"
#include "loom-timeline-state.h"

/* Maximum number of ranks whose events are shown at the same time. They are the topmost ranks in the view. */
#define LOOM_RANGE_DETAILS_MOST_RANKS 12u
/* Maximum memory of all ranges, in bytes. If a quarter of the memory budget in the settings is less, this quarter is
 * the maximum. */
#define LOOM_RANGE_DETAILS_MOST_BYTES (G_GUINT64_CONSTANT (512) << 20)

#define LOOM_TYPE_RANGE_DETAILS (loom_range_details_get_type ())
G_DECLARE_FINAL_TYPE (LoomRangeDetails, loom_range_details, LOOM, RANGE_DETAILS, GObject)

/* Makes an object that shows events in the rows of the view. Takes a reference to the view. */
LoomRangeDetails *loom_range_details_new (LoomTimelineState *view);

/* Sets the command with which files on other machines are read from now on, and takes a reference to it; NULL: these
 * files are not read. In both cases, tries again to read the ranges that could not be read before. */
void loom_range_details_set_through (LoomRangeDetails *self, LoomServeClient *through);

/* Returns TRUE if no range is being read, and no search for ranges to read is scheduled. */
gboolean loom_range_details_is_idle (LoomRangeDetails *self);
/* Returns the number of a detail of a trace. A detail is a trace with the events of a time range
 * (loom-run-details.h). The returned detail contains the events of the whole `range`. Returns G_MAXUINT if there is
 * no such detail. */
guint loom_range_details_find (LoomRangeDetails *self, guint trace, LoomRange range);
/* Returns the memory of all ranges, in bytes. */
guint64 loom_range_details_get_bytes (LoomRangeDetails *self);
