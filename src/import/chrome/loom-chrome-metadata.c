/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the parts of a Chrome trace that are not plain events on a thread: metadata events, tables of stack frames,
 * flow events and async events.
 */
#include "loom-chrome-event.h"

#include "loom-seeded-hash.h"
#include "loom-string-pool.h"

#include <string.h>

/* Mixed into the hash of a bind_id, so that the hash differs from the key of a flow event (s, t or f) that has the same
 * id. */
#define BOUND_KEYS 0x42

/* --- stack frames ---------------------------------------------------------------------------------------------- */

static gboolean
take_frame (LoomChromeImporter *chrome, const char *scope, LoomJsonSlice key, LoomJsonSlice value)
{
  g_autofree char *id = loom_json_slice_dup_plain (key),
                  *name = loom_json_slice_dup_plain (loom_json_slice_member (value, "name"));
  g_autofree char *category = loom_json_slice_dup_plain (loom_json_slice_member (value, "category"));
  g_autofree char *parent = loom_json_slice_dup_plain (loom_json_slice_member (value, "parent"));
  const LoomStackFrame frame = { scope, id, name, category, parent };
  return loom_source_add_frame (chrome->info, &frame);
}

void
loom_chrome_event_parse_frames (LoomChromeImporter *chrome, LoomJsonSlice pid, LoomJsonSlice table)
{
  g_autofree char *scope = loom_json_slice_dup_plain (pid);
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  if (!loom_json_slice_is_object (table) || !loom_json_slice_iter_init (&iter, table))
    return;
  for (guint64 n = 1; loom_json_slice_iter_next (&iter, &key, &value); n++) {
    if (loom_json_slice_is_object (value) && !take_frame (chrome, scope, key, value))
      return;
    if (n % LOOM_IMPORTER_LOOK_EVENTS == 0 && loom_memory_budget_check (chrome->import->budget)) {
      loom_import_log_add (chrome->info->log, LOOM_SEVERITY_WARNING, "stack-frames", LOOM_OFFSET_NONE,
                           "There is not enough memory for all stack frames; stacks end where a frame is missing");
      return;
    }
  }
}

/* --- metadata -------------------------------------------------------------------------------------------------- */

static gboolean
sort_index_of (LoomJsonSlice args, gint64 *index)
{
  LoomJsonSlice value = loom_json_slice_member (args, "sort_index");
  double real;
  if (value.text == NULL)
    return FALSE;
  if (loom_parse_time_parse_int (value.text, value.length, index))
    return TRUE;
  if (!loom_parse_time_parse_double (value.text, value.length, &real))
    return FALSE;
  *index = real >= 9e18 ? G_MAXINT64 : real <= -9e18 ? G_MININT64 : (gint64) real;
  return TRUE;
}

static void
place_metadata (LoomChromeImporter *chrome, const LoomEvent *event, guint32 *process, guint32 *thread)
{
  LoomEvent main_thread = *event;
  /* thread metadata without a tid describes the main thread, whose tid equals the pid */
  if (event->member[LOOM_MEMBER_TID].text == NULL &&
      strncmp (loom_chrome_importer_text (chrome, event->member[LOOM_MEMBER_NAME]), "thread_", 7) == 0)
    main_thread.member[LOOM_MEMBER_TID] = event->member[LOOM_MEMBER_PID];
  loom_chrome_importer_place (chrome, &main_thread, process, thread);
}

static void
add_labels (LoomChromeImporter *chrome, guint32 process, LoomJsonSlice labels)
{
  if (labels.text == NULL || labels.length <= 2)
    return;
  loom_trace_builder_process_add_labels (chrome->builder, process, loom_chrome_importer_text (chrome, labels));
}

void
loom_chrome_event_parse_metadata (LoomChromeImporter *chrome, const LoomEvent *event)
{
  LoomJsonSlice name = event->member[LOOM_MEMBER_NAME], args = event->member[LOOM_MEMBER_ARGS];
  guint32 process, thread;
  gint64 index;
  if (loom_json_slice_equal (name, "\"stackFrames\""))
    loom_chrome_event_parse_frames (chrome, event->member[LOOM_MEMBER_PID],
                                    loom_json_slice_member (args, "stackFrames"));
  if (chrome->hooks->metadata != NULL && chrome->hooks->metadata (chrome, event))
    return;
  if (loom_json_slice_equal (name, "\"process_name\"")) {
    place_metadata (chrome, event, &process, &thread);
    loom_trace_builder_process_set_label (chrome->builder, process,
                                          loom_chrome_importer_text (chrome, loom_json_slice_member (args, "name")));
  } else if (loom_json_slice_equal (name, "\"thread_name\"")) {
    place_metadata (chrome, event, &process, &thread);
    loom_trace_builder_thread_set_label (chrome->builder, thread,
                                         loom_chrome_importer_text (chrome, loom_json_slice_member (args, "name")));
  } else if (loom_json_slice_equal (name, "\"process_labels\"")) {
    place_metadata (chrome, event, &process, &thread);
    add_labels (chrome, process, loom_json_slice_member (args, "labels"));
  } else if (loom_json_slice_equal (name, "\"process_sort_index\"")) {
    place_metadata (chrome, event, &process, &thread);
    if (sort_index_of (args, &index))
      loom_trace_builder_process_set_sort (chrome->builder, process, index);
  } else if (loom_json_slice_equal (name, "\"thread_sort_index\"")) {
    place_metadata (chrome, event, &process, &thread);
    if (sort_index_of (args, &index))
      loom_trace_builder_thread_set_sort (chrome->builder, thread, index);
  } else if (loom_json_slice_equal (name, "\"trace_buffer_overflowed\"")) {
    loom_import_log_add (chrome->info->log, LOOM_SEVERITY_WARNING, "buffer-overflow", event->offset,
                         "The writer’s buffer overflowed: events are missing");
  } else if (name.length < 128 && args.length < 1024 && chrome->info->facts->len < LOOM_CHROME_IMPORTER_MAX_FACTS) {
    g_autofree char *key = loom_json_slice_dup_decoded (name);
    g_autofree char *value = g_strndup (args.text != NULL ? args.text : "", args.length);
    loom_source_add_fact (chrome->info, key, value);
  }
}

/* --- ids ------------------------------------------------------------------------------------------------------- */

/* Sets `id` to the event's id, without quotes, and `local` to TRUE if the id is valid only within the event's process.
 * Returns FALSE if the event has no id, or one that cannot link events: null, an object or an array. */
static gboolean
id_of (const LoomEvent *event, LoomJsonSlice *id, gboolean *local)
{
  *id = event->member[LOOM_MEMBER_ID];
  *local = FALSE;
  if (id->text == NULL) {
    LoomJsonSlice id2 = event->member[LOOM_MEMBER_ID2];
    *id = loom_json_slice_member (id2, "global");
    if (id->text == NULL) {
      *id = loom_json_slice_member (id2, "local");
      *local = TRUE;
    }
  }
  if (id->text == NULL || id->text[0] == '{' || id->text[0] == '[' || loom_json_slice_equal (*id, "null"))
    return FALSE;
  if (loom_json_slice_is_string (*id))
    *id = (LoomJsonSlice) { id->text + 1, id->length - 2 };
  return TRUE;
}

static void
append_part (GString *key, char mark, LoomJsonSlice part)
{
  g_string_append_c (key, mark);
  if (part.text != NULL)
    g_string_append_len (key, part.text, (gssize) part.length);
  g_string_append_c (key, '\0');
}

static guint32
key_of (LoomChromeImporter *chrome, GString *key)
{
  return loom_trace_builder_key (chrome->builder, key->str, key->len);
}

guint64
loom_chrome_event_flow_key (guint64 category, LoomJsonSlice id)
{
  return MAX (loom_string_pool_hash_join (category, loom_seeded_hash_text (id.text, id.length)), 1);
}

/* Returns the key of a flow: a hash of the category and id of its event, and of the pid if the id is valid only
 * within the process. Never 0. */
static guint64
flow_key (const LoomEvent *event, LoomJsonSlice id, gboolean local)
{
  LoomJsonSlice category = event->member[LOOM_MEMBER_CAT], pid = event->member[LOOM_MEMBER_PID];
  guint64 key = loom_string_pool_hash_join (loom_string_pool_hash (category.text, category.length),
                                            loom_seeded_hash_text (id.text, id.length));
  if (local)
    key = loom_string_pool_hash_join (key, loom_seeded_hash_text (pid.text, pid.length));
  return MAX (key, 1);
}

void
loom_chrome_event_parse_flow (LoomChromeImporter *chrome, const LoomEvent *event, char phase, guint32 thread,
                              gint64 time_ns, guint32 name_id, LoomRef ref)
{
  LoomJsonSlice id;
  gboolean local;
  /* key 0: the event is not linked to other events */
  guint64 key = id_of (event, &id, &local) ? flow_key (event, id, local) : 0;
  loom_trace_builder_flow (chrome->builder, thread, phase,
                           loom_json_slice_equal (event->member[LOOM_MEMBER_BP], "\"e\""), time_ns, key, name_id, ref);
}

void
loom_chrome_event_parse_bound_flow (LoomChromeImporter *chrome, const LoomEvent *event, guint32 thread, gint64 time_ns,
                                    guint32 name_id, LoomRef ref)
{
  static const struct {
    LoomMember member;
    char phase;
  } sides[] = { { LOOM_MEMBER_FLOW_IN, 'i' }, { LOOM_MEMBER_FLOW_OUT, 'o' } };
  LoomJsonSlice id = event->member[LOOM_MEMBER_BIND_ID];
  if (loom_json_slice_is_string (id))
    id = (LoomJsonSlice) { id.text + 1, id.length - 2 };
  guint64 key = MAX (loom_string_pool_hash_join (BOUND_KEYS, loom_seeded_hash_text (id.text, id.length)), 1);
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++) {
    LoomJsonSlice side = event->member[sides[i].member];
    if (side.text != NULL && (loom_json_slice_equal (side, "true") || loom_json_slice_equal (side, "1")))
      loom_trace_builder_flow (chrome->builder, thread, sides[i].phase, TRUE, time_ns, key, name_id, ref);
  }
}

void
loom_chrome_event_parse_async (LoomChromeImporter *chrome, const LoomEvent *event, char phase, guint32 process,
                               guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref)
{
  LoomJsonSlice id;
  gboolean local, nestable = phase == 'b' || phase == 'n' || phase == 'e';
  GString *key = chrome->scratch;
  if (!id_of (event, &id, &local)) {
    loom_import_log_add (chrome->info->log, LOOM_SEVERITY_INFO, "async-without-id", event->offset,
                         "Async events without an id are shown as instants");
    loom_trace_builder_instant (chrome->builder, chrome->source, process,
                                event->member[LOOM_MEMBER_TID].text != NULL ? thread : LOOM_ID_NONE, time_ns, name_id,
                                phase, 't', ref);
    return;
  }
  g_string_truncate (key, 0);
  append_part (key, nestable ? 'A' : 'S', event->member[nestable ? LOOM_MEMBER_CAT : LOOM_MEMBER_NAME]);
  append_part (key, 'i', id);
  if (nestable)
    append_part (key, 's', event->member[LOOM_MEMBER_SCOPE]);
  if (local)
    append_part (key, 'p', event->member[LOOM_MEMBER_PID]);
  loom_trace_builder_async (chrome->builder, process, phase, key_of (chrome, key), time_ns, name_id, ref);
}

void
loom_chrome_importer_adjust_tick (LoomChromeImporter *chrome, const LoomEvent *event, gint64 *dur_ns)
{
  LoomJsonSlice name = event->member[LOOM_MEMBER_NAME];
  if (loom_event_phase (event) != 'X' || !loom_json_slice_is_string (name) ||
      strspn (name.text + 1, "0123456789") != name.length - 2)
    return;
  if (*dur_ns > 0)
    loom_import_log_add (
      chrome->info->log, LOOM_SEVERITY_WARNING, "tick-duration", event->offset,
      "Horovod’s event that a rank is ready has a duration, which has no meaning; 0 is used instead");
  *dur_ns = 0;
}
