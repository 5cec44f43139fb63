/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the tracks of a Perfetto trace, as its descriptors name them, and the process and thread of a
 * Chrome trace event that each becomes. Descriptors may follow the events of their track, so places and labels are made
 * after the last packet.
 */
#pragma once

#include "loom-proto.h"

#define LOOM_PERFETTO_NO_TRACK G_MAXUINT32

typedef struct {
  guint64 uuid, parent;
  char *name; /* owned; not decoded; NULL: none */
  gint64 pid, tid;
  guint process; /* index, if it has one */
  gboolean has_descriptor, has_parent, has_process, has_thread, is_counter, is_state, is_queue;
  char *unit;              /* owned; NULL: none */
  gint64 multiplier;       /* of counters */
  gboolean is_incremental; /* samples are added up */
  gboolean is_forwards;    /* a sample of a GPU holds from its time on, not up to it */
  gboolean is_gpu_counter;
  gint64 sort; /* order among the tracks of its process; 0: any */
  /* Made by loom_perfetto_tracks_settle(): */
  char *place;      /* members pid and tid of its events, after a comma */
  char *label;      /* of the thread; of counters their name; JSON without quotes */
  char *event_name; /* of its first event, set before; JSON without quotes */
} LoomPerfettoTrack;

/* A process. A number is given again when a process is gone: a track with another name is another process. */
typedef struct {
  gint64 pid;
  guint64 uuid;   /* of its track; 0: none is known */
  guint nth;      /* among the processes of this number */
  char *name;     /* may be "" */
  GString *names; /* labels, separated by commas; NULL: none */
} LoomPerfettoProcess;

typedef struct {
  GArray *tracks;        /* LoomPerfettoTrack */
  GHashTable *by_uuid;   /* → index + 1 */
  GHashTable *by_thread; /* "pid/tid" → index + 1: tracks without uuid */
  GArray *processes;     /* LoomPerfettoProcess */
  GHashTable *by_pid;    /* → index of the last process with this number + 1 */
  GHashTable *threads;   /* tid → char *: names by the list of processes */
  guint n_renamed;       /* tracks that got another name later */
} LoomPerfettoTracks;

LoomPerfettoTracks *loom_perfetto_tracks_new (void);
void loom_perfetto_tracks_free (LoomPerfettoTracks *self);

/* Return the index of a track, which is added if it is new; LOOM_PERFETTO_NO_TRACK if there are too many. */
guint32 loom_perfetto_tracks_find (LoomPerfettoTracks *self, guint64 uuid);
guint32 loom_perfetto_tracks_find_thread (LoomPerfettoTracks *self, gint64 pid, gint64 tid);
/* `queue`: its name, JSON without quotes. */
guint32 loom_perfetto_tracks_find_queue (LoomPerfettoTracks *self, guint64 gpu, const char *queue);
guint32 loom_perfetto_tracks_find_gpu_counter (LoomPerfettoTracks *self, guint64 gpu, const char *name);

static inline LoomPerfettoTrack *
loom_perfetto_tracks_get (const LoomPerfettoTracks *self, guint32 track)
{
  return &g_array_index (self->tracks, LoomPerfettoTrack, track);
}

/* Each reads a message of bytes. */
void loom_perfetto_tracks_read_descriptor (LoomPerfettoTracks *self, const LoomProtoField *message);
void loom_perfetto_tracks_read_process (LoomPerfettoTracks *self, const LoomProtoField *message);
void loom_perfetto_tracks_read_thread (LoomPerfettoTracks *self, const LoomProtoField *message, gint64 *pid,
                                       gint64 *tid);
void loom_perfetto_tracks_read_process_tree (LoomPerfettoTracks *self, const LoomProtoField *message);

/* Returns a text as JSON without quotes; owned. */
char *loom_perfetto_tracks_dup_json (const char *text, gsize length);

/* Makes places and labels. */
void loom_perfetto_tracks_settle (LoomPerfettoTracks *self);

/* Appends the metadata event that names process or thread number `number`. Returns FALSE if there is none. */
gboolean loom_perfetto_tracks_append_name (const LoomPerfettoTracks *self, guint64 number, GString *text);
