/* SPDX-License-Identifier: Apache-2.0
 *
 * Where things stand in a merged file: every process and thread of a run in the order of the export (ranks first and
 * ascending, then the rest), with integer ids that are unique in the file.
 *
 * Deterministic: the same tracks give the same order and the same ids, and a file that was written with these ids gives
 * them again. Immutable after creation.
 */
#pragma once

#include "loom-timeline.h"

G_BEGIN_DECLS

typedef struct {
  guint32 thread_id;      /* of the trace; G_MAXUINT32: process-wide */
  const LoomTrack *track; /* one of its tracks, for key, label and sort; borrowed */
  gint64 tid;
  gboolean written; /* has a tid of its own in the file: FALSE for process-wide */
  guint flags;      /* LoomTrackFlags that hold for all its tracks */
} LoomPidTidThread;

typedef struct {
  guint trace;
  guint32 process_id; /* of the trace */
  const LoomTrack *track;
  gint64 pid;
  gboolean written; /* FALSE: the source's own (global instants), which have no pid */
  guint flags;      /* of its process-wide tracks */
  GArray *threads;  /* LoomPidTidThread, in order */
} LoomPidTidProcess;

typedef struct _LoomPidTidMap LoomPidTidMap;

LoomPidTidMap *loom_pid_tid_map_new (LoomTimeline *timeline);
void loom_pid_tid_map_free (LoomPidTidMap *places);

guint loom_pid_tid_map_get_n_processes (const LoomPidTidMap *places);
const LoomPidTidProcess *loom_pid_tid_map_get_process (const LoomPidTidMap *places, guint i);

/* Place of a track: its process, its thread, and its rank among all tracks of the run. */
const LoomPidTidProcess *loom_pid_tid_map_process_of (const LoomPidTidMap *places, guint trace, guint track);
const LoomPidTidThread *loom_pid_tid_map_thread_of (const LoomPidTidMap *places, guint trace, guint track);
guint loom_pid_tid_map_ordinal_of (const LoomPidTidMap *places, guint trace, guint track);

/* The ids of what stands as this pid and tid (literal texts) in the trace's file, for events that have no track.
 * FALSE when there is no such process; an unknown thread gives FALSE in `has_tid`. O(1). */
gboolean loom_pid_tid_map_find (const LoomPidTidMap *places, guint trace, const char *process_key,
                                const char *thread_key, gint64 *pid, gint64 *tid, gboolean *has_tid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPidTidMap, loom_pid_tid_map_free)

G_END_DECLS
