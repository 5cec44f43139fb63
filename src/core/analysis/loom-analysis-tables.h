/* SPDX-License-Identifier: Apache-2.0
 *
 * Contains the data frame (LoomDataFrame: spans and hardware samples in columns) from which all pages of the analysis
 * are computed. The first worker thread that needs the data frame makes it, once for each timeline. Any thread.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct _LoomAnalysisTables LoomAnalysisTables;

/* Returns the number convention for the run. If `wanted` is SageMaker's convention, and the run has no sources that
 * smdebug (SageMaker's library) can read, returns Traceloom's own convention; otherwise returns `wanted`. */
LoomNumberConvention loom_analysis_tables_choose_numbers (LoomNumberConvention wanted, LoomRun *run);

/* Makes tables for a timeline. Takes a reference to the timeline. */
LoomAnalysisTables *loom_analysis_tables_new (LoomTimeline *timeline, LoomNumberConvention numbers);
LoomAnalysisTables *loom_analysis_tables_ref (LoomAnalysisTables *self);
void loom_analysis_tables_unref (LoomAnalysisTables *self);

/* Returns a reference to the data frame, or NULL when cancelled. If another thread is making the data frame, waits
 * until it is made. */
LoomDataFrame *loom_analysis_tables_get_frame (LoomAnalysisTables *self);
LoomTimeline *loom_analysis_tables_get_timeline (LoomAnalysisTables *self); /* borrowed */
gboolean loom_analysis_tables_are_made (LoomAnalysisTables *self);
/* Returns the object that reports the progress of making the data frame, and that cancels it; borrowed. When a question
 * is cancelled, the making of the data frame continues, because the next question needs the data frame, too. The making
 * is cancelled only when the timeline is dropped. */
GCancellable *loom_analysis_tables_get_progress (LoomAnalysisTables *self);
