/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads timed data of a Chrome trace file that is not in its list of events: samples of profilers (top-level member
 * `samples`) and notes (`traceAnnotations`). The interface is described in loom-chrome-samples.h.
 */
#include "loom-chrome-samples.h"

#include "loom-chrome-parallel.h"

#include <glib/gi18n.h>
#include <string.h>

static LoomJsonSlice
literal (const char *text)
{
  return (LoomJsonSlice) { text, strlen (text) };
}

/* Changes an element of traceAnnotations to an instant; if the element has no pid, to an instant of the whole trace.
 * Returns FALSE if the element has no time. */
static gboolean
complete_note (LoomEvent *event)
{
  if (event->member[LOOM_MEMBER_TS].text == NULL)
    return FALSE;
  event->member[LOOM_MEMBER_PH] = literal ("\"i\"");
  if (event->member[LOOM_MEMBER_PID].text == NULL)
    event->member[LOOM_MEMBER_S] = literal ("\"g\"");
  return TRUE;
}

/* Adds an element of the list `samples` (`is_sample`) or `traceAnnotations`. Returns FALSE if the memory budget allows
 * no more. */
static gboolean
take_element (LoomChromeImporter *chrome, LoomJsonSlice element, guint64 offset, gboolean is_sample)
{
  LoomEvent event;
  if (!loom_event_parse (element.text, element.length, &event)) {
    loom_import_log_add (chrome->info->log, LOOM_SEVERITY_WARNING, "not-an-event", offset,
                         "An element of the list of events is not a JSON object");
    return TRUE;
  }
  event.offset = offset;
  if (chrome->bytes != NULL)
    loom_byte_index_set_missing (chrome->bytes, N_ ("the file has several lists of events"));
  if (is_sample)
    event.member[LOOM_MEMBER_PH] = literal ("\"P\"");
  else if (!complete_note (&event))
    return TRUE;
  return loom_chrome_parallel_on_event (&event, chrome);
}

void
loom_chrome_samples_parse (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value, guint64 offset)
{
  gboolean is_sample = loom_json_slice_equal (key, "\"samples\"");
  LoomJsonIter iter;
  LoomJsonSlice none, element;
  if ((!is_sample && !loom_json_slice_equal (key, "\"traceAnnotations\"")) || value.length == 0 ||
      value.text[0] != '[' || !loom_json_slice_iter_init (&iter, value))
    return;
  guint64 n_events = chrome->info->n_events; /* restored below, because n_events counts only the events of the list
                                              * "traceEvents" */
  while (loom_json_slice_iter_next (&iter, &none, &element) &&
         take_element (chrome, element, offset + (guint64) (element.text - value.text), is_sample))
    chrome->info->n_events = n_events;
}

/* Returns a table from the key of a thread to the first thread with this key in the processes from `first_process` on.
 * Threads of the unknown process are added to `strays` instead. */
static GHashTable *
threads_by_key (LoomTraceBuilder *builder, guint32 first_process, GArray *strays)
{
  GHashTable *by_key = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint32 i = 0; i < loom_trace_builder_get_n_threads (builder); i++) {
    guint32 process = loom_trace_builder_thread_get_process (builder, i);
    const char *key = loom_trace_builder_thread_get_key (builder, i);
    if (process < first_process)
      continue;
    if (loom_trace_builder_process_get_key (builder, process)[0] == '\0')
      g_array_append_val (strays, i);
    else if (!g_hash_table_contains (by_key, key))
      g_hash_table_insert (by_key, (gpointer) key, GUINT_TO_POINTER (i));
  }
  return by_key;
}

void
loom_chrome_samples_finish (LoomChromeImporter *chrome, guint32 first_process)
{
  g_autoptr (GArray) strays = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) by_key = threads_by_key (chrome->builder, first_process, strays);
  for (guint i = 0; i < strays->len; i++) {
    guint32 stray = g_array_index (strays, guint32, i);
    gpointer thread;
    if (g_hash_table_lookup_extended (by_key, loom_trace_builder_thread_get_key (chrome->builder, stray), NULL,
                                      &thread))
      loom_trace_builder_thread_take_samples (chrome->builder, GPOINTER_TO_UINT (thread), stray);
  }
}
