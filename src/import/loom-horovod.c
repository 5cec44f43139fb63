/* SPDX-License-Identifier: Apache-2.0
 *
 * Raw Horovod timelines: formats/horovod.md. One process per tensor, no threads.
 */
#include "loom-chrome.h"

#include <string.h>

typedef struct {
  GHashTable *tensors; /* pid literal → process id + 1 */
  guint n_restarts;
  gint64 start_ns;     /* latest start metadata; 0 none */
  gboolean mixed;      /* some events came before the start */
} Horovod;

static guint32
process_for (LoomChrome *chrome, LoomSlice pid)
{
  Horovod *horovod = chrome->data;
  LoomSlice id = loom_chrome_id_key (pid);
  g_autofree char *literal = g_strndup (id.text, id.length);
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (horovod->tensors, literal));
  if (known != 0)
    return known - 1;
  guint32 process = loom_builder_process (chrome->builder, chrome->source, literal, strlen (literal));
  g_hash_table_insert (horovod->tensors, g_steal_pointer (&literal), GUINT_TO_POINTER (process + 1));
  return process;
}

/* A pid that gets another tensor's name is another process from here on. */
static void
name_process (LoomChrome *chrome, LoomSlice pid, const char *label)
{
  Horovod *horovod = chrome->data;
  guint32 process = process_for (chrome, pid);
  const char *old = loom_builder_process_get_label (chrome->builder, process);
  if (old != NULL && strcmp (old, label) != 0) {
    LoomSlice id = loom_chrome_id_key (pid);
    g_autofree char *literal = g_strndup (id.text, id.length);
    g_autofree char *key = g_strdup_printf ("%s#%u", literal, ++horovod->n_restarts);
    process = loom_builder_process (chrome->builder, chrome->source, key, strlen (key));
    g_hash_table_insert (horovod->tensors, g_steal_pointer (&literal), GUINT_TO_POINTER (process + 1));
  }
  loom_builder_process_set_label (chrome->builder, process, label);
}

static gboolean
on_metadata (LoomChrome *chrome, const LoomEvent *event)
{
  Horovod *horovod = chrome->data;
  LoomSlice name = event->member[LOOM_MEMBER_NAME], args = event->member[LOOM_MEMBER_ARGS];
  if (loom_slice_equal (name, "\"process_name\"")) {
    LoomSlice start = loom_json_member (args, "start_time_since_epoch_in_micros");
    LoomExactTime time;
    if (start.text != NULL && loom_number_parse_us (start.text, start.length, &time)) {
      horovod->mixed |= chrome->n_timed > 0 && horovod->start_ns == 0;
      if (horovod->mixed && horovod->start_ns == 0) /* the first start also holds for what stands before it */
        loom_builder_shift_source (chrome->builder, chrome->source, time.ns);
      horovod->start_ns = time.ns;
      chrome->base_ns = time.ns;
    }
    LoomSlice label = loom_json_member (args, "name");
    if (label.text != NULL) {
      g_autofree char *text = loom_json_dup_decoded (label);
      name_process (chrome, event->member[LOOM_MEMBER_PID], text);
    }
    return TRUE;
  }
  if (loom_slice_equal (name, "\"process_sort_index\"")) {
    LoomSlice value = loom_json_member (args, "sort_index");
    gint64 index;
    if (value.text != NULL && loom_number_parse_int (value.text, value.length, &index))
      loom_builder_process_set_sort (chrome->builder, process_for (chrome, event->member[LOOM_MEMBER_PID]), index);
    return TRUE;
  }
  return FALSE;
}

static void
on_place (LoomChrome *chrome, const LoomEvent *event, guint32 *process, guint32 *thread)
{
  LoomSlice tid = loom_chrome_id_key (event->member[LOOM_MEMBER_TID]);
  *process = process_for (chrome, event->member[LOOM_MEMBER_PID]);
  *thread = loom_builder_thread (chrome->builder, *process, tid.text, tid.length);
}

/* Readiness ticks are named by a rank's number; their duration means nothing. */
static void
on_adjust (LoomChrome *chrome, const LoomEvent *event, gint64 *start_ns, gint64 *dur_ns, guint *flags)
{
  LoomSlice name = event->member[LOOM_MEMBER_NAME];
  if (loom_event_phase (event) == 'X' && loom_slice_is_string (name) &&
      strspn (name.text + 1, "0123456789") == name.length - 2)
    *dur_ns = 0;
}

static void
finish (LoomChrome *chrome, LoomReader *reader)
{
  const Horovod *horovod = chrome->data;
  if (horovod->start_ns != 0)
    loom_chrome_set_clock (chrome, LOOM_CLOCK_EXACT, "start_time_since_epoch_in_micros", horovod->start_ns);
  else
    loom_chrome_set_clock (chrome, LOOM_CLOCK_NONE, "boot clock of the writing host", 0);
  if (horovod->mixed)
    loom_log_add (chrome->info->log, LOOM_SEVERITY_WARNING, "late-start", LOOM_OFFSET_NONE,
                  "Events stand before the start time; it was taken to hold for them too");
}

gboolean
loom_import_horovod (LoomImport *import, GError **error)
{
  static const LoomChromeHooks hooks = { .metadata = on_metadata, .place = on_place, .adjust = on_adjust };
  for (guint i = 0; i < import->n_files; i++) {
    g_autoptr (GHashTable) tensors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    Horovod horovod = { .tensors = tensors };
    LoomChromeJob job = { .format = "horovod", .hooks = &hooks, .data = &horovod, .clock = G_MAXUINT, .finish = finish };
    if (!loom_chrome_read (import, import->files[i], &job, error))
      return FALSE;
  }
  return TRUE;
}
