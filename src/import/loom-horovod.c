/* SPDX-License-Identifier: Apache-2.0
 *
 * Raw Horovod timelines: formats/horovod.md. One process per tensor, no threads.
 */
#include "loom-chrome.h"

#include "loom-chrome-lanes.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  gboolean mixed;      /* some events came before the start */
} Horovod;

/* What is carried: by pid the process in force where its key is not the pid, and that process' name; and how often a pid
 * got another name. */
enum { CARRY_PROCESS = 'p', CARRY_NAME = 'n', CARRY_RESTARTS = 'r' };

static guint32
process_for (LoomChrome *chrome, LoomSlice pid)
{
  LoomSlice id = loom_chrome_id_key (pid);
  const char *key = loom_carry_get (chrome->carry, CARRY_PROCESS, id);
  if (key == NULL)
    return loom_builder_process (chrome->builder, chrome->source, id.text, id.length);
  return loom_builder_process (chrome->builder, chrome->source, key, strlen (key));
}

static void
restart_process (LoomChrome *chrome, LoomSlice id)
{
  const LoomSlice none = { "", 0 };
  const char *before = loom_carry_get (chrome->carry, CARRY_RESTARTS, none);
  guint64 n_restarts = (before != NULL ? g_ascii_strtoull (before, NULL, 10) : 0) + 1;
  g_autofree char *n_text = g_strdup_printf ("%" G_GUINT64_FORMAT, n_restarts);
  g_autofree char *key = g_strdup_printf ("%.*s#%s", (int) id.length, id.text, n_text);
  loom_carry_set (chrome->carry, CARRY_RESTARTS, none, n_text);
  loom_carry_set (chrome->carry, CARRY_PROCESS, id, key);
  loom_lane_cache_reset (chrome->lanes);
}

/* A pid that gets another tensor's name is another process from here on. */
static void
name_process (LoomChrome *chrome, LoomSlice pid, const char *name)
{
  LoomSlice id = loom_chrome_id_key (pid);
  const char *old = loom_carry_get (chrome->carry, CARRY_NAME, id);
  gboolean renamed = old != NULL && strcmp (old, name) != 0;
  if (renamed)
    restart_process (chrome, id);
  loom_builder_process_set_label (chrome->builder, process_for (chrome, pid), name);
  if (renamed || (old == NULL && name[0] != '\0'))
    loom_carry_set (chrome->carry, CARRY_NAME, id, name[0] != '\0' ? name : NULL);
}

static void
take_start (LoomChrome *chrome, gint64 start_ns)
{
  Horovod *horovod = chrome->data;
  if (chrome->base_ns == 0 && loom_chrome_is_ahead (chrome)) {
    chrome->refused = TRUE; /* it may hold for what stands before the piece */
    return;
  }
  if (chrome->base_ns == 0 && chrome->n_timed > 0) { /* the first start also holds for what stands before it */
    horovod->mixed = TRUE;
    loom_builder_shift_source (chrome->builder, chrome->source, start_ns);
  }
  chrome->base_ns = start_ns;
}

static gboolean
on_metadata (LoomChrome *chrome, const LoomEvent *event)
{
  LoomSlice name = event->member[LOOM_MEMBER_NAME], args = event->member[LOOM_MEMBER_ARGS];
  if (loom_slice_equal (name, "\"process_name\"")) {
    LoomSlice start = loom_json_member (args, "start_time_since_epoch_in_micros");
    LoomExactTime time;
    if (start.text != NULL && loom_number_parse_us (start.text, start.length, &time))
      take_start (chrome, time.ns);
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
  LoomSlice pid = event->member[LOOM_MEMBER_PID], tid = event->member[LOOM_MEMBER_TID];
  if (loom_lane_cache_find (chrome->lanes, pid, tid, process, thread))
    return;
  LoomSlice key = loom_chrome_id_key (tid);
  *process = process_for (chrome, pid);
  *thread = loom_builder_thread (chrome->builder, *process, key.text, key.length);
  loom_lane_cache_add (chrome->lanes, pid, tid, *process, *thread);
}

static void
on_adjust (LoomChrome *chrome, const LoomEvent *event, gint64 *start_ns, gint64 *dur_ns, guint *flags)
{
  loom_chrome_adjust_tick (chrome, event, dur_ns);
}

static void
finish (LoomChrome *chrome, LoomReader *reader)
{
  const Horovod *horovod = chrome->data;
  if (chrome->base_ns != 0)
    loom_chrome_set_clock (chrome, LOOM_CLOCK_EXACT, "start_time_since_epoch_in_micros", chrome->base_ns);
  else
    loom_chrome_set_clock (chrome, LOOM_CLOCK_NONE, N_ ("boot clock of the writing host"), 0);
  if (horovod->mixed)
    loom_log_add (chrome->info->log, LOOM_SEVERITY_WARNING, "late-start", LOOM_OFFSET_NONE,
                  "Events stand before the start time; it was taken to hold for them too");
}

gboolean
loom_import_horovod (LoomImport *import, GError **error)
{
  static const LoomChromeHooks hooks = { .metadata = on_metadata, .place = on_place, .adjust = on_adjust };
  for (guint i = 0; i < import->n_files; i++) {
    g_autoptr (LoomCarry) carry = loom_carry_new (NULL);
    Horovod horovod = { FALSE };
    LoomChromeJob job = { .format = "horovod", .hooks = &hooks, .data = &horovod, .clock = G_MAXUINT, .splittable = TRUE,
                          .carry = carry, .finish = finish };
    if (!loom_chrome_read (import, import->files[i], &job, error))
      return FALSE;
  }
  return TRUE;
}
