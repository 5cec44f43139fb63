/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables that every page reads, made once for a timeline by whichever worker needs them first. Any thread.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct _LoomAnalysisTables LoomAnalysisTables;

/* The convention in force: SageMaker's numbers exist only for runs with sources that smdebug can read. */
LoomNumberConvention loom_analysis_tables_choose_numbers (LoomNumberConvention wanted, LoomRun *run);

/* Takes a reference to the timeline. */
LoomAnalysisTables *loom_analysis_tables_new (LoomTimeline *timeline, LoomNumberConvention numbers);
LoomAnalysisTables *loom_analysis_tables_ref (LoomAnalysisTables *self);
void loom_analysis_tables_unref (LoomAnalysisTables *self);

/* Returns a reference to the data frame; NULL when cancelled. Waits while another thread makes it. */
LoomDataFrame *loom_analysis_tables_get_frame (LoomAnalysisTables *self);
LoomTimeline *loom_analysis_tables_get_timeline (LoomAnalysisTables *self); /* borrowed */
gboolean loom_analysis_tables_are_made (LoomAnalysisTables *self);
/* A LoomProgressCancellable of the making, cancelled with the timeline and not with one question: the next one needs the tables
 * too. Borrowed. */
GCancellable *loom_analysis_tables_get_progress (LoomAnalysisTables *self);
