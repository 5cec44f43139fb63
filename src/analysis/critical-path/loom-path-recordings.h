/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: numbers the recordings of a run. A recording is a file that a profiler wrote. Usually all
 * tracks of a trace belong to one recording. If the trace was read from a merged file, the tracks from each original
 * file are one recording. Any thread.
 */
#pragma once

#include "loom-run.h"

typedef struct {
  LoomRun *run; /* borrowed */
  guint32 n;
  guint32 *first; /* [trace] number of the trace's first recording */
  /* [trace][track] number of the track's recording; of_track[trace] is NULL if the trace is a single recording */
  guint32 **of_track;
} LoomPathRecordings;

/* Numbers the recordings of a run. The run must outlive `recordings`. O(tracks). */
void loom_path_recordings_init (LoomPathRecordings *recordings, LoomRun *run);
void loom_path_recordings_clear (LoomPathRecordings *recordings);

/* Returns the number of the recording that contains a span. O(log rows). */
guint32 loom_path_recordings_get (const LoomPathRecordings *recordings, guint32 trace, guint32 span);
