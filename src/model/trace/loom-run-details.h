/* SPDX-License-Identifier: Apache-2.0
 *
 * Details of a run. A trace that was read from an index file contains only sums of most spans of the host. To show
 * single events of a time range, the program reads this range from the indexed file, and adds it to the run as a detail
 * of the trace. A detail is a LoomTrace, too; the numbers of details follow the numbers of the traces.
 *
 * loom_run_get_trace() accepts the number of a detail and returns the detail. loom_run_get_first_source() and
 * loom_run_get_first_clock() also accept this number, and return the source and the clock of the trace to which the
 * detail belongs. loom_run_get_n_traces() does not count details, so loops over all traces do not include them. Apart
 * from its details, a run is immutable.
 */
#pragma once

#include "loom-run.h"

/* Adds `detail` to the trace with the number `trace`, which was read from an index. `detail` contains single events of
 * this trace. Takes a reference to `detail`. Returns the number of the detail; G_MAXUINT if the run has
 * LOOM_RUN_MOST_DETAILS details already. Must be called on the main thread. */
#define LOOM_RUN_MOST_DETAILS 32u
guint loom_run_details_add (LoomRun *run, guint trace, LoomTrace *detail);
/* Returns TRUE if the run has LOOM_RUN_MOST_DETAILS details. Removed details count until they are freed. Must be called
 * on the main thread. */
gboolean loom_run_details_is_full (const LoomRun *run);
/* Removes a detail that loom_run_details_add() has added. Other threads may continue to read it, because it is freed
 * only by loom_run_details_free_removed() or with the run. Must be called on the main thread. */
void loom_run_details_remove (LoomRun *run, guint detail);
/* Returns TRUE for the number of a detail that was removed or freed. Must be called on the main thread. */
gboolean loom_run_details_is_removed (const LoomRun *run, guint number);
/* Frees the details that were removed. No other thread may still use them. Returns the number of freed details. Must be
 * called on the main thread. */
guint loom_run_details_free_removed (LoomRun *run);
/* Returns TRUE if a trace, or a detail that has not been freed, has this number. May be called on any thread. */
gboolean loom_run_details_has_trace (const LoomRun *run, guint number);
/* Returns the number of the trace to which a detail belongs. If `number` is that of a trace, returns `number`. */
guint loom_run_details_get_whole (const LoomRun *run, guint number);
