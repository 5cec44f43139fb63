/* SPDX-License-Identifier: Apache-2.0
 *
 * Assigns to every process and thread of a run its position in the merged file (ranks first, ascending, then processes
 * without a rank), and integer ids that are unique in the file.
 *
 * Deterministic: equal tracks get equal positions and ids, and a file that was written with these ids gets the same ids
 * when it is merged again. Immutable after creation.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  /* id of the thread in the trace; G_MAXUINT32: this entry contains those tracks of the process that belong to no
   * thread */
  guint32 thread_id;
  const LoomTrack *track; /* one of the tracks of the thread, with its key, label and sort order; borrowed */
  gint64 tid;
  /* TRUE: the thread has a tid in the written file; FALSE: this entry contains tracks that belong to no thread */
  gboolean written;
  guint flags;    /* those LoomTrackFlags that are set in all tracks of the thread */
  guint position; /* index of the thread in LoomPidTidProcess.threads */
} LoomPidTidThread;

typedef struct {
  guint trace;
  guint32 process_id; /* id of the process in the trace */
  const LoomTrack *track;
  gint64 pid;
  gboolean written;   /* FALSE for the global instants of a source, which have no pid */
  guint flags;        /* LoomTrackFlags of the tracks of the process that belong to no thread */
  guint position;     /* index in LoomPidTidMap.processes */
  GPtrArray *threads; /* LoomPidTidThread *, in the order of the export */
} LoomPidTidProcess;

typedef struct {
  GPtrArray *processes; /* LoomPidTidProcess *, in the order of the export */
  /* The members below are private. */
  GArray *first_track; /* guint elements, indexed by trace: index in `tracks` of the trace's first track */
  GArray *tracks;      /* for each track, its process and thread, and its position among all tracks */
  /* "trace\npid" → process, without a thread; "trace\npid\ntid" → process, and its thread with this tid */
  GHashTable *by_key;
} LoomPidTidMap;

LoomPidTidMap *loom_pid_tid_map_new (LoomTimeline *timeline);
void loom_pid_tid_map_free (LoomPidTidMap *places);

/* The next three functions return the process of a track, its thread, and its position among all tracks of the run. */
const LoomPidTidProcess *loom_pid_tid_map_process_of (const LoomPidTidMap *places, guint trace, guint track);
const LoomPidTidThread *loom_pid_tid_map_thread_of (const LoomPidTidMap *places, guint trace, guint track);
guint loom_pid_tid_map_ordinal_of (const LoomPidTidMap *places, guint trace, guint track);

/* Finds the pid and tid with which an event without a track is written. `process_key`, `thread_key`: the event's pid
 * and tid as literals in the file of the trace. Returns FALSE if there is no such process. If the process has no such
 * thread, sets `has_tid` to FALSE. O(1). */
gboolean loom_pid_tid_map_find (const LoomPidTidMap *places, guint trace, const char *process_key,
                                const char *thread_key, gint64 *pid, gint64 *tid, gboolean *has_tid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPidTidMap, loom_pid_tid_map_free)
