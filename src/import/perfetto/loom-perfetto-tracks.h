/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: collects the tracks of a Perfetto trace, and determines which process and thread of Chrome
 * trace events each track becomes. A track's descriptor may come after its events, so pids, tids and labels are
 * determined after the last packet.
 */
#pragma once

#include "loom-proto.h"

#define LOOM_PERFETTO_NO_TRACK G_MAXUINT32

typedef struct {
  guint64 uuid, parent;
  char *name; /* name as it is in the file, not decoded; owned; NULL: the track has none */
  gint64 pid, tid;
  guint process; /* index in LoomPerfettoTracks.processes; valid only if `has_process` is TRUE */
  gboolean has_descriptor, has_parent, has_process, has_thread, is_counter, is_state, is_queue;
  gboolean is_used;        /* TRUE: the track has events; only then is its name written to the JSON text */
  char *unit;              /* unit of a counter; owned; NULL: none */
  gint64 multiplier;       /* factor by which the values of a counter are multiplied */
  gboolean is_incremental; /* TRUE: the samples of the counter are increments, which must be summed */
  /* TRUE: a value of a GPU counter is valid from the time of its sample on; FALSE: a value is valid from the time of
   * the previous sample until the time of its own sample */
  gboolean is_forwards;
  gboolean is_gpu_counter;
  gboolean is_lane; /* the track is a child of a thread; it contains those spans of the thread that overlap other spans
                     * of the thread */
  guint flags;      /* LoomTrackFlags in the descriptor of the track */
  /* key of the axis on which this counter is drawn together with other counters of the same parent; owned; NULL: it has
   * an axis of its own */
  char *axis;
  char *category; /* category of a counter, encoded as JSON without quotes; owned; NULL: none */
  gint64 sort;    /* sort key among the tracks of the same process; 0: not specified */
  /* loom_perfetto_tracks_settle() sets `place`, `label` and `series`: */
  char *place; /* JSON text with the members pid and tid of the track's events; begins with a comma */
  char *label; /* name of the thread or counter, encoded as JSON without quotes */
  /* name of the first event of the track, encoded as JSON without quotes; set before loom_perfetto_tracks_settle() is
   * called */
  char *event_name;
  /* name of the counter's series, encoded as JSON without quotes; NULL: "value". A counter is written as an event whose
   * name is `label` and whose args contain this series */
  char *series;
} LoomPerfettoTrack;

/* A process. Operating systems reuse process ids, so two names for the same id mean two processes. */
typedef struct {
  gint64 pid;
  guint64 uuid;   /* uuid of the track whose descriptor describes this process; 0: unknown */
  guint nth;      /* number of earlier processes with the same process id */
  char *name;     /* name of the process; may be "" */
  GString *names; /* labels of the process, separated by commas; NULL: it has none */
  /* the rank that the labels state or, if `is_process_id` is TRUE, the process id that they state; −1: neither */
  gint rank;
  gboolean is_process_id;
  char *node; /* node that the labels of the process state; owned; NULL: they state none */
  /* format and path of the file that contained the process before it was merged, as the labels state them; owned; NULL:
   * unknown */
  char *format, *path;
  guint flags; /* LoomTrackFlags in the descriptor of the process */
} LoomPerfettoProcess;

typedef struct {
  GArray *tracks;        /* LoomPerfettoTrack: all tracks */
  GHashTable *by_uuid;   /* uuid → index of the track + 1 */
  GHashTable *by_thread; /* "pid/tid" → index of the track + 1, for tracks without a uuid */
  GArray *processes;     /* LoomPerfettoProcess: all processes */
  GHashTable *by_pid;    /* pid → index + 1 of the latest process with this process id */
  GHashTable *threads;   /* tid → char *: name of the thread, from the packet that lists all processes and threads */
  guint n_renamed;       /* number of times that a track with a name got another name */
  /* TRUE if Traceloom wrote the file: the labels of its processes then state their ranks and nodes */
  gboolean is_merged;
  char *head;          /* JSON object about the input from which Traceloom made the file; NULL: the file states none */
  GPtrArray *left_out; /* char *: codes of log entries about input that Traceloom skipped, each once */
  gboolean is_incomplete; /* TRUE: some input could not be read when Traceloom wrote the file */
} LoomPerfettoTracks;

LoomPerfettoTracks *loom_perfetto_tracks_new (void);
void loom_perfetto_tracks_free (LoomPerfettoTracks *self);

/* The functions below return the index of a track, and add the track if it is new. They return LOOM_PERFETTO_NO_TRACK
 * if there are too many tracks. */
guint32 loom_perfetto_tracks_find (LoomPerfettoTracks *self, guint64 uuid);
guint32 loom_perfetto_tracks_find_thread (LoomPerfettoTracks *self, gint64 pid, gint64 tid);
/* Returns the track of a GPU queue. `queue`: name of the queue, encoded as JSON without quotes. */
guint32 loom_perfetto_tracks_find_queue (LoomPerfettoTracks *self, guint64 gpu, const char *queue);
guint32 loom_perfetto_tracks_find_gpu_counter (LoomPerfettoTracks *self, guint64 gpu, const char *name);

static inline LoomPerfettoTrack *
loom_perfetto_tracks_get (const LoomPerfettoTracks *self, guint32 track)
{
  return &g_array_index (self->tracks, LoomPerfettoTrack, track);
}

/* Each of the functions below reads one kind of message that describes tracks. */
void loom_perfetto_tracks_read_descriptor (LoomPerfettoTracks *self, const LoomProtoField *message);
void loom_perfetto_tracks_read_process (LoomPerfettoTracks *self, const LoomProtoField *message);
void loom_perfetto_tracks_read_thread (LoomPerfettoTracks *self, const LoomProtoField *message, gint64 *pid,
                                       gint64 *tid);
void loom_perfetto_tracks_read_process_tree (LoomPerfettoTracks *self, const LoomProtoField *message);

/* Returns a text encoded as JSON without quotes. Owned by the caller. */
char *loom_perfetto_tracks_dup_json (const char *text, gsize length);

/* Sets `place`, `label` and `series` of each track. Must be called after the last packet was read. */
void loom_perfetto_tracks_settle (LoomPerfettoTracks *self);

/* Appends the metadata event with the index `number` among all events that name processes and threads. Returns FALSE if
 * there is no event with this index. */
gboolean loom_perfetto_tracks_append_name (const LoomPerfettoTracks *self, guint64 number, GString *text);
