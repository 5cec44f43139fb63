/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-pid-tid-map.h"

#include <string.h>

#include "loom-int64-hash.h"
#include "loom-natural-collate.h"
#include "loom-parse-time.h"

/* Threads with an id above this number get another number, because readers that store ids as doubles could confuse such
 * ids. */
#define MAX_KEPT_ID (G_GINT64_CONSTANT (1) << 53)

typedef struct {
  const LoomTrack *track;
  LoomPidTidProcess *process;
  LoomPidTidThread *thread;
  guint ordinal;
} TrackPlace;

static void
free_process (gpointer data)
{
  LoomPidTidProcess *process = data;
  g_ptr_array_unref (process->threads);
  g_free (process);
}

/* Compares two numbers as qsort() requires: returns a negative number, 0 or a positive number. */
static int
compare_int64 (gint64 a, gint64 b)
{
  return a < b ? -1 : a > b;
}

/* Compares two ranks: ascending; −1 (no rank) comes last. */
static int
compare_rank (gint a, gint b)
{
  if ((a < 0) != (b < 0))
    return a < 0 ? 1 : -1;
  return compare_int64 (a, b);
}

static int
compare_process (gconstpointer a, gconstpointer b)
{
  const LoomPidTidProcess *p = *(LoomPidTidProcess *const *) a, *q = *(LoomPidTidProcess *const *) b;
  const LoomTrack *t = p->track, *u = q->track;
  if (p->written != q->written)
    return p->written ? 1 : -1;
  int order = compare_rank (t->rank, u->rank);
  if (order == 0)
    order = loom_natural_collate_compare (t->node, u->node);
  if (order == 0)
    order = compare_int64 (p->trace, q->trace);
  if (order == 0)
    order = compare_int64 (t->process_sort, u->process_sort);
  if (order == 0)
    order = loom_natural_collate_compare (t->process, u->process);
  if (order == 0)
    order = loom_natural_collate_compare (t->process_key, u->process_key);
  return order != 0 ? order : compare_int64 (p->process_id, q->process_id);
}

static int
compare_thread (gconstpointer a, gconstpointer b)
{
  const LoomPidTidThread *p = *(LoomPidTidThread *const *) a, *q = *(LoomPidTidThread *const *) b;
  const LoomTrack *t = p->track, *u = q->track;
  if (p->written != q->written)
    return p->written ? 1 : -1;
  int order = compare_int64 (t->thread_sort, u->thread_sort);
  if (order == 0)
    order = loom_natural_collate_compare (t->thread, u->thread);
  if (order == 0)
    order = loom_natural_collate_compare (t->thread_key, u->thread_key);
  return order != 0 ? order : compare_int64 (p->thread_id, q->thread_id);
}

/* Compares tracks of the same thread, first by kind. Tracks of async spans come last, so that an instant is written
 * before an async span that begins at the same time. */
static int
compare_track (const LoomTrack *t, const LoomTrack *u)
{
  int order = compare_int64 (t->kind, u->kind);
  if (order == 0)
    order = strcmp (t->name, u->name);
  if (order == 0)
    order = strcmp (t->category, u->category);
  return order != 0 ? order : strcmp (t->id, u->id);
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer data)
{
  guint p = *(const guint *) a, q = *(const guint *) b;
  const TrackPlace *x = &((const TrackPlace *) data)[p], *y = &((const TrackPlace *) data)[q];
  int order = compare_int64 (x->process->position, y->process->position);
  if (order == 0)
    order = compare_int64 (x->thread->position, y->thread->position);
  if (order == 0)
    order = compare_track (x->track, y->track);
  return order != 0 ? order : compare_int64 (p, q);
}

/* Returns TRUE for global instants, which belong to their source but to no process. */
static gboolean
is_source_own (const LoomTrack *track)
{
  return (track->flags & LOOM_TRACK_GLOBAL) != 0 && track->thread_id == G_MAXUINT32;
}

static LoomPidTidProcess *
add_process (LoomPidTidMap *places, GHashTable *known, guint trace, const LoomTrack *track)
{
  LoomPidTidProcess *process = g_hash_table_lookup (known, GUINT_TO_POINTER (track->process_id));
  if (process != NULL)
    return process;
  process = g_new0 (LoomPidTidProcess, 1);
  process->trace = trace;
  process->process_id = track->process_id;
  process->track = track;
  process->written = !is_source_own (track);
  process->threads = g_ptr_array_new_with_free_func (g_free);
  g_hash_table_insert (known, GUINT_TO_POINTER (track->process_id), process);
  g_ptr_array_add (places->processes, process);
  return process;
}

static LoomPidTidThread *
add_thread (LoomPidTidProcess *process, GHashTable *known, const LoomTrack *track)
{
  G_STATIC_ASSERT (sizeof (gsize) == sizeof (guint64));
  gpointer key = GSIZE_TO_POINTER ((gsize) process->process_id << 32 | track->thread_id);
  LoomPidTidThread *thread = g_hash_table_lookup (known, key);
  gboolean written = track->thread_id != G_MAXUINT32;
  if (!written)
    process->flags |= track->flags & ~LOOM_TRACK_GLOBAL;
  if (thread == NULL) {
    thread = g_new (LoomPidTidThread, 1);
    *thread =
      (LoomPidTidThread) { .thread_id = track->thread_id, .track = track, .written = written && process->written };
    g_hash_table_insert (known, key, thread);
    g_ptr_array_add (process->threads, thread);
  }
  thread->flags |= track->flags;
  return thread;
}

static void
collect_trace (LoomPidTidMap *places, guint number, const LoomTrace *trace)
{
  g_autoptr (GHashTable) processes = g_hash_table_new (NULL, NULL),
                         threads = g_hash_table_new (loom_int64_hash_packed, NULL);
  g_array_append_val (places->first_track, places->tracks->len);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    TrackPlace place = { .track = loom_trace_get_track (trace, i) };
    place.process = add_process (places, processes, number, place.track);
    place.thread = add_thread (place.process, threads, place.track);
    g_array_append_val (places->tracks, place);
  }
}

/* Sets the tids with which the threads of a process are written. A thread whose key is an integer of at most
 * MAX_KEPT_ID keeps it as its tid. All other threads get the lowest free numbers from 1 on. */
static void
number_threads (LoomPidTidProcess *process)
{
  g_autoptr (GHashTable) used = g_hash_table_new (loom_int64_hash, g_int64_equal);
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  g_ptr_array_sort (process->threads, compare_thread);
  for (guint i = 0; i < process->threads->len; i++) {
    LoomPidTidThread *thread = g_ptr_array_index (process->threads, i);
    const char *key = thread->track->thread_key;
    gboolean plain = thread->written && key[0] != '"' && key[0] != '\0' && strpbrk (key, ".eE") == NULL &&
                     loom_parse_time_parse_int (key, strlen (key), &thread->tid) && ABS (thread->tid) <= MAX_KEPT_ID;
    thread->position = i;
    if (!thread->written)
      continue;
    if (plain && !g_hash_table_contains (used, &thread->tid))
      g_hash_table_add (used, &thread->tid);
    else
      g_ptr_array_add (open, thread);
  }
  gint64 next = 1;
  for (guint i = 0; i < open->len; i++) {
    while (g_hash_table_contains (used, &next))
      next++;
    ((LoomPidTidThread *) g_ptr_array_index (open, i))->tid = next++;
  }
}

static void
number_processes (LoomPidTidMap *places)
{
  g_ptr_array_sort (places->processes, compare_process);
  gint64 next = 1;
  for (guint i = 0; i < places->processes->len; i++) {
    LoomPidTidProcess *process = g_ptr_array_index (places->processes, i);
    process->position = i;
    if (process->written)
      process->pid = next++;
    number_threads (process);
  }
}

static char *
make_key (guint trace, const char *process_key, const char *thread_key)
{
  return thread_key != NULL ? g_strdup_printf ("%u\n%s\n%s", trace, process_key, thread_key)
                            : g_strdup_printf ("%u\n%s", trace, process_key);
}

/* Stores a process and its threads in `by_key`, under the pid and tid that the file of the trace contains. Usually
 * these are the keys of the tracks. If Traceloom merged the file, the keys of the tracks come from the files before the
 * merge, but the file contains other numbers: as pid the sort index of the process, as tid the number that
 * number_threads() computes. */
static void
index_literals (LoomPidTidMap *places, LoomRun *run, LoomPidTidProcess *process)
{
  const LoomSource *source = loom_trace_get_source (loom_run_get_trace (run, process->trace), 0);
  gboolean merged = strcmp (source->format, "traceloom") == 0;
  g_autofree char *pid = merged ? g_strdup_printf ("%" G_GINT64_FORMAT, process->track->process_sort)
                                : g_strdup (process->track->process_key);
  TrackPlace target = { .process = process };
  if (!process->written)
    return;
  g_hash_table_insert (places->by_key, make_key (process->trace, pid, NULL), g_memdup2 (&target, sizeof target));
  for (guint i = 0; i < process->threads->len; i++) {
    target.thread = g_ptr_array_index (process->threads, i);
    g_autofree char *tid =
      merged ? g_strdup_printf ("%" G_GINT64_FORMAT, target.thread->tid) : g_strdup (target.thread->track->thread_key);
    if (target.thread->written)
      g_hash_table_insert (places->by_key, make_key (process->trace, pid, tid), g_memdup2 (&target, sizeof target));
  }
}

static void
order_tracks (LoomPidTidMap *places)
{
  TrackPlace *tracks = (TrackPlace *) (gpointer) places->tracks->data;
  guint n = places->tracks->len;
  g_autofree guint *order = g_new (guint, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) n, sizeof *order, compare_places, tracks);
  for (guint i = 0; i < n; i++)
    tracks[order[i]].ordinal = i;
}

LoomPidTidMap *
loom_pid_tid_map_new (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  LoomPidTidMap *places = g_new0 (LoomPidTidMap, 1);
  places->processes = g_ptr_array_new_with_free_func (free_process);
  places->first_track = g_array_new (FALSE, FALSE, sizeof (guint));
  places->tracks = g_array_new (FALSE, TRUE, sizeof (TrackPlace));
  places->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint t = 0; t < loom_run_get_n_traces (run); t++)
    collect_trace (places, t, loom_run_get_trace (run, t));
  number_processes (places);
  for (guint i = 0; i < places->processes->len; i++)
    index_literals (places, run, g_ptr_array_index (places->processes, i));
  order_tracks (places);
  return places;
}

void
loom_pid_tid_map_free (LoomPidTidMap *places)
{
  if (places == NULL)
    return;
  g_ptr_array_unref (places->processes);
  g_array_unref (places->first_track);
  g_array_unref (places->tracks);
  g_hash_table_unref (places->by_key);
  g_free (places);
}

static const TrackPlace *
place_of (const LoomPidTidMap *places, guint trace, guint track)
{
  return &g_array_index (places->tracks, TrackPlace, g_array_index (places->first_track, guint, trace) + track);
}

const LoomPidTidProcess *
loom_pid_tid_map_process_of (const LoomPidTidMap *places, guint trace, guint track)
{
  return place_of (places, trace, track)->process;
}

const LoomPidTidThread *
loom_pid_tid_map_thread_of (const LoomPidTidMap *places, guint trace, guint track)
{
  return place_of (places, trace, track)->thread;
}

guint
loom_pid_tid_map_ordinal_of (const LoomPidTidMap *places, guint trace, guint track)
{
  return place_of (places, trace, track)->ordinal;
}

gboolean
loom_pid_tid_map_find (const LoomPidTidMap *places, guint trace, const char *process_key, const char *thread_key,
                       gint64 *pid, gint64 *tid, gboolean *has_tid)
{
  g_autofree char *process_text = make_key (trace, process_key, NULL);
  g_autofree char *thread_text = make_key (trace, process_key, thread_key);
  const TrackPlace *target = g_hash_table_lookup (places->by_key, thread_text);
  *has_tid = target != NULL;
  if (target == NULL)
    target = g_hash_table_lookup (places->by_key, process_text);
  if (target == NULL)
    return FALSE;
  *pid = target->process->pid;
  *tid = *has_tid ? target->thread->tid : 0;
  return TRUE;
}
