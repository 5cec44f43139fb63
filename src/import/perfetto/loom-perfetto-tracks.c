/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects the tracks of a Perfetto trace, and determines which process and thread of Chrome trace events each track
 * becomes. The interface is described in loom-perfetto-tracks.h.
 */
#include "loom-perfetto-tracks.h"

#include "loom-json-slice.h"
#include "loom-limits.h"
#include "loom-made-json.h"
#include "loom-perfetto-ids.h"
#include "loom-trace.h"

#include <string.h>

/* Numbers of the fields that are read from track descriptors. */
enum {
  TRACK_UUID = 1,
  TRACK_NAME = 2,
  TRACK_PROCESS = 3,
  TRACK_THREAD = 4,
  TRACK_PARENT = 5,
  TRACK_COUNTER = 8,
  TRACK_STATIC_NAME = 10,
  TRACK_ORDER = 12,
  TRACK_ATRACE_NAME = 13,
  TRACK_DESCRIPTION = 14,
  TRACK_STATE = 18,
};
enum { PROCESS_PID = 1, PROCESS_COMMAND = 2, PROCESS_NAME = 6, PROCESS_LABEL = 8 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum {
  COUNTER_TYPE = 1,
  COUNTER_CATEGORY,
  COUNTER_UNIT,
  COUNTER_MULTIPLIER,
  COUNTER_INCREMENTAL,
  COUNTER_UNIT_NAME,
  COUNTER_AXIS,
};
enum { TREE_PROCESS = 1, TREE_THREAD = 2 };
enum { TREE_PID = 1, TREE_COMMAND = 3, TREE_TID = 1, TREE_THREAD_NAME = 2, TREE_GROUP = 3 };
enum { COUNTER_THREAD_TIME = 1, COUNTER_INSTRUCTIONS = 2 };
enum { UNIT_NS = 1, UNIT_COUNT = 2, UNIT_BYTES = 3 };

#define MOST_TRACKS (512u * 1024)
#define MOST_LABEL_BYTES 1024
/* maximum length in bytes of the JSON object about the input of a merged file; 10,000 sources take about 1 MB */
#define MOST_HEAD_BYTES (16u * 1024 * 1024)

static void
clear_track (gpointer data)
{
  LoomPerfettoTrack *track = data;
  g_free (track->name);
  g_free (track->unit);
  g_free (track->place);
  g_free (track->label);
  g_free (track->event_name);
  g_free (track->axis);
  g_free (track->category);
  g_free (track->series);
}

static void
clear_process (gpointer data)
{
  LoomPerfettoProcess *process = data;
  g_free (process->name);
  g_free (process->node);
  g_free (process->format);
  g_free (process->path);
  if (process->names != NULL)
    g_string_free (process->names, TRUE);
}

LoomPerfettoTracks *
loom_perfetto_tracks_new (void)
{
  LoomPerfettoTracks *self = g_new0 (LoomPerfettoTracks, 1);
  self->tracks = g_array_new (FALSE, TRUE, sizeof (LoomPerfettoTrack));
  g_array_set_clear_func (self->tracks, clear_track);
  self->by_uuid = loom_perfetto_ids_new (NULL);
  self->by_thread = loom_perfetto_ids_new_by_text ();
  self->processes = g_array_new (FALSE, FALSE, sizeof (LoomPerfettoProcess));
  g_array_set_clear_func (self->processes, clear_process);
  self->by_pid = loom_perfetto_ids_new (NULL);
  self->threads = loom_perfetto_ids_new (g_free);
  self->left_out = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
loom_perfetto_tracks_free (LoomPerfettoTracks *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->tracks);
  g_hash_table_unref (self->by_uuid);
  g_hash_table_unref (self->by_thread);
  g_array_unref (self->processes);
  g_hash_table_unref (self->by_pid);
  g_hash_table_unref (self->threads);
  g_free (self->head);
  g_ptr_array_unref (self->left_out);
  g_free (self);
}

static guint32
add_track (LoomPerfettoTracks *self, guint64 uuid)
{
  LoomPerfettoTrack track = { .uuid = uuid, .multiplier = 1 };
  g_array_append_val (self->tracks, track);
  return self->tracks->len - 1;
}

guint32
loom_perfetto_tracks_find (LoomPerfettoTracks *self, guint64 uuid)
{
  guint known = GPOINTER_TO_UINT (loom_perfetto_ids_find (self->by_uuid, uuid, 0, 0));
  if (known > 0)
    return known - 1;
  if (self->tracks->len >= MOST_TRACKS)
    return LOOM_PERFETTO_NO_TRACK;
  guint32 track = add_track (self, uuid);
  loom_perfetto_ids_insert (self->by_uuid, uuid, 0, 0, GUINT_TO_POINTER (track + 1));
  return track;
}

static LoomPerfettoProcess *
get_process (const LoomPerfettoTracks *self, guint process)
{
  return &g_array_index (self->processes, LoomPerfettoProcess, process);
}

static guint
add_process (LoomPerfettoTracks *self, gint64 pid, guint nth)
{
  LoomPerfettoProcess process = { .pid = pid, .nth = nth, .name = g_strdup (""), .rank = -1 };
  g_array_append_val (self->processes, process);
  loom_perfetto_ids_insert (self->by_pid, (guint64) pid, 0, 0, GUINT_TO_POINTER (self->processes->len));
  return self->processes->len - 1;
}

/* Returns the index of the process that last had this process id. Adds a process if none had it. */
static guint
find_process (LoomPerfettoTracks *self, gint64 pid)
{
  guint known = GPOINTER_TO_UINT (loom_perfetto_ids_find (self->by_pid, (guint64) pid, 0, 0));
  return known > 0 ? known - 1 : add_process (self, pid, 0);
}

/* Returns the index of the track with this key; keys identify tracks that have no uuid. If no track has the key, adds
 * one and sets `is_new` to TRUE. Returns LOOM_PERFETTO_NO_TRACK if there are too many tracks. Takes ownership of
 * `key`. */
static guint32
find_by_key (LoomPerfettoTracks *self, char *key, gboolean *is_new)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_thread, key));
  *is_new = known == 0 && self->tracks->len < MOST_TRACKS;
  if (!*is_new) {
    g_free (key);
    return known > 0 ? known - 1 : LOOM_PERFETTO_NO_TRACK;
  }
  guint32 track = add_track (self, 0);
  g_hash_table_insert (self->by_thread, key, GUINT_TO_POINTER (track + 1));
  return track;
}

guint32
loom_perfetto_tracks_find_thread (LoomPerfettoTracks *self, gint64 pid, gint64 tid)
{
  gboolean is_new;
  guint32 track = find_by_key (self, g_strdup_printf ("%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, pid, tid), &is_new);
  if (is_new) {
    LoomPerfettoTrack *made = loom_perfetto_tracks_get (self, track);
    made->has_process = made->has_thread = made->has_descriptor = TRUE;
    made->pid = pid;
    made->tid = tid;
    made->process = find_process (self, pid);
  }
  return track;
}

static guint32
find_of_gpu (LoomPerfettoTracks *self, guint64 gpu, const char *kind, const char *name)
{
  gboolean is_new;
  guint32 track = find_by_key (self, g_strdup_printf ("%s %" G_GUINT64_FORMAT "/%s", kind, gpu, name), &is_new);
  if (is_new) {
    LoomPerfettoTrack *made = loom_perfetto_tracks_get (self, track);
    made->place = g_strdup_printf (",\"pid\":\"GPU %" G_GUINT64_FORMAT "\",\"tid\":\"%s\"", gpu, name);
    made->label = g_strdup (name);
    made->has_descriptor = TRUE;
  }
  return track;
}

guint32
loom_perfetto_tracks_find_queue (LoomPerfettoTracks *self, guint64 gpu, const char *queue)
{
  guint32 track = find_of_gpu (self, gpu, "queue", queue);
  if (track != LOOM_PERFETTO_NO_TRACK)
    loom_perfetto_tracks_get (self, track)->is_queue = TRUE;
  return track;
}

guint32
loom_perfetto_tracks_find_gpu_counter (LoomPerfettoTracks *self, guint64 gpu, const char *name)
{
  guint32 track = find_of_gpu (self, gpu, "counter", name);
  if (track != LOOM_PERFETTO_NO_TRACK) {
    loom_perfetto_tracks_get (self, track)->is_counter = TRUE;
    loom_perfetto_tracks_get (self, track)->is_gpu_counter = TRUE;
  }
  return track;
}

/* --- descriptors -------------------------------------------------------------------------------------------------- */

static char *
dup_text (const LoomProtoField *field)
{
  return g_strndup ((const char *) field->bytes, (gsize) MIN (field->value, MOST_LABEL_BYTES));
}

/* Returns the index of the process with this id and sets its name. Operating systems reuse ids: if another track has
 * described a process with this id under another name, adds a new process. `uuid`: the track whose descriptor describes
 * the process; 0: another packet describes it. Takes ownership of `name`. */
static guint
name_process (LoomPerfettoTracks *self, gint64 pid, guint64 uuid, char *name)
{
  guint number = find_process (self, pid);
  LoomPerfettoProcess *process = get_process (self, number);
  gboolean is_other = uuid != 0 && process->uuid != 0 && process->uuid != uuid && name[0] != '\0' &&
                      process->name[0] != '\0' && strcmp (name, process->name) != 0;
  if (is_other) {
    number = add_process (self, pid, process->nth + 1);
    process = get_process (self, number);
  }
  if (uuid != 0)
    process->uuid = uuid;
  if (name[0] == '\0') {
    g_free (name);
    return number;
  }
  self->n_renamed += process->name[0] != '\0' && strcmp (process->name, name) != 0;
  g_free (process->name);
  process->name = name;
  return number;
}

static gboolean
read_number (const char *text, gint *number)
{
  gint64 value;
  if (!g_ascii_string_to_signed (text, 10, 0, G_MAXINT, &value, NULL))
    return FALSE;
  *number = (gint) value;
  return TRUE;
}

/* Replaces `*text` by `label` without its first word. */
static void
take_text (char **text, const char *label)
{
  g_free (*text);
  *text = g_utf8_make_valid (strchr (label, ' ') + 1, -1);
}

/* Sets a property of a process from a label that Traceloom wrote: "rank 3", "process 4711" (process id), "node a",
 * "format kineto" or "file a/b.json". The labels "format …" and "file …" describe the file that contained the process
 * before it was merged. */
static void
take_place (LoomPerfettoProcess *process, const char *label)
{
  if (g_str_has_prefix (label, "rank ")) {
    if (read_number (label + 5, &process->rank))
      process->is_process_id = FALSE;
  } else if (g_str_has_prefix (label, "process ")) {
    if (read_number (label + 8, &process->rank))
      process->is_process_id = TRUE;
  } else if (g_str_has_prefix (label, "node ")) {
    take_text (&process->node, label);
  } else if (g_str_has_prefix (label, "format ")) {
    take_text (&process->format, label);
  } else if (g_str_has_prefix (label, "file ")) {
    take_text (&process->path, label);
  }
}

/* Adds a label to a process. The first label in a descriptor replaces the labels that earlier descriptors gave the
 * process. */
static void
add_label (LoomPerfettoProcess *process, const LoomProtoField *field, gboolean is_first)
{
  g_autofree char *label = dup_text (field);
  take_place (process, label);
  if (process->names == NULL)
    process->names = g_string_new (label);
  else if (is_first)
    g_string_assign (process->names, label);
  else if (process->names->len < MOST_LABEL_BYTES)
    g_string_append_printf (process->names, ",%s", label);
}

static guint
read_process (LoomPerfettoTracks *self, const LoomProtoField *message, guint64 uuid, gint64 *pid)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field, name = { 0 }, command = { 0 };
  *pid = 0;
  while (loom_proto_next (&p, end, &field))
    if (field.number == PROCESS_PID && field.wire == LOOM_PROTO_VARINT)
      *pid = (gint32) field.value;
    else if (field.number == PROCESS_NAME && field.wire == LOOM_PROTO_BYTES)
      name = field;
    else if (field.number == PROCESS_COMMAND && field.wire == LOOM_PROTO_BYTES && command.bytes == NULL)
      command = field;
  name = name.value > 0 ? name : command;
  guint process = name_process (self, *pid, uuid, name.value > 0 ? dup_text (&name) : g_strdup (""));
  gboolean is_first = TRUE;
  for (p = message->bytes; loom_proto_next (&p, end, &field);) {
    if (field.number != PROCESS_LABEL || field.wire != LOOM_PROTO_BYTES)
      continue;
    add_label (get_process (self, process), &field, is_first);
    is_first = FALSE;
  }
  return process;
}

void
loom_perfetto_tracks_read_process (LoomPerfettoTracks *self, const LoomProtoField *message)
{
  gint64 pid;
  read_process (self, message, 0, &pid);
}

static void
read_thread (const LoomProtoField *message, gint64 *pid, gint64 *tid, char **name)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  *pid = *tid = 0;
  *name = NULL;
  while (loom_proto_next (&p, end, &field))
    if (field.number == THREAD_PID && field.wire == LOOM_PROTO_VARINT) {
      *pid = (gint32) field.value;
    } else if (field.number == THREAD_TID && field.wire == LOOM_PROTO_VARINT) {
      *tid = (gint64) field.value;
    } else if (field.number == THREAD_NAME && field.wire == LOOM_PROTO_BYTES && field.value > 0) {
      g_free (*name);
      *name = dup_text (&field);
    }
}

/* Sets the name of a track and takes ownership of `name`. Does nothing if `name` is NULL. */
static void
rename_track (LoomPerfettoTracks *self, LoomPerfettoTrack *track, char *name)
{
  if (name == NULL)
    return;
  self->n_renamed += track->name != NULL && strcmp (track->name, name) != 0;
  g_free (track->name);
  track->name = name;
}

void
loom_perfetto_tracks_read_thread (LoomPerfettoTracks *self, const LoomProtoField *message, gint64 *pid, gint64 *tid)
{
  char *name;
  read_thread (message, pid, tid, &name);
  guint32 track = loom_perfetto_tracks_find_thread (self, *pid, *tid);
  if (track != LOOM_PERFETTO_NO_TRACK)
    rename_track (self, loom_perfetto_tracks_get (self, track), name);
  else
    g_free (name);
}

static void
take_thread (LoomPerfettoTracks *self, LoomPerfettoTrack *track, const LoomProtoField *message)
{
  char *name;
  read_thread (message, &track->pid, &track->tid, &name);
  track->has_process = track->has_thread = TRUE;
  track->process = find_process (self, track->pid);
  rename_track (self, track, name);
}

/* Replaces the text to which `place` points. Takes ownership of `text`. */
static void
replace_text (char **place, char *text)
{
  g_free (*place);
  *place = text;
}

static void
take_counter_text (LoomPerfettoTrack *track, const LoomProtoField *field)
{
  switch (field->number) {
  case COUNTER_UNIT_NAME: replace_text (&track->unit, dup_text (field)); break;
  case COUNTER_AXIS: replace_text (&track->axis, field->value > 0 ? dup_text (field) : NULL); break;
  case COUNTER_CATEGORY:
    replace_text (&track->category,
                  loom_perfetto_tracks_dup_json ((const char *) field->bytes, MIN (field->value, MOST_LABEL_BYTES)));
    break;
  default: break;
  }
}

static void
take_counter (LoomPerfettoTrack *track, const LoomProtoField *message)
{
  static const char *const units[] = { [UNIT_NS] = "ns", [UNIT_COUNT] = "count", [UNIT_BYTES] = "B" };
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  track->is_counter = TRUE;
  while (loom_proto_next (&p, end, &field))
    if (field.wire == LOOM_PROTO_BYTES) {
      take_counter_text (track, &field);
    } else if (field.wire != LOOM_PROTO_VARINT) {
      continue;
    } else if (field.number == COUNTER_UNIT && field.value < G_N_ELEMENTS (units) && track->unit == NULL) {
      track->unit = g_strdup (units[field.value]);
    } else if (field.number == COUNTER_MULTIPLIER) {
      track->multiplier = (gint64) field.value;
    } else if (field.number == COUNTER_INCREMENTAL) {
      track->is_incremental = field.value != 0;
    } else if (field.number == COUNTER_TYPE && track->name == NULL && field.value > 0) {
      track->name = g_strdup (field.value == COUNTER_THREAD_TIME    ? "thread_time"
                              : field.value == COUNTER_INSTRUCTIONS ? "thread_instruction_count"
                                                                    : NULL);
    }
}

#define LEFT_OUT "left-out:"
/* Maximum number of words in a description that Traceloom wrote. */
#define MOST_WORDS 64

/* Adds the codes in the description of the root track to `left_out`. These are codes of log entries about input that
 * was skipped when Traceloom wrote the file. Each part of the file repeats the description, so codes that were added
 * before are skipped. */
static void
take_left_out (LoomPerfettoTracks *self, char **words)
{
  for (guint i = 0; words[i] != NULL && self->left_out->len < MOST_WORDS; i++) {
    if (!g_str_has_prefix (words[i], LEFT_OUT))
      continue;
    const char *code = words[i] + strlen (LEFT_OUT);
    if (!g_ptr_array_find_with_equal_func (self->left_out, code, g_str_equal, NULL))
      g_ptr_array_add (self->left_out, g_strdup (code));
  }
}

/* Sets properties of a track from a description that Traceloom wrote: "traceloom: " followed by words and, for the root
 * track, optionally by a JSON object. Ignores descriptions by other programs. */
static void
take_description (LoomPerfettoTracks *self, LoomPerfettoTrack *track, const char *text)
{
  static const struct {
    const char *word;
    guint flag;
  } words[] = { { "derived", LOOM_TRACK_DERIVED },
                { "collapsed", LOOM_TRACK_COLLAPSED },
                { "no-extent", LOOM_TRACK_NO_EXTENT },
                { "device", LOOM_TRACK_DEVICE },
                { "global", LOOM_TRACK_GLOBAL } };
  if (!g_str_has_prefix (text, "traceloom: "))
    return;
  const char *head = track->uuid == 0 ? strstr (text, " {") : NULL;
  g_autofree char *plain = head != NULL ? g_strndup (text, (gsize) (head - text)) : g_strdup (text);
  g_auto (GStrv) parts = g_strsplit (plain + strlen ("traceloom: "), " ", MOST_WORDS);
  if (head != NULL)
    replace_text (&self->head, g_strdup (head + 1));
  self->is_merged |= track->uuid == 0 && g_strv_contains ((const char *const *) parts, "merged");
  self->is_incomplete |=
    self->is_merged && track->uuid == 0 && g_strv_contains ((const char *const *) parts, "incomplete");
  if (self->is_merged && track->uuid == 0)
    take_left_out (self, parts);
  track->is_lane |= g_strv_contains ((const char *const *) parts, "lane");
  if (g_strv_contains ((const char *const *) parts, "nameless"))
    replace_text (&track->series, g_strdup (""));
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_strv_contains ((const char *const *) parts, words[i].word))
      track->flags |= words[i].flag;
}

static void
take_field (LoomPerfettoTracks *self, LoomPerfettoTrack *track, const LoomProtoField *field)
{
  gboolean is_bytes = field->wire == LOOM_PROTO_BYTES;
  switch (field->number) {
  case TRACK_PARENT:
    track->parent = field->value;
    track->has_parent = field->value != 0;
    break;
  case TRACK_ORDER: track->sort = (gint32) field->value; break;
  case TRACK_STATE: track->is_state |= is_bytes; break;
  case TRACK_DESCRIPTION:
    if (is_bytes) {
      gsize most = track->uuid == 0 ? MOST_HEAD_BYTES : MOST_LABEL_BYTES;
      g_autofree char *description = g_strndup ((const char *) field->bytes, (gsize) MIN (field->value, most));
      take_description (self, track, description);
    }
    break;
  case TRACK_NAME:
  case TRACK_STATIC_NAME:
  case TRACK_ATRACE_NAME:
    if (is_bytes && field->value > 0)
      rename_track (self, track, dup_text (field));
    break;
  case TRACK_PROCESS:
    if (!is_bytes)
      break;
    track->process = read_process (self, field, track->uuid, &track->pid);
    track->has_process = TRUE;
    break;
  case TRACK_THREAD:
    if (is_bytes)
      take_thread (self, track, field);
    break;
  case TRACK_COUNTER:
    if (is_bytes)
      take_counter (track, field);
    break;
  default: break;
  }
}

void
loom_perfetto_tracks_read_descriptor (LoomPerfettoTracks *self, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  guint64 uuid = 0;
  while (loom_proto_next (&p, end, &field))
    if (field.number == TRACK_UUID && field.wire != LOOM_PROTO_BYTES)
      uuid = field.value;
  guint32 index = loom_perfetto_tracks_find (self, uuid);
  if (index == LOOM_PERFETTO_NO_TRACK)
    return;
  loom_perfetto_tracks_get (self, index)->has_descriptor = TRUE;
  for (p = message->bytes; loom_proto_next (&p, end, &field);)
    take_field (self, loom_perfetto_tracks_get (self, index), &field);
}

static void
read_tree_process (LoomPerfettoTracks *self, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  gint64 pid = 0;
  char *name = NULL;
  while (loom_proto_next (&p, end, &field))
    if (field.number == TREE_PID && field.wire == LOOM_PROTO_VARINT)
      pid = (gint32) field.value;
    else if (field.number == TREE_COMMAND && field.wire == LOOM_PROTO_BYTES && name == NULL)
      name = dup_text (&field);
  name_process (self, pid, 0, name != NULL ? name : g_strdup (""));
}

static void
read_tree_thread (LoomPerfettoTracks *self, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field, name = { 0 };
  gint64 tid = 0;
  while (loom_proto_next (&p, end, &field))
    if (field.number == TREE_TID && field.wire == LOOM_PROTO_VARINT)
      tid = (gint32) field.value;
    else if (field.number == TREE_THREAD_NAME && field.wire == LOOM_PROTO_BYTES)
      name = field;
  if (name.value > 0)
    loom_perfetto_ids_insert (self->threads, (guint64) tid, 0, 0, dup_text (&name));
}

void
loom_perfetto_tracks_read_process_tree (LoomPerfettoTracks *self, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field))
    if (field.number == TREE_PROCESS && field.wire == LOOM_PROTO_BYTES)
      read_tree_process (self, &field);
    else if (field.number == TREE_THREAD && field.wire == LOOM_PROTO_BYTES)
      read_tree_thread (self, &field);
}
