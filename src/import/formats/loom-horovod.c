/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports raw timelines of Horovod (environment variable HOROVOD_TIMELINE). Horovod writes one process per tensor and
 * no threads.
 */
#include "loom-chrome-importer.h"

#include "loom-chrome-track-cache.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  gboolean mixed; /* TRUE if there were events before the metadata event that states the start time */
} Horovod;

/* Kinds of values in LoomChromeImporter.carry. For each pid: CARRY_PROCESS is the key of the pid's current process
 * (absent if equal to the pid), CARRY_NAME the name of this process, CARRY_RESTARTS the number of times that the name
 * of the pid changed. */
enum { CARRY_PROCESS = 'p', CARRY_NAME = 'n', CARRY_RESTARTS = 'r' };

static guint32
process_for (LoomChromeImporter *chrome, LoomJsonSlice pid)
{
  LoomJsonSlice id = loom_chrome_importer_id_key (pid);
  const char *key = loom_chrome_carry_over_get (chrome->carry, CARRY_PROCESS, id);
  if (key == NULL)
    return loom_trace_builder_process (chrome->builder, chrome->source, id.text, id.length);
  return loom_trace_builder_process (chrome->builder, chrome->source, key, strlen (key));
}

static void
restart_process (LoomChromeImporter *chrome, LoomJsonSlice id)
{
  const LoomJsonSlice none = { "", 0 };
  const char *before = loom_chrome_carry_over_get (chrome->carry, CARRY_RESTARTS, none);
  guint64 n_restarts = (before != NULL ? g_ascii_strtoull (before, NULL, 10) : 0) + 1;
  g_autofree char *n_text = g_strdup_printf ("%" G_GUINT64_FORMAT, n_restarts);
  g_autofree char *key = g_strdup_printf ("%.*s#%s", (int) id.length, id.text, n_text);
  loom_chrome_carry_over_set (chrome->carry, CARRY_RESTARTS, none, n_text);
  loom_chrome_carry_over_set (chrome->carry, CARRY_PROCESS, id, key);
  loom_chrome_track_cache_reset (chrome->lanes);
}

/* Sets the name of the process with this pid. If the pid already had the name of another tensor, the events from
 * here on belong to a new process. */
static void
name_process (LoomChromeImporter *chrome, LoomJsonSlice pid, const char *name)
{
  LoomJsonSlice id = loom_chrome_importer_id_key (pid);
  const char *old = loom_chrome_carry_over_get (chrome->carry, CARRY_NAME, id);
  gboolean renamed = old != NULL && strcmp (old, name) != 0;
  if (renamed)
    restart_process (chrome, id);
  loom_trace_builder_process_set_label (chrome->builder, process_for (chrome, pid), name);
  if (renamed || (old == NULL && name[0] != '\0'))
    loom_chrome_carry_over_set (chrome->carry, CARRY_NAME, id, name[0] != '\0' ? name : NULL);
}

static void
take_start (LoomChromeImporter *chrome, gint64 start_ns)
{
  Horovod *horovod = chrome->data;
  if (chrome->base_ns == 0 && loom_chrome_importer_is_ahead (chrome)) {
    /* The start time may also apply to events before this piece of the file, and another reader reads those events.
     * Therefore the piece is refused: the reader of the whole file must read it again. */
    chrome->refused = TRUE;
    return;
  }
  /* the first start time in the file applies to the events before it, too */
  if (chrome->base_ns == 0 && chrome->n_timed > 0) {
    horovod->mixed = TRUE;
    loom_trace_builder_shift_source (chrome->builder, chrome->source, start_ns);
  }
  chrome->base_ns = start_ns;
}

static gboolean
on_metadata (LoomChromeImporter *chrome, const LoomEvent *event)
{
  LoomJsonSlice name = event->member[LOOM_MEMBER_NAME], args = event->member[LOOM_MEMBER_ARGS];
  if (loom_json_slice_equal (name, "\"process_name\"")) {
    LoomJsonSlice start = loom_json_slice_member (args, "start_time_since_epoch_in_micros");
    LoomExactTime time;
    if (start.text != NULL && loom_parse_time_parse_us (start.text, start.length, &time) && time.ns > 0)
      take_start (chrome, time.ns);
    LoomJsonSlice label = loom_json_slice_member (args, "name");
    if (label.text != NULL) {
      g_autofree char *text = loom_json_slice_dup_decoded (label);
      name_process (chrome, event->member[LOOM_MEMBER_PID], text);
    }
    return TRUE;
  }
  if (loom_json_slice_equal (name, "\"process_sort_index\"")) {
    LoomJsonSlice value = loom_json_slice_member (args, "sort_index");
    gint64 index;
    if (value.text != NULL && loom_parse_time_parse_int (value.text, value.length, &index))
      loom_trace_builder_process_set_sort (chrome->builder, process_for (chrome, event->member[LOOM_MEMBER_PID]),
                                           index);
    return TRUE;
  }
  return FALSE;
}

static void
on_place (LoomChromeImporter *chrome, const LoomEvent *event, guint32 *process, guint32 *thread)
{
  LoomJsonSlice pid = event->member[LOOM_MEMBER_PID], tid = event->member[LOOM_MEMBER_TID];
  if (loom_chrome_track_cache_find (chrome->lanes, pid, tid, process, thread))
    return;
  LoomJsonSlice key = loom_chrome_importer_id_key (tid);
  *process = process_for (chrome, pid);
  *thread = loom_trace_builder_thread (chrome->builder, *process, key.text, key.length);
  loom_chrome_track_cache_add (chrome->lanes, pid, tid, *process, *thread);
}

static void
on_adjust (LoomChromeImporter *chrome, const LoomEvent *event, gint64 *start_ns, gint64 *dur_ns, guint *flags)
{
  loom_chrome_importer_adjust_tick (chrome, event, dur_ns);
}

static void
finish (LoomChromeImporter *chrome, LoomStreamReader *reader)
{
  const Horovod *horovod = chrome->data;
  if (chrome->base_ns != 0)
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_EXACT, "start_time_since_epoch_in_micros", chrome->base_ns);
  else
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_NONE,
                                    N_ ("clock of the host that wrote the file, counted from its boot"), 0);
  if (horovod->mixed)
    loom_import_log_add (
      chrome->info->log, LOOM_SEVERITY_WARNING, "late-start", LOOM_OFFSET_NONE,
      "The file states its start time only after some events; the start time was applied to these events as well");
}

gboolean
loom_importer_horovod (LoomImporter *import, GError **error)
{
  static const LoomChromeImporterHooks hooks = { .metadata = on_metadata, .place = on_place, .adjust = on_adjust };
  for (guint i = 0; i < import->n_files; i++) {
    g_autoptr (LoomChromeState) carry = loom_chrome_carry_over_new (NULL);
    Horovod horovod = { FALSE };
    LoomChromeImporterJob job = { .format = "horovod",
                                  .hooks = &hooks,
                                  .data = &horovod,
                                  .clock = G_MAXUINT,
                                  .splittable = TRUE,
                                  .carry = carry,
                                  .finish = finish };
    if (!loom_chrome_importer_read (import, import->files[i], &job, error))
      return FALSE;
  }
  return TRUE;
}
