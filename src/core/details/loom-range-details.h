/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the events of the visible range of unfolded ranks whose index alone is open, from the indexed files, and shows them in
 * the rows of these ranks in place of the summary. Reads as soon as the view rests, one rank at a time, in a worker; what a
 * moved view needs no more is cancelled, and what is no longer visible is given back. Where a file cannot be read, the row of the
 * rank says why, and the summary stays. Main thread only.
 *
 * A file that is not on this machine is only read through a command that the user gave for this run.
 */
#pragma once

#include "loom-serve-client.h"
#include "loom-timeline-state.h"

/* Maximum number of ranks whose events are shown at a time, from the top of the view on. */
#define LOOM_RANGE_DETAILS_MOST_RANKS 12u
/* Limit of the memory of all ranges in bytes, unless a quarter of the memory budget of the settings is less. */
#define LOOM_RANGE_DETAILS_MOST_BYTES (G_GUINT64_CONSTANT (512) << 20)

#define LOOM_TYPE_RANGE_DETAILS (loom_range_details_get_type ())
G_DECLARE_FINAL_TYPE (LoomRangeDetails, loom_range_details, LOOM, RANGE_DETAILS, GObject)

/* Takes a reference to the view. */
LoomRangeDetails *loom_range_details_new (LoomTimelineState *view);

/* Sets the command through which files of other machines are read from now on; NULL: none. Takes a reference. Ranks whose
 * files could not be read are tried again. */
void loom_range_details_set_through (LoomRangeDetails *self, LoomServeClient *through);

/* Returns TRUE if nothing is being read or about to be. */
gboolean loom_range_details_is_idle (LoomRangeDetails *self);
/* Returns the number of the detail that shows the events of a trace in the range; G_MAXUINT: none. */
guint loom_range_details_find (LoomRangeDetails *self, guint trace, LoomRange range);
/* Returns the memory that all ranges take, in bytes. */
guint64 loom_range_details_get_bytes (LoomRangeDetails *self);
