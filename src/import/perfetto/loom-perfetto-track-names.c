/* SPDX-License-Identifier: Apache-2.0
 *
 * Determines the process, the thread and the label of each track of a Perfetto trace after the last packet was read.
 */
#include "loom-perfetto-tracks.h"

#include "loom-json-slice.h"
#include "loom-perfetto-ids.h"

#include <string.h>

#define MOST_PARENTS 64
#define MOST_PATH_BYTES 256

static LoomPerfettoProcess *
get_process (const LoomPerfettoTracks *self, guint process)
{
  return &g_array_index (self->processes, LoomPerfettoProcess, process);
}

char *
loom_perfetto_tracks_dup_json (const char *text, gsize length)
{
  g_autoptr (GString) json = g_string_new (NULL);
  loom_json_slice_append_string (json, text, length);
  return g_strndup (json->str + 1, json->len - 2);
}

static char *
dup_json (const char *text)
{
  return loom_perfetto_tracks_dup_json (text, strlen (text));
}

static LoomPerfettoTrack *
find_parent (LoomPerfettoTracks *self, const LoomPerfettoTrack *track)
{
  guint known = track->has_parent ? GPOINTER_TO_UINT (loom_perfetto_ids_find (self->by_uuid, track->parent, 0, 0)) : 0;
  return known > 0 ? loom_perfetto_tracks_get (self, known - 1) : NULL;
}

/* Returns the name of a track, without the names of its parents, as JSON. Owned by the caller. */
static char *
dup_own_name (const LoomPerfettoTracks *self, const LoomPerfettoTrack *track)
{
  const char *listed = track->has_thread ? loom_perfetto_ids_find (self->threads, (guint64) track->tid, 0, 0) : NULL;
  if (track->name != NULL)
    return dup_json (track->name);
  if (listed != NULL)
    return dup_json (listed);
  if (track->has_thread)
    return g_strdup_printf ("thread %" G_GINT64_FORMAT, track->tid);
  if (track->has_process)
    return g_strdup ("(process)");
  if (track->uuid == 0)
    return g_strdup ("Default Track");
  if (track->event_name != NULL)
    return g_strdup (track->event_name);
  return g_strdup_printf ("track %" G_GUINT64_FORMAT, track->uuid);
}

static gboolean
is_among (const LoomPerfettoTrack *const *tracks, guint n, const LoomPerfettoTrack *track)
{
  for (guint i = 0; i < n; i++)
    if (tracks[i] == track)
      return TRUE;
  return FALSE;
}

/* Returns the nearest track that belongs to a process: `track` itself, or else its nearest ancestor with a process;
 * NULL if no ancestor has a process. Sets `label` (owned by the caller) to the names of the tracks from the returned
 * track down to `track`: "thread / lane". */
static const LoomPerfettoTrack *
find_owner (LoomPerfettoTracks *self, const LoomPerfettoTrack *track, char **label)
{
  g_autoptr (GString) path = g_string_new (NULL);
  const LoomPerfettoTrack *at = track, *seen[MOST_PARENTS];
  for (guint i = 0; at != NULL && i < MOST_PARENTS && !is_among (seen, i, at); i++) {
    seen[i] = at;
    g_autofree char *name = dup_own_name (self, at);
    gboolean is_shown = at == track || at->has_thread || !at->has_process;
    if (is_shown && path->len > 0)
      g_string_prepend (path, " / ");
    if (is_shown && path->len < MOST_PATH_BYTES)
      g_string_prepend (path, name);
    if (at->has_process)
      break;
    at = find_parent (self, at);
  }
  *label = g_string_free (g_steal_pointer (&path), FALSE);
  return at != NULL && at->has_process ? at : NULL;
}

/* Returns the JSON text of the member "pid" for the events of a process: `,"pid":145` or, for the second process with
 * this process id, `,"pid":"145 (2)"`. Owned by the caller. */
static char *
dup_pid (const LoomPerfettoProcess *process)
{
  if (process->nth == 0)
    return g_strdup_printf (",\"pid\":%" G_GINT64_FORMAT, process->pid);
  return g_strdup_printf (",\"pid\":\"%" G_GINT64_FORMAT " (%u)\"", process->pid, process->nth + 1);
}

/* Returns the thread to which a lane (LoomPerfettoTrack.is_lane) belongs. If `track` is not a lane, returns `track`. */
static LoomPerfettoTrack *
find_thread (LoomPerfettoTracks *self, LoomPerfettoTrack *track)
{
  LoomPerfettoTrack *parent = track->is_lane ? find_parent (self, track) : NULL;
  return parent != NULL && parent->has_thread ? parent : track;
}

/* Returns the track whose name is the name of the counter `track`. This is the parent if the counter shares its axis
 * with other counters of the parent, otherwise `track` itself. */
static LoomPerfettoTrack *
find_counter (LoomPerfettoTracks *self, LoomPerfettoTrack *track)
{
  LoomPerfettoTrack *parent = track->is_counter && track->axis != NULL ? find_parent (self, track) : NULL;
  gboolean is_group = parent != NULL && !parent->has_process && !parent->is_counter && parent->name != NULL;
  return is_group ? parent : track;
}

static void
settle (LoomPerfettoTracks *self, LoomPerfettoTrack *track)
{
  if (track->place != NULL)
    return;
  LoomPerfettoTrack *thread = find_thread (self, track);
  const LoomPerfettoTrack *counter = find_counter (self, track);
  thread->is_used |= track->is_used;
  const LoomPerfettoTrack *owner = find_owner (self, counter != track ? counter : thread, &track->label);
  g_autofree char *pid = owner != NULL ? dup_pid (get_process (self, owner->process)) : NULL;
  if (counter != track && track->series == NULL)
    track->series = dup_own_name (self, track);
  if (thread->has_thread && !track->is_counter)
    track->place = g_strdup_printf ("%s,\"tid\":%" G_GINT64_FORMAT, pid, thread->tid);
  else
    track->place = g_strdup_printf ("%s,\"tid\":\"track %" G_GUINT64_FORMAT "\"",
                                    pid != NULL ? pid : ",\"pid\":\"Tracks\"", counter->uuid);
  if (owner == track && track->has_process && !track->has_thread)
    get_process (self, track->process)->flags |= track->flags;
}

void
loom_perfetto_tracks_settle (LoomPerfettoTracks *self)
{
  for (guint i = 0; i < self->tracks->len; i++)
    settle (self, loom_perfetto_tracks_get (self, i));
}

static void
append_name_event (const char *kind, const char *member, const char *place, const char *name, GString *text)
{
  g_string_append_printf (text, "{\"ph\":\"M\",\"name\":\"%s\"%s,\"args\":{\"%s\":\"%s\"}},\n", kind, place, member,
                          name);
}

/* Returns the name of the process without the rank that Traceloom writes before it: "python" for "rank 3 · python". */
static const char *
skip_rank (const LoomPerfettoProcess *process)
{
  g_autofree char *rank = g_strdup_printf (process->is_process_id ? "process %d" : "rank %d", process->rank);
  g_autofree char *before = g_strconcat (rank, " · ", NULL);
  if (process->rank >= 0 && g_str_has_prefix (process->name, before))
    return process->name + strlen (before);
  return process->rank >= 0 && strcmp (process->name, rank) == 0 ? "" : process->name;
}

static void
append_process_name (const LoomPerfettoTracks *self, const LoomPerfettoProcess *process, GString *text)
{
  g_autofree char *pid = dup_pid (process), *name = dup_json (self->is_merged ? skip_rank (process) : process->name);
  if (name[0] != '\0')
    append_name_event ("process_name", "name", pid, name, text);
  g_autofree char *names = process->names != NULL && !self->is_merged ? dup_json (process->names->str) : NULL;
  if (names != NULL)
    append_name_event ("process_labels", "labels", pid, names, text);
}

static void
append_thread_name (const LoomPerfettoTrack *track, gboolean is_sorted, GString *text)
{
  append_name_event ("thread_name", "name", track->place, track->label, text);
  if (is_sorted && track->sort != 0)
    g_string_append_printf (
      text, "{\"ph\":\"M\",\"name\":\"thread_sort_index\"%s,\"args\":{\"sort_index\":%" G_GINT64_FORMAT "}},\n",
      track->place, track->sort);
}

gboolean
loom_perfetto_tracks_append_name (const LoomPerfettoTracks *self, guint64 number, GString *text)
{
  if (number < self->processes->len) {
    append_process_name (self, get_process (self, (guint) number), text);
    return TRUE;
  }
  number -= self->processes->len;
  if (number >= self->tracks->len)
    return FALSE;
  const LoomPerfettoTrack *track = loom_perfetto_tracks_get (self, (guint32) number);
  if (track->is_used && !track->is_lane)
    append_thread_name (track, self->is_merged, text);
  return TRUE;
}
