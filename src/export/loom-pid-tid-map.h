/* SPDX-License-Identifier: Apache-2.0
 *
 * Assigns every process and thread of a run its position in the merged file (ranks first and ascending, then the rest),
 * and integer ids that are unique in the file.
 *
 * Deterministic: the same tracks give the same order and ids, and a file written with these ids gives the same ids
 * again. Immutable after creation.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  guint32 thread_id;      /* id in the trace; G_MAXUINT32: the process-wide tracks */
  const LoomTrack *track; /* a track of the thread, which provides key, label and sort order; borrowed */
  gint64 tid;
  gboolean written; /* the thread has a tid in the file; FALSE for process-wide tracks */
  guint flags;      /* LoomTrackFlags that all tracks of the thread have */
  guint position;   /* index into the threads of its process */
} LoomPidTidThread;

typedef struct {
  guint trace;
  guint32 process_id; /* id in the trace */
  const LoomTrack *track;
  gint64 pid;
  gboolean written;   /* FALSE for the global instants of a source, which have no pid */
  guint flags;        /* LoomTrackFlags of the process-wide tracks */
  guint position;     /* position in the order of the export */
  GPtrArray *threads; /* LoomPidTidThread *, in the order of the export */
} LoomPidTidProcess;

typedef struct {
  GPtrArray *processes; /* LoomPidTidProcess *, in the order of the export */
  /* Private: */
  GArray *first_track; /* guint: [trace] → index of its first track in `tracks` */
  GArray *tracks;      /* places of tracks */
  GHashTable *by_key;  /* "trace\nprocess key[\nthread key]" → process and thread; the thread is NULL for a process */
} LoomPidTidMap;

LoomPidTidMap *loom_pid_tid_map_new (LoomTimeline *timeline);
void loom_pid_tid_map_free (LoomPidTidMap *places);

/* Return the process, the thread, and the position among all tracks of the run, of a track. */
const LoomPidTidProcess *loom_pid_tid_map_process_of (const LoomPidTidMap *places, guint trace, guint track);
const LoomPidTidThread *loom_pid_tid_map_thread_of (const LoomPidTidMap *places, guint trace, guint track);
guint loom_pid_tid_map_ordinal_of (const LoomPidTidMap *places, guint trace, guint track);

/* Finds the ids in the export for a pid and tid (literal texts) in the trace's file, for events without a track.
 * Returns FALSE if there is no such process; `has_tid` becomes FALSE if the thread is unknown. O(1). */
gboolean loom_pid_tid_map_find (const LoomPidTidMap *places, guint trace, const char *process_key,
                                const char *thread_key, gint64 *pid, gint64 *tid, gboolean *has_tid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPidTidMap, loom_pid_tid_map_free)
