/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-track-label.h"

#include "loom-track-name.h"
#include "loom-track-rank.h"

#include <glib/gi18n.h>
#include <string.h>

char *
loom_track_label_dup_process (const LoomTrack *track)
{
  return g_strdup (strcmp (track->process, "(no process)") == 0 ? C_ ("track", "(no process)") : track->process);
}

char *
loom_track_label_dup_thread (const LoomTrack *track)
{
  switch (loom_track_name_get_origin (track)) {
  case LOOM_TRACK_NAME_STREAM:
    return g_strdup_printf (/* Translators: a stream of a GPU; %s is its number */ C_ ("track", "stream %s"),
                            track->thread_key);
  case LOOM_TRACK_NAME_THREAD:
    return g_strdup_printf (
      /* Translators: the label of a thread; %s is the number of the thread */ C_ ("track", "thread %s"),
      track->thread_key);
  case LOOM_TRACK_NAME_NONE: return g_strdup (C_ ("track", "(no thread)"));
  case LOOM_TRACK_NAME_GIVEN: break;
  }
  return g_strdup (track->thread);
}

/* Returns a text with the rank of a track and the name that the user gave to its file, such as "rank 3 · the slow one".
 * If one of the two is unknown, returns only the other one; if both are unknown, returns "". */
static char *
dup_worker_words (const LoomTrack *track, const LoomSource *source, const char *name)
{
  if (track->rank < 0)
    return g_strdup (name != NULL ? name : "");
  g_autofree char *rank = loom_track_rank_dup_words (track, source->format);
  return name != NULL ? g_strdup_printf ("%s · %s", rank, name) : g_steal_pointer (&rank);
}

char *
loom_track_label_dup_path (const LoomTrace *trace, const LoomTrack *track, const LoomSourceOverrides *names)
{
  const LoomSource *source = loom_trace_get_source (trace, track->source);
  g_autofree char *worker = dup_worker_words (track, source, loom_source_overrides_get_name (names, source->path));
  g_autofree char *process = loom_track_label_dup_process (track), *thread = loom_track_label_dup_thread (track);
  const char *const parts[] = { track->node != NULL ? track->node : "", worker, process, thread, track->name };
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (*parts[i] != '\0')
      g_string_append_printf (text, "%s%s", text->len > 0 ? " › " : "", parts[i]);
  return g_string_free (text, FALSE);
}

char *
loom_track_label_dup_worker_words (const LoomDataFrame *frame, guint worker)
{
  if (worker >= frame->n_workers)
    return g_strdup (C_ ("nodes or devices", "all"));
  const LoomWorker *one = &frame->workers[worker];
  if (one->rank < 0)
    return g_strdup (one->display != NULL && one->display[0] != '\0' ? one->display
                     : one->host[0] != '\0'                          ? one->host
                                                                     : C_ ("nodes or devices", "all"));
  g_autofree char *number = g_strdup_printf (one->is_process ? _ ("process %d") : _ ("rank %d"), one->rank);
  return frame->n_hosts > 1 && one->host[0] != '\0' ? g_strdup_printf ("%s %s", one->host, number)
                                                    : g_steal_pointer (&number);
}
