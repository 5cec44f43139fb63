/* SPDX-License-Identifier: Apache-2.0
 *
 * Holds the data frame (LoomDataFrame: spans and hardware samples in columns) from which all pages of the analysis are
 * computed. The data frame is made once per timeline, by the first worker that needs it. Any thread.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct _LoomAnalysisTables LoomAnalysisTables;

/* Returns the convention that applies to the run. This is `wanted`, except that SageMaker's numbers exist only for runs
 * with sources that smdebug can read. */
LoomNumberConvention loom_analysis_tables_choose_numbers (LoomNumberConvention wanted, LoomRun *run);

/* Makes tables for a timeline, to which it takes a reference. */
LoomAnalysisTables *loom_analysis_tables_new (LoomTimeline *timeline, LoomNumberConvention numbers);
LoomAnalysisTables *loom_analysis_tables_ref (LoomAnalysisTables *self);
void loom_analysis_tables_unref (LoomAnalysisTables *self);

/* Returns a reference to the data frame; NULL when cancelled. Waits while another thread makes the data frame. */
LoomDataFrame *loom_analysis_tables_get_frame (LoomAnalysisTables *self);
LoomTimeline *loom_analysis_tables_get_timeline (LoomAnalysisTables *self); /* borrowed */
gboolean loom_analysis_tables_are_made (LoomAnalysisTables *self);
/* Returns the progress of making the data frame. Cancelling a question does not cancel this work, because the next
 * question needs the data frame too; dropping the timeline does. Borrowed. */
GCancellable *loom_analysis_tables_get_progress (LoomAnalysisTables *self);
