/* SPDX-License-Identifier: Apache-2.0
 *
 * Holds the data frame (LoomDataFrame: spans and hardware samples in columns) from which all pages of the analysis are
 * computed. The data frame is made once per timeline, by the first worker that needs it. Any thread.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct _LoomAnalysisTables LoomAnalysisTables;

/* Returns the number convention that applies to the run: `wanted`, or Traceloom's own convention if `wanted` is
 * SageMaker's convention and the run has no sources that smdebug can read. */
LoomNumberConvention loom_analysis_tables_choose_numbers (LoomNumberConvention wanted, LoomRun *run);

/* Makes tables for a timeline, to which it takes a reference. */
LoomAnalysisTables *loom_analysis_tables_new (LoomTimeline *timeline, LoomNumberConvention numbers);
LoomAnalysisTables *loom_analysis_tables_ref (LoomAnalysisTables *self);
void loom_analysis_tables_unref (LoomAnalysisTables *self);

/* Returns a reference to the data frame; NULL when cancelled. Waits while another thread makes the data frame. */
LoomDataFrame *loom_analysis_tables_get_frame (LoomAnalysisTables *self);
LoomTimeline *loom_analysis_tables_get_timeline (LoomAnalysisTables *self); /* borrowed */
gboolean loom_analysis_tables_are_made (LoomAnalysisTables *self);
/* Returns the object that reports the progress of making the data frame and that cancels this work. Cancelling a
 * question does not cancel the work, because the next question needs the data frame too; dropping the timeline cancels
 * it. Borrowed. */
GCancellable *loom_analysis_tables_get_progress (LoomAnalysisTables *self);
