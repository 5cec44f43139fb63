/* SPDX-License-Identifier: Apache-2.0
 *
 * Tracks that nobody named, in the language of the person: the trace calls them the same in all languages, for programs.
 * Any thread.
 */
#pragma once

#include "loom-trace.h"

G_BEGIN_DECLS

/* As the trace says, where it says something of its own; empty where it says nothing. Owned. */
char *loom_track_dup_process_words (const LoomTrack *track);
char *loom_track_dup_thread_words (const LoomTrack *track);

G_END_DECLS
