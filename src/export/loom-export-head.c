/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-export-head.h"

#include <string.h>

#include "loom-device-name.h"
#include "loom-source-fact.h"

static gboolean
is_work_of_device (const LoomTrack *track)
{
  return loom_trace_track_is_device (track) && track->kind == LOOM_TRACK_SPANS && track->n_events > 0;
}

/* Returns the pid that the process has in the file that recorded it. For a process of a merged file, the key consists
 * of this pid, a newline, and the pid in the merged file. Owned by the caller. */
static char *
dup_key (const LoomTrack *track)
{
  return g_strndup (track->process_key, strcspn (track->process_key, "\n"));
}

static void
append_device (GString *out, const LoomTrack *track, const char *name)
{
  g_string_append (out, out->str[out->len - 1] == '[' ? "{" : ",{");
  loom_trace_event_writer_append_key (out, "id");
  g_autofree char *key = dup_key (track);
  g_string_append (out, *key != '\0' ? key : "null");
  loom_trace_event_writer_append_text (out, "name", name);
  if (track->rank >= 0)
    loom_trace_event_writer_append_int (out, "rank", track->rank);
  loom_trace_event_writer_append_text (out, "node", track->node);
  g_string_append_c (out, '}');
}

static void
append_trace (const LoomExport *merge, GString *out, guint number)
{
  const LoomTrace *trace = loom_run_get_trace (merge->run, number);
  g_autoptr (GHashTable) processes = g_hash_table_new (NULL, NULL);
  g_autoptr (GString) name = g_string_new (NULL);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (!is_work_of_device (track) ||
        !loom_export_wants (merge, loom_run_get_first_source (merge->run, number) + track->source) ||
        !g_hash_table_add (processes, GUINT_TO_POINTER (track->process_id + 1)))
      continue;
    g_string_truncate (name, 0);
    g_autofree char *key = dup_key (track);
    loom_device_name_find (loom_source_fact_find (loom_trace_get_source (trace, track->source), "deviceProperties"),
                           key, track->rank, track->node, name);
    if (name->len > 0)
      append_device (out, track, name->str);
  }
}

gboolean
loom_export_head_append_devices (const LoomExport *merge, GString *out)
{
  gsize before = out->len;
  g_string_append_c (out, '[');
  for (guint i = 0; i < loom_run_get_n_traces (merge->run); i++)
    append_trace (merge, out, i);
  if (out->str[out->len - 1] == '[') {
    g_string_truncate (out, before);
    return FALSE;
  }
  g_string_append_c (out, ']');
  return TRUE;
}

void
loom_export_head_append_source (GString *out, const LoomSource *source)
{
  loom_trace_event_writer_append_text (out, "path", source->path);
  if (source->n_bytes > 0 && source->n_bytes <= G_MAXINT64)
    loom_trace_event_writer_append_int (out, "bytes", (gint64) source->n_bytes);
}

char *
loom_export_head_dup_json (const LoomExport *merge)
{
  g_autoptr (GString) out = g_string_new ("{\"clocks\":["), devices = g_string_new (NULL);
  for (guint i = 0; i < loom_run_get_n_sources (merge->run); i++) {
    if (!loom_export_wants (merge, i))
      continue;
    g_string_append (out, out->str[out->len - 1] == '[' ? "{" : ",{");
    loom_export_head_append_source (out, loom_run_get_source (merge->run, i));
    g_string_append_c (out, '}');
  }
  g_string_append_c (out, ']');
  if (loom_export_head_append_devices (merge, devices))
    g_string_append_printf (out, ",\"deviceProperties\":%s", devices->str);
  g_string_append (out, ",\"processes\":[]}");
  return g_string_free (g_steal_pointer (&out), FALSE);
}
