/* SPDX-License-Identifier: Apache-2.0
 *
 * Tracks that nobody named, in the language of the person: the trace calls them the same in all languages, for programs.
 * Any thread.
 */
#pragma once

#include "loom-source-edits.h"
#include "loom-trace.h"

G_BEGIN_DECLS

/* As the trace says, where it says something of its own; empty where it says nothing. Owned. */
char *loom_track_dup_process_words (const LoomTrack *track);
char *loom_track_dup_thread_words (const LoomTrack *track);

/* "box-7 › rank 3 · the slow one › python › main": all that is known of where it is. `names`: what sources are called, may be
 * NULL. Owned. */
char *loom_track_dup_path (const LoomTrace *trace, const LoomTrack *track, const LoomSourceEdits *names);

G_END_DECLS
