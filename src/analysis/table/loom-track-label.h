/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels of tracks in the user's language, for display. The output for other programs has English labels, such as
 * "thread 7" for tracks without a name (loom-track-name.h). Any thread.
 */
#pragma once

#include "loom-data-frame.h"
#include "loom-source-overrides.h"
#include "loom-trace.h"

/* Returns the name of the track's process as the trace states it; a translated "(no process)" if the track belongs
 * to no process; "" if the process is unknown. Owned by the caller. */
char *loom_track_label_dup_process (const LoomTrack *track);
char *loom_track_label_dup_thread (const LoomTrack *track);

/* Returns node, rank, process and thread of the track as far as they are known: "box-7 › rank 3 · the slow one › python
 * › main". `names`: the names that the user gave to sources; may be NULL. Owned by the caller. */
char *loom_track_label_dup_path (const LoomTrace *trace, const LoomTrack *track, const LoomSourceOverrides *names);

/* Returns the label of a worker of the LoomDataFrame: "rank 3" or "process 901", with the host before it if there
 * are several hosts. If the rank is unknown, the label is smdebug's name of the worker. Returns "all" if `worker` is
 * not the index of a worker. Owned by the caller. */
char *loom_track_label_dup_worker_words (const LoomDataFrame *frame, guint worker);
