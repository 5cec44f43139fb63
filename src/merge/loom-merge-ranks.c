/* SPDX-License-Identifier: Apache-2.0
 *
 * The ranks layout: what is drawn, by time, with processes and threads kept and ids made unique.
 */
#include <string.h>

#include "loom-merge-private.h"

typedef struct {
  LoomMerge *merge;
  LoomSweep *sweep;
  LoomDrawnReader *reader;
  gint64 origin_ns;
  gboolean prefix_ids;
  GArray *flows;       /* LoomSweepItem: flow events of one instant */
  GHashTable *strays;  /* "trace\npid[\ntid]" → gint64 *: ids of processes and threads that draw nothing */
  gint64 next_stray;   /* beyond every pid and tid of the places */
} Ranks;

/* --- metadata ------------------------------------------------------------------------------------------------------ */

static void
put_thread (LoomMerge *merge, const LoomPlaceProcess *process, const LoomPlaceThread *thread, guint index)
{
  if (thread->track->thread[0] != '\0') {
    loom_merge_metadata_text (merge, "thread_name", process->pid, &thread->tid, "name", thread->track->thread);
    loom_merge_put_event (merge, "", TRUE);
  }
  loom_merge_metadata_int (merge, "thread_sort_index", process->pid, &thread->tid, "sort_index", index);
  loom_merge_put_event (merge, "", TRUE);
}

static void
put_metadata (LoomMerge *merge)
{
  for (guint i = 0; i < loom_places_get_n_processes (merge->places); i++) {
    const LoomPlaceProcess *process = loom_places_get_process (merge->places, i);
    guint source = loom_run_get_first_source (merge->run, process->trace) + process->track->source;
    if (!process->written || !loom_merge_wants (merge, source))
      continue;
    loom_merge_metadata_text (merge, "process_name", process->pid, NULL, "name", process->track->process);
    loom_merge_put_event (merge, "", TRUE);
    loom_merge_metadata_int (merge, "process_sort_index", process->pid, NULL, "sort_index", process->pid);
    loom_merge_put_event (merge, "", TRUE);
    for (guint j = 0; j < process->threads->len; j++) {
      const LoomPlaceThread *thread = &g_array_index (process->threads, LoomPlaceThread, j);
      if (thread->written)
        put_thread (merge, process, thread, j);
    }
  }
}

/* --- places -------------------------------------------------------------------------------------------------------- */

static void
put_track_place (Ranks *ranks, const LoomSweepItem *item, LoomEventLine *line)
{
  const LoomPlaceProcess *process = loom_places_process_of (ranks->merge->places, item->trace, item->track);
  const LoomPlaceThread *thread = loom_places_thread_of (ranks->merge->places, item->trace, item->track);
  line->has_pid = process->written;
  line->pid = process->pid;
  line->has_tid = thread->written;
  line->tid = thread->tid;
}

/* A process or thread without anything drawn gets an id of its own when its first event comes. */
static gint64
stray_id (Ranks *ranks, guint trace, const char *pid, const char *tid)
{
  g_autofree char *key = tid != NULL ? g_strdup_printf ("%u\n%s\n%s", trace, pid, tid) : g_strdup_printf ("%u\n%s", trace, pid);
  gint64 *id = g_hash_table_lookup (ranks->strays, key);
  if (id == NULL) {
    id = g_new (gint64, 1);
    *id = ranks->next_stray++;
    g_hash_table_insert (ranks->strays, g_steal_pointer (&key), id);
  }
  return *id;
}

/* By the event's own pid and tid: for flows on threads that have no spans, and the threads of async events. */
static void
put_literal_place (Ranks *ranks, const LoomSweepItem *item, const LoomDrawn *drawn, LoomEventLine *line)
{
  LoomSlice pid = drawn->event.member[LOOM_MEMBER_PID], tid = drawn->event.member[LOOM_MEMBER_TID];
  if (!drawn->has_event)
    return;
  g_autofree char *pid_key = g_strndup (pid.text != NULL ? pid.text : "", pid.length);
  g_autofree char *tid_key = g_strndup (tid.text != NULL ? tid.text : "", tid.length);
  if (!loom_places_find (ranks->merge->places, item->trace, pid_key, tid_key, &line->pid, &line->tid, &line->has_tid))
    line->pid = stray_id (ranks, item->trace, pid_key, NULL);
  line->has_pid = TRUE;
  if (line->has_tid || tid.text == NULL)
    return;
  line->has_tid = TRUE;
  line->tid = stray_id (ranks, item->trace, pid_key, tid_key);
}

static void
put_place (Ranks *ranks, const LoomSweepItem *item, const LoomDrawn *drawn, LoomEventLine *line)
{
  if (item->track != G_MAXUINT)
    put_track_place (ranks, item, line);
  else
    put_literal_place (ranks, item, drawn, line);
}

/* --- events -------------------------------------------------------------------------------------------------------- */

static const char *
mark_of (const LoomSweepItem *item)
{
  static const char *const words[] = { NULL, "open", "suspect", "open suspect" };
  if (item->ref == LOOM_REF_NONE)
    return NULL;
  guint flags = loom_ref_flags (item->ref);
  return words[((flags & LOOM_REF_OPEN) != 0) + 2 * ((flags & LOOM_REF_SUSPECT) != 0)];
}

static gboolean
put_item (Ranks *ranks, const LoomSweepItem *item, const LoomDrawn *drawn, GError **error)
{
  LoomMerge *merge = ranks->merge;
  char prefix[16];
  gboolean end = item->kind == LOOM_SWEEP_ASYNC_END;
  gint64 time_ns = end ? item->end_ns : item->start_ns;
  LoomEventLine line = { .event = drawn->has_event ? &drawn->event : NULL, .strict = drawn->clean, .name = drawn->name,
                         .category = drawn->category, .phase = drawn->phase, .scope = drawn->scope, .args = drawn->args,
                         .no_args = drawn->no_args, .mark = mark_of (item), .has_ts = TRUE,
                         .ts_ns = loom_time_sub (time_ns, ranks->origin_ns), .has_dur = item->kind == LOOM_SWEEP_SPAN,
                         .dur_ns = loom_time_sub (item->end_ns, item->start_ns) };
  if (ranks->prefix_ids) {
    gsize n = loom_time_write_int (item->trace, prefix);
    memcpy (prefix + n, ".", 2);
    line.id_prefix = prefix;
  }
  put_place (ranks, item, drawn, &line);
  loom_event_line_append (merge->line, &line);
  loom_merge_put_event (merge, "", FALSE);
  merge->result->n_repaired += drawn->repaired;
  merge->result->n_synthesised += !drawn->has_event;
  return loom_merge_count (merge, item->start_ns, item->end_ns, error);
}

/* Flow halves that are members of a span (bind_id) come with it. */
static gboolean
is_written (const LoomSweepItem *item, const LoomDrawn *drawn)
{
  return item->kind != LOOM_SWEEP_FLOW || (drawn->phase != '\0' && strchr ("stf", drawn->phase) != NULL);
}

static gboolean
read_and_put (Ranks *ranks, const LoomSweepItem *item, const char *phases, GError **error)
{
  LoomDrawn drawn;
  if (!loom_drawn_reader_read (ranks->reader, ranks->sweep, item, &drawn, error))
    return FALSE;
  if (!is_written (item, &drawn) || (phases != NULL && strchr (phases, drawn.phase) == NULL))
    return TRUE;
  return put_item (ranks, item, &drawn, error);
}

/* Of one instant the starts of all flows come first and the ends last, as a reader would sort them. */
static gboolean
put_flows (Ranks *ranks, GError **error)
{
  static const char *const phases[] = { "s", "t", "f" };
  gboolean several = ranks->flows->len > 1, good = TRUE;
  for (guint pass = 0; good && pass < (several ? G_N_ELEMENTS (phases) : 1); pass++)
    for (guint i = 0; good && i < ranks->flows->len; i++)
      good = read_and_put (ranks, &g_array_index (ranks->flows, LoomSweepItem, i), several ? phases[pass] : NULL, error);
  g_array_set_size (ranks->flows, 0);
  return good;
}

static gboolean
put_events (Ranks *ranks, GError **error)
{
  LoomSweepItem item;
  while (loom_sweep_next (ranks->sweep, &item)) {
    gboolean flow = item.kind == LOOM_SWEEP_FLOW;
    gboolean together = flow && ranks->flows->len > 0 && g_array_index (ranks->flows, LoomSweepItem, 0).start_ns == item.start_ns;
    if (!together && !put_flows (ranks, error))
      return FALSE;
    if (flow)
      g_array_append_val (ranks->flows, item);
    else if (!read_and_put (ranks, &item, NULL, error))
      return FALSE;
  }
  return put_flows (ranks, error);
}

/* --- the whole ----------------------------------------------------------------------------------------------------- */

/* The run's first instant in whole µs. A file that was merged before keeps its origin, so that it comes out the same. */
static gint64
find_origin (LoomMerge *merge)
{
  LoomRange extent;
  if (loom_run_get_n_sources (merge->run) == 1 && strcmp (loom_run_get_source (merge->run, 0)->format, "traceloom") == 0) {
    const LoomClockMap *map = loom_timeline_get_map (merge->timeline, 0, loom_run_get_source (merge->run, 0)->clock);
    if (map->offset_ns == 0 && map->drift_ppt == 0)
      return loom_run_get_clock (merge->run, loom_run_get_clock_of_source (merge->run, 0))->base_ns;
  }
  if (!loom_timeline_get_extent (merge->timeline, &extent))
    return 0;
  gint64 below = extent.begin_ns % LOOM_NS_PER_US;
  return extent.begin_ns - (below < 0 ? below + LOOM_NS_PER_US : below);
}

static gint64
first_free_id (LoomMerge *merge)
{
  gint64 largest = 0;
  for (guint i = 0; i < loom_places_get_n_processes (merge->places); i++) {
    const LoomPlaceProcess *process = loom_places_get_process (merge->places, i);
    largest = MAX (largest, process->pid);
    for (guint j = 0; j < process->threads->len; j++)
      largest = MAX (largest, g_array_index (process->threads, LoomPlaceThread, j).tid);
  }
  return largest + 1;
}

gboolean
loom_merge_write_ranks (LoomMerge *merge, GError **error)
{
  LoomSweepOptions options = { .has_range = merge->options->has_range, .range = merge->options->range,
                               .async_ends = TRUE, .sources = merge->wanted };
  Ranks ranks = { .merge = merge, .origin_ns = find_origin (merge), .prefix_ids = loom_run_get_n_traces (merge->run) > 1,
                  .next_stray = first_free_id (merge) };
  ranks.sweep = loom_sweep_new (merge->timeline, merge->places, &options);
  ranks.reader = loom_drawn_reader_new (merge->timeline, TRUE);
  ranks.flows = g_array_new (FALSE, FALSE, sizeof (LoomSweepItem));
  ranks.strays = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  loom_merge_append_head (merge, ranks.origin_ns);
  put_metadata (merge);
  gboolean good = put_events (&ranks, error);
  loom_merge_put (merge, "\n]}\n");
  g_array_unref (ranks.flows);
  g_hash_table_unref (ranks.strays);
  loom_drawn_reader_free (ranks.reader);
  loom_sweep_free (ranks.sweep);
  return good;
}
