/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-pid-tid-map.h"

#include <string.h>

#include "loom-natural-collate.h"
#include "loom-parse-time.h"

/* Larger ids are renumbered, because readers with doubles would merge them. */
#define MAX_KEPT_ID (G_GINT64_CONSTANT (1) << 53)

typedef struct {
  guint process; /* index into `processes` */
  guint thread;  /* index into the process's threads */
  guint ordinal;
} TrackPlace;

struct _LoomPidTidMap {
  GPtrArray *processes; /* LoomPidTidProcess *, in the order of the export */
  GArray *first_track;  /* guint: [trace] → index of its first track in `tracks` */
  GArray *tracks;       /* TrackPlace */
  /* "trace\nprocess key[\nthread key]" → index + 1 of the process (and of the thread << 32) */
  GHashTable *by_key;
};

typedef struct {
  const LoomTrack *track;
  guint trace;
  guint number;
} TrackEntry;

static void
free_process (gpointer data)
{
  LoomPidTidProcess *process = data;
  g_array_unref (process->threads);
  g_free (process);
}

/* Compares one of several criteria; 0: equal. */
static int
compare_int64 (gint64 a, gint64 b)
{
  return a < b ? -1 : a > b;
}

/* Sorts ranks ascending, then everything without a rank. */
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
  const LoomPidTidThread *p = a, *q = b;
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

/* Order within a thread: nested spans last, so that instants precede the spans that begin at the same time. */
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
compare_entry (gconstpointer a, gconstpointer b, gpointer data)
{
  const TrackEntry *p = a, *q = b;
  LoomPidTidMap *places = data;
  TrackPlace *x = &g_array_index (places->tracks, TrackPlace, p->number);
  TrackPlace *y = &g_array_index (places->tracks, TrackPlace, q->number);
  int order = compare_int64 (x->process, y->process);
  if (order == 0)
    order = compare_int64 (x->thread, y->thread);
  if (order == 0)
    order = compare_track (p->track, q->track);
  return order != 0 ? order : compare_int64 (p->number, q->number);
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
  process->threads = g_array_new (FALSE, TRUE, sizeof (LoomPidTidThread));
  g_hash_table_insert (known, GUINT_TO_POINTER (track->process_id), process);
  g_ptr_array_add (places->processes, process);
  return process;
}

static void
add_thread (LoomPidTidProcess *process, GHashTable *known, const LoomTrack *track)
{
  gboolean written = track->thread_id != G_MAXUINT32;
  if (!written)
    process->flags |= track->flags & ~LOOM_TRACK_GLOBAL;
  gint64 key = (gint64) ((guint64) process->process_id << 32 | track->thread_id);
  gint64 *slot = g_hash_table_lookup (known, &key);
  if (slot != NULL) {
    g_array_index (process->threads, LoomPidTidThread, slot[1]).flags |= track->flags;
    return;
  }
  LoomPidTidThread thread = { track->thread_id, track, 0, written && process->written, track->flags };
  slot = g_new (gint64, 2);
  slot[0] = key;
  slot[1] = process->threads->len;
  g_hash_table_add (known, slot);
  g_array_append_val (process->threads, thread);
}

static void
collect_trace (LoomPidTidMap *places, guint number, const LoomTrace *trace)
{
  g_autoptr (GHashTable) processes = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint first = places->tracks->len;
  g_array_append_val (places->first_track, first);
  g_array_set_size (places->tracks, first + loom_trace_get_n_tracks (trace));
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    add_thread (add_process (places, processes, number, track), threads, track);
  }
}

/* Plain integers in range are kept as tids; other threads get free numbers from 1 on. */
static void
number_threads (LoomPidTidProcess *process)
{
  g_autoptr (GHashTable) used = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < process->threads->len; i++) {
    LoomPidTidThread *thread = &g_array_index (process->threads, LoomPidTidThread, i);
    const char *key = thread->track->thread_key;
    gboolean plain = thread->written && key[0] != '"' && key[0] != '\0' && strpbrk (key, ".eE") == NULL &&
                     loom_parse_time_parse_int (key, strlen (key), &thread->tid) && ABS (thread->tid) <= MAX_KEPT_ID;
    if (!thread->written)
      continue;
    if (plain && !g_hash_table_contains (used, &thread->tid))
      g_hash_table_add (used, &thread->tid);
    else
      g_array_append_val (open, i);
  }
  gint64 next = 1;
  for (guint i = 0; i < open->len; i++) {
    LoomPidTidThread *thread = &g_array_index (process->threads, LoomPidTidThread, g_array_index (open, guint, i));
    while (g_hash_table_contains (used, &next))
      next++;
    thread->tid = next++;
  }
}

static void
number_processes (LoomPidTidMap *places)
{
  g_ptr_array_sort (places->processes, compare_process);
  gint64 next = 1;
  for (guint i = 0; i < places->processes->len; i++) {
    LoomPidTidProcess *process = g_ptr_array_index (places->processes, i);
    if (process->written)
      process->pid = next++;
    g_array_sort (process->threads, compare_thread);
    number_threads (process);
  }
}

static char *
make_key (guint trace, const char *process_key, const char *thread_key)
{
  return thread_key != NULL ? g_strdup_printf ("%u\n%s\n%s", trace, process_key, thread_key)
                            : g_strdup_printf ("%u\n%s", trace, process_key);
}

static guint64 *
make_target (guint process, guint thread)
{
  guint64 *target = g_new (guint64, 1);
  *target = (guint64) thread << 32 | process;
  return target;
}

/* Indexes the pid and tid literals in the trace's file. In a file that was merged before, these are the ids of that
 * merge: the process's sort index, and the tid that numbering gives again; the keys of its tracks are those of the
 * original file. */
static void
index_literals (LoomPidTidMap *places, LoomRun *run, guint number)
{
  const LoomPidTidProcess *process = g_ptr_array_index (places->processes, number);
  const LoomSource *source = loom_trace_get_source (loom_run_get_trace (run, process->trace), 0);
  gboolean merged = strcmp (source->format, "traceloom") == 0;
  g_autofree char *pid = merged ? g_strdup_printf ("%" G_GINT64_FORMAT, process->track->process_sort)
                                : g_strdup (process->track->process_key);
  if (!process->written)
    return;
  g_hash_table_insert (places->by_key, make_key (process->trace, pid, NULL), make_target (number, 0));
  for (guint i = 0; i < process->threads->len; i++) {
    const LoomPidTidThread *thread = &g_array_index (process->threads, LoomPidTidThread, i);
    g_autofree char *tid =
      merged ? g_strdup_printf ("%" G_GINT64_FORMAT, thread->tid) : g_strdup (thread->track->thread_key);
    if (thread->written)
      g_hash_table_insert (places->by_key, make_key (process->trace, pid, tid), make_target (number, i));
  }
}

/* Fills the reverse mappings: from literals, and from (trace, process, thread) ids. */
static GHashTable *
index_places (LoomPidTidMap *places, LoomRun *run)
{
  GHashTable *by_id = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < places->processes->len; i++) {
    LoomPidTidProcess *process = g_ptr_array_index (places->processes, i);
    index_literals (places, run, i);
    for (guint j = 0; j < process->threads->len; j++) {
      LoomPidTidThread *thread = &g_array_index (process->threads, LoomPidTidThread, j);
      g_hash_table_insert (by_id, g_strdup_printf ("%u %u %u", process->trace, process->process_id, thread->thread_id),
                           make_target (i, j));
    }
  }
  return by_id;
}

static void
place_tracks (LoomPidTidMap *places, LoomRun *run)
{
  g_autoptr (GHashTable) by_id = index_places (places, run);
  g_autoptr (GArray) entries = g_array_sized_new (FALSE, FALSE, sizeof (TrackEntry), places->tracks->len);
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
      const LoomTrack *track = loom_trace_get_track (trace, i);
      g_autofree char *id = g_strdup_printf ("%u %u %u", t, track->process_id, track->thread_id);
      const guint64 *target = g_hash_table_lookup (by_id, id);
      guint number = g_array_index (places->first_track, guint, t) + i;
      g_array_index (places->tracks, TrackPlace, number) = (TrackPlace) { (guint) *target, (guint) (*target >> 32), 0 };
      TrackEntry entry = { track, t, number };
      g_array_append_val (entries, entry);
    }
  }
  g_array_sort_with_data (entries, compare_entry, places);
  for (guint i = 0; i < entries->len; i++)
    g_array_index (places->tracks, TrackPlace, g_array_index (entries, TrackEntry, i).number).ordinal = i;
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
  place_tracks (places, run);
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

guint
loom_pid_tid_map_get_n_processes (const LoomPidTidMap *places)
{
  return places->processes->len;
}

const LoomPidTidProcess *
loom_pid_tid_map_get_process (const LoomPidTidMap *places, guint i)
{
  g_return_val_if_fail (i < places->processes->len, NULL);
  return g_ptr_array_index (places->processes, i);
}

static const TrackPlace *
place_of (const LoomPidTidMap *places, guint trace, guint track)
{
  return &g_array_index (places->tracks, TrackPlace, g_array_index (places->first_track, guint, trace) + track);
}

const LoomPidTidProcess *
loom_pid_tid_map_process_of (const LoomPidTidMap *places, guint trace, guint track)
{
  return g_ptr_array_index (places->processes, place_of (places, trace, track)->process);
}

const LoomPidTidThread *
loom_pid_tid_map_thread_of (const LoomPidTidMap *places, guint trace, guint track)
{
  const TrackPlace *place = place_of (places, trace, track);
  const LoomPidTidProcess *process = g_ptr_array_index (places->processes, place->process);
  return &g_array_index (process->threads, LoomPidTidThread, place->thread);
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
  const guint64 *target = g_hash_table_lookup (places->by_key, thread_text);
  *has_tid = target != NULL;
  if (target == NULL)
    target = g_hash_table_lookup (places->by_key, process_text);
  if (target == NULL)
    return FALSE;
  const LoomPidTidProcess *process = g_ptr_array_index (places->processes, (guint) *target);
  *pid = process->pid;
  *tid = *has_tid ? g_array_index (process->threads, LoomPidTidThread, (guint) (*target >> 32)).tid : 0;
  return TRUE;
}
