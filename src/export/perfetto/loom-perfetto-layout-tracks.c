/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-perfetto-layout-tracks.h"

#include "loom-track-rank.h"

enum {
  TRACK_UUID = 1,
  TRACK_NAME = 2,
  TRACK_PROCESS = 3,
  TRACK_THREAD = 4,
  TRACK_PARENT = 5,
  TRACK_COUNTER = 8,
  TRACK_CHILD_ORDER = 11,
  TRACK_ORDER = 12,
  TRACK_DESCRIPTION = 14,
};
enum { PROCESS_PID = 1, PROCESS_NAME = 6, PROCESS_LABEL = 8 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { COUNTER_CATEGORY = 2, COUNTER_UNIT = 3, COUNTER_UNIT_NAME = 6, COUNTER_AXIS = 7 };
enum { UNIT_NS = 1, UNIT_COUNT = 2, UNIT_BYTES = 3 };
enum { ORDER_EXPLICIT = 3 };

/* What a track of the written file represents. Tracks of the same kind differ in Key.object or Key.number. */
typedef enum { KIND_PROCESS, KIND_THREAD, KIND_LANE, KIND_COUNTER, KIND_SERIES, KIND_STRAY } Kind;

typedef struct {
  gconstpointer object;
  guint32 number;
  Kind kind;
} Key;

typedef struct {
  Key key;
  guint64 uuid;
  guint part; /* number of the last part of the file (LoomPerfettoStream) that contains a description of the track */
} Track;

struct _LoomPerfettoLayoutTracks {
  const LoomExport *merge;
  LoomPerfettoStream *stream;
  GHashTable *tracks; /* Key → Track: all tracks of the written file so far */
  /* a thread or process without tracks, as "trace\npid[\ntid]" → its number in the file; the hash key is also used as
   * Key.object of its track */
  GHashTable *strays;
  GString *descriptor;
  /* numbers for processes and threads that have no track in the trace: the next free pid and the next free tid */
  gint64 next_pid, next_tid;
  guint part;
};

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;
  return g_direct_hash (key->object) * 31 + key->number * 7 + key->kind;
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;
  return x->object == y->object && x->number == y->number && x->kind == y->kind;
}

/* Sets next_pid to a number that is greater than all pids of tracks, and next_tid to a number that is greater than all
 * tids of tracks. The two numbers are computed separately, because pids have only 32 bits in the format, while tids can
 * be up to 2⁵³. */
static void
find_free_numbers (LoomPerfettoLayoutTracks *self)
{
  const LoomPidTidMap *places = self->merge->places;
  for (guint i = 0; i < places->processes->len; i++) {
    const LoomPidTidProcess *process = places->processes->pdata[i];
    self->next_pid = MAX (self->next_pid, process->pid);
    for (guint j = 0; j < process->threads->len; j++)
      self->next_tid = MAX (self->next_tid, ((LoomPidTidThread *) g_ptr_array_index (process->threads, j))->tid);
  }
  self->next_pid++;
  self->next_tid++;
}

LoomPerfettoLayoutTracks *
loom_perfetto_layout_tracks_new (const LoomExport *merge, LoomPerfettoStream *stream)
{
  LoomPerfettoLayoutTracks *self = g_new0 (LoomPerfettoLayoutTracks, 1);
  self->merge = merge;
  self->stream = stream;
  self->tracks = g_hash_table_new_full (hash_key, equal_keys, NULL, g_free);
  self->strays = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->descriptor = g_string_new (NULL);
  find_free_numbers (self);
  return self;
}

void
loom_perfetto_layout_tracks_free (LoomPerfettoLayoutTracks *self)
{
  g_hash_table_unref (self->tracks);
  g_hash_table_unref (self->strays);
  g_string_free (self->descriptor, TRUE);
  g_free (self);
}

void
loom_perfetto_layout_tracks_set_part (LoomPerfettoLayoutTracks *self, guint part)
{
  self->part = part;
}

guint
loom_perfetto_layout_tracks_get_n (const LoomPerfettoLayoutTracks *self)
{
  return g_hash_table_size (self->tracks);
}

/* Returns the uuid of the track with this key; if there is no such track yet, adds it. Sets `is_new` to TRUE if the
 * track has not been described yet in the present part of the file. */
static guint64
find_track (LoomPerfettoLayoutTracks *self, Key key, gboolean *is_new)
{
  Track *track = g_hash_table_lookup (self->tracks, &key);
  if (track == NULL) {
    track = g_new0 (Track, 1);
    track->key = key;
    track->uuid = g_hash_table_size (self->tracks) + 1;
    g_hash_table_insert (self->tracks, &track->key, track);
  }
  *is_new = track->part != self->part;
  track->part = self->part;
  return track->uuid;
}

/* --- descriptors of tracks ---------------------------------------------------------------------------------------- */

/* Begins the descriptor of a track. Returns the buffer to which the caller appends the other fields. `parent`: uuid of
 * the track that contains this track; 0: none. */
static GString *
begin_descriptor (LoomPerfettoLayoutTracks *self, guint64 uuid, guint64 parent)
{
  g_string_truncate (self->descriptor, 0);
  loom_perfetto_message_put_number (self->descriptor, TRACK_UUID, uuid);
  if (parent != 0)
    loom_perfetto_message_put_number (self->descriptor, TRACK_PARENT, parent);
  return self->descriptor;
}

static void
put_descriptor (LoomPerfettoLayoutTracks *self)
{
  loom_perfetto_stream_put (self->stream, LOOM_PERFETTO_STREAM_TRACK_DESCRIPTOR, -1, self->descriptor);
}

/* Writes the flags of a track as words in its description. Perfetto shows this text, and Traceloom reads the flags from
 * it. */
static void
put_flags (GString *out, guint flags, gboolean is_lane)
{
  g_autoptr (GString) text = g_string_new (is_lane ? "traceloom: lane" : "traceloom:");
  loom_export_append_flag_words (text, flags);
  if (text->str[text->len - 1] != ':')
    loom_perfetto_message_put_text (out, TRACK_DESCRIPTION, text->str);
}

static void
put_label (GString *out, const char *word, const char *value)
{
  g_autofree char *label = g_strdup_printf ("%s %s", word, value);
  loom_perfetto_message_put_text (out, PROCESS_LABEL, label);
}

static void
put_process (LoomPerfettoLayoutTracks *self, GString *out, const LoomPidTidProcess *process)
{
  const LoomTrack *track = process->track;
  g_autofree char *name = loom_export_dup_ranked_name (self->merge, process);
  gboolean is_process = loom_track_rank_is_process (track, loom_export_get_format (self->merge, process));
  g_autofree char *rank = g_strdup_printf ("%d", track->rank);
  gsize place = loom_perfetto_message_begin (out, TRACK_PROCESS);
  loom_perfetto_message_put_number (out, PROCESS_PID, (guint64) process->pid);
  loom_perfetto_message_put_text (out, PROCESS_NAME, name);
  if (track->rank >= 0)
    put_label (out, is_process ? "process" : "rank", rank);
  if (track->node != NULL && track->node[0] != '\0')
    put_label (out, "node", track->node);
  put_label (out, "format", track->format);
  put_label (out, "file", track->path);
  loom_perfetto_message_end (out, place);
}

static void
put_thread (GString *out, gint64 pid, gint64 tid, const char *name)
{
  gsize place = loom_perfetto_message_begin (out, TRACK_THREAD);
  loom_perfetto_message_put_number (out, THREAD_PID, (guint64) pid);
  loom_perfetto_message_put_number (out, THREAD_TID, (guint64) tid);
  if (name[0] != '\0')
    loom_perfetto_message_put_text (out, THREAD_NAME, name);
  loom_perfetto_message_end (out, place);
}

/* --- processes and threads ---------------------------------------------------------------------------------------- */

/* Returns the uuid of the track of a process, and writes its descriptor if needed. Returns 0 for the process of the
 * global instants of a source, because this process is not written. */
static guint64
use_process (LoomPerfettoLayoutTracks *self, const LoomPidTidProcess *process)
{
  gboolean is_new;
  if (!process->written)
    return 0;
  guint64 uuid = find_track (self, (Key) { process, 0, KIND_PROCESS }, &is_new);
  if (!is_new)
    return uuid;
  GString *out = begin_descriptor (self, uuid, 0);
  put_process (self, out, process);
  loom_perfetto_message_put_number (out, TRACK_CHILD_ORDER, ORDER_EXPLICIT);
  loom_perfetto_message_put_number (out, TRACK_ORDER, process->position);
  put_flags (out, process->flags, FALSE);
  put_descriptor (self);
  return uuid;
}

static guint64
use_thread (LoomPerfettoLayoutTracks *self, const LoomPidTidProcess *process, const LoomPidTidThread *thread)
{
  gboolean is_new;
  guint64 parent = use_process (self, process);
  if (!thread->written)
    return parent;
  guint64 uuid = find_track (self, (Key) { thread, 0, KIND_THREAD }, &is_new);
  if (!is_new)
    return uuid;
  GString *out = begin_descriptor (self, uuid, parent);
  put_thread (out, process->pid, thread->tid, thread->track->thread);
  loom_perfetto_message_put_number (out, TRACK_ORDER, thread->position + 1);
  put_flags (out, thread->flags, FALSE);
  put_descriptor (self);
  return uuid;
}

guint64
loom_perfetto_layout_tracks_use_place (LoomPerfettoLayoutTracks *self, guint trace, guint track)
{
  return use_thread (self, loom_pid_tid_map_process_of (self->merge->places, trace, track),
                     loom_pid_tid_map_thread_of (self->merge->places, trace, track));
}

guint64
loom_perfetto_layout_tracks_use_lane (LoomPerfettoLayoutTracks *self, const LoomMergeItem *item)
{
  gboolean is_new;
  guint64 parent = loom_perfetto_layout_tracks_use_place (self, item->trace, item->track);
  if (item->lane == 0)
    return parent;
  const LoomTrack *track = loom_trace_get_track (loom_run_get_trace (self->merge->run, item->trace), item->track);
  /* in the overflow lane (LOOM_OVERFLOW_LANE), spans of different rows may overlap without being nested, which a
   * Perfetto track cannot contain, so each row gets its own track */
  guint depth = item->lane == LOOM_OVERFLOW_LANE ? item->depth : 0;
  guint64 uuid = find_track (self, (Key) { track, (guint32) item->lane << 16 | depth, KIND_LANE }, &is_new);
  if (!is_new)
    return uuid;
  GString *out = begin_descriptor (self, uuid, parent);
  loom_perfetto_message_put_text (out, TRACK_NAME, track->thread);
  put_flags (out, 0, TRUE);
  put_descriptor (self);
  return uuid;
}

/* --- counters ----------------------------------------------------------------------------------------------------- */

static void
put_counter (GString *out, const LoomTrack *track, const LoomSeries *series, const char *axis)
{
  static const char *const units[] = { [UNIT_NS] = "ns", [UNIT_COUNT] = "count", [UNIT_BYTES] = "B" };
  gsize place = loom_perfetto_message_begin (out, TRACK_COUNTER);
  guint unit = 0;
  for (guint i = UNIT_NS; i < G_N_ELEMENTS (units); i++)
    if (strcmp (series->unit, units[i]) == 0)
      unit = i;
  if (track->category[0] != '\0')
    loom_perfetto_message_put_text (out, COUNTER_CATEGORY, track->category);
  if (unit != 0)
    loom_perfetto_message_put_number (out, COUNTER_UNIT, unit);
  else if (series->unit[0] != '\0')
    loom_perfetto_message_put_text (out, COUNTER_UNIT_NAME, series->unit);
  if (axis != NULL)
    loom_perfetto_message_put_text (out, COUNTER_AXIS, axis);
  loom_perfetto_message_end (out, place);
}

static char *
dup_counter_name (const LoomTrack *track)
{
  return track->id[0] != '\0' ? g_strdup_printf ("%s[%s]", track->name, track->id) : g_strdup (track->name);
}

/* Returns the uuid of the track that represents a counter and has the counter's name. The tracks of the counter's
 * series are children of this track. `parent`: uuid of the track of which this track is a child. */
static guint64
use_counter (LoomPerfettoLayoutTracks *self, const LoomTrack *track, guint64 parent)
{
  gboolean is_new;
  guint64 uuid = find_track (self, (Key) { track, 0, KIND_COUNTER }, &is_new);
  if (!is_new)
    return uuid;
  g_autofree char *name = dup_counter_name (track);
  loom_perfetto_message_put_text (begin_descriptor (self, uuid, parent), TRACK_NAME, name);
  put_descriptor (self);
  return uuid;
}

guint64
loom_perfetto_layout_tracks_use_series (LoomPerfettoLayoutTracks *self, guint trace, guint track, guint32 series)
{
  gboolean is_new;
  const LoomTrace *owner = loom_run_get_trace (self->merge->run, trace);
  const LoomTrack *counter = loom_trace_get_track (owner, track);
  const LoomSeries *values = loom_trace_get_series (owner, series);
  gboolean is_nameless = values->name[0] == '\0';
  gboolean is_plain = counter->n_series == 1 && (is_nameless || strcmp (values->name, "value") == 0);
  guint64 parent = loom_perfetto_layout_tracks_use_place (self, trace, track);
  if (!is_plain)
    parent = use_counter (self, counter, parent);
  guint64 uuid = find_track (self, (Key) { values, 0, KIND_SERIES }, &is_new);
  if (!is_new)
    return uuid;
  g_autofree char *name = dup_counter_name (counter);
  GString *out = begin_descriptor (self, uuid, parent);
  loom_perfetto_message_put_text (out, TRACK_NAME, is_plain ? name : values->name);
  put_counter (out, counter, values, is_plain ? NULL : name);
  if (is_nameless)
    loom_perfetto_message_put_text (out, TRACK_DESCRIPTION, "traceloom: nameless");
  put_descriptor (self);
  return uuid;
}

/* --- threads without spans ---------------------------------------------------------------------------------------- */

/* Returns the key in `strays` (processes and threads without tracks) that is equal to `key`. If there is none, adds
 * `key` with the number `*next`, and increments `*next`. Takes ownership of `key`. */
static const char *
keep_key (LoomPerfettoLayoutTracks *self, char *key, gint64 *next)
{
  gpointer kept;
  if (g_hash_table_lookup_extended (self->strays, key, &kept, NULL)) {
    g_free (key);
    return kept;
  }
  g_hash_table_insert (self->strays, key, GSIZE_TO_POINTER ((gsize) (*next)++));
  return key;
}

static gint64
get_number (LoomPerfettoLayoutTracks *self, const char *key)
{
  return (gint64) GPOINTER_TO_SIZE (g_hash_table_lookup (self->strays, key));
}

guint64
loom_perfetto_layout_tracks_use_stray (LoomPerfettoLayoutTracks *self, guint trace, const char *pid, const char *tid)
{
  gboolean is_new, has_tid = FALSE;
  gint64 new_pid, new_tid;
  gboolean has_pid = loom_pid_tid_map_find (self->merge->places, trace, pid, tid, &new_pid, &new_tid, &has_tid);
  const char *key = keep_key (self, g_strdup_printf ("%u\n%s\n%s", trace, pid, tid), &self->next_tid);
  guint64 uuid = find_track (self, (Key) { key, 0, KIND_STRAY }, &is_new);
  if (!is_new)
    return uuid;
  if (!has_pid)
    new_pid = get_number (self, keep_key (self, g_strdup_printf ("%u\n%s", trace, pid), &self->next_pid));
  put_thread (begin_descriptor (self, uuid, 0), new_pid, has_tid ? new_tid : get_number (self, key), "");
  put_descriptor (self);
  return uuid;
}
