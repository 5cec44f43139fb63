/* SPDX-License-Identifier: Apache-2.0
 *
 * Tracks that nobody named, in the language of the person: the trace calls them the same in all languages, for programs.
 * Any thread.
 */
#pragma once

#include "loom-data-frame.h"
#include "loom-source-overrides.h"
#include "loom-trace.h"

G_BEGIN_DECLS

/* As the trace says, where it says something of its own; empty where it says nothing. Owned. */
char *loom_track_label_dup_process (const LoomTrack *track);
char *loom_track_label_dup_thread (const LoomTrack *track);

/* "box-7 › rank 3 · the slow one › python › main": all that is known of where it is. `names`: what sources are called, may be
 * NULL. Owned. */
char *loom_track_label_dup_path (const LoomTrace *trace, const LoomTrack *track, const LoomSourceOverrides *names);

/* Who wrote rows: "rank 3", "process 901", with the host before it where there are several; without a rank what smdebug calls it;
 * "all" beyond the last worker. Owned. */
char *loom_track_label_dup_worker_words (const LoomDataFrame *frame, guint worker);

G_END_DECLS
