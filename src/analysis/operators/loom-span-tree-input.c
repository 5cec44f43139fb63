/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-span-tree-input.h"

#include <string.h>

gboolean
loom_span_tree_input_is_step (const char *text)
{
  return g_str_has_prefix (text, "ProfilerStep#");
}

char *
loom_span_tree_input_dup_function (const char *text)
{
  const char *sign = strchr (text, '=');
  if (sign == NULL || strpbrk (sign, "0123456789") == NULL)
    return NULL;
  GString *plain = g_string_new (NULL);
  for (const char *at = text; *at != '\0'; at++) {
    g_string_append_c (plain, *at);
    if (*at != '=' || !g_ascii_isdigit (at[1]))
      continue;
    g_string_append (plain, "…");
    at += strspn (at + 1, "0123456789.");
  }
  return g_string_free (plain, FALSE);
}

/* Returns FALSE for tracks that are not CPU threads, and for all tracks of a trace that was read from an index file.
 * Such a file has only sums of the host's spans, which are not nested. */
static gboolean
has_calls (LoomRun *run, LoomTrackId id)
{
  const LoomTrace *trace = loom_run_get_trace (run, id.trace);
  return !loom_trace_is_index (trace) && loom_span_tree_is_cpu (loom_trace_get_track (trace, id.track));
}

GArray *
loom_span_tree_input_list_tracks (const LoomSpanTreeQuery *query, LoomRun *run)
{
  GArray *tracks = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
  for (gsize i = 0; query->tracks != NULL && i < query->n_tracks; i++)
    if (has_calls (run, query->tracks[i]))
      g_array_append_val (tracks, query->tracks[i]);
  for (guint t = 0; query->tracks == NULL && t < loom_run_get_n_traces (run); t++)
    for (guint i = 0; i < loom_trace_get_n_tracks (loom_run_get_trace (run, t)); i++) {
      LoomTrackId id = { t, i };
      if (has_calls (run, id))
        g_array_append_val (tracks, id);
    }
  return tracks;
}
