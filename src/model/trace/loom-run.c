/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-run.h"

#include "loom-rank-label.h"
#include "loom-run-details.h"
#include "loom-run-facts.h"

struct _LoomRun {
  gatomicrefcount refs;
  GPtrArray *traces; /* LoomTrace *: the traces of the run */
  /* array indexed by trace: index, in the run, of the first source of the trace; the last element is the number of all
   * sources */
  guint *first_source;
  guint *first_clock;
  const LoomSource **sources; /* array indexed by source: the sources of all traces; borrowed from the traces */
  guint64 n_spans;            /* number of spans, see loom_run_count_spans() */
  guint n_ranks;              /* number of ranks, see loom_run_facts_count_ranks() */
  guint kinds;                /* bit 1 << kind: the run has a track of this LoomTrackKind with events */
  gboolean has_profiles;      /* TRUE if a source has a Python profile */
  GArray *ignored;            /* LoomRunSkippedFile: files that were found but not loaded */
  /* array indexed by slot: the detail in the slot (a LoomTrace with single events of an indexed trace, see
   * loom-run-details.h), owned; NULL: the slot is free. Set by the main thread, read by all threads */
  LoomTrace *details[LOOM_RUN_MOST_DETAILS];
  guint whole[LOOM_RUN_MOST_DETAILS]; /* indexed by slot: number of the trace to which the detail belongs */
  /* slot at which the search for a free slot begins. Slots are used in turn, so that a new detail seldom gets the
   * number of the detail that was removed last */
  guint next_detail;
  /* indexed by slot: TRUE if the detail in the slot was removed, but is not freed yet */
  gboolean is_removed[LOOM_RUN_MOST_DETAILS];
  GMutex lock; /* protects the members that follow */
  gpointer shared;
  GDestroyNotify free_shared;
};

/* Returns the detail in a slot; NULL: the slot is free. */
static LoomTrace *
get_detail (const LoomRun *run, guint slot)
{
  LoomTrace **place = ((LoomRun *) run)->details + slot; /* removes const, because the macro needs a pointer that is not
                                                          * const */
  return g_atomic_pointer_get (place);
}

static void
clear_ignored (gpointer data)
{
  g_free (((LoomRunSkippedFile *) data)->path);
  g_free (((LoomRunSkippedFile *) data)->reason);
  loom_input_files_free (((LoomRunSkippedFile *) data)->input);
}

/* Counts the spans of a trace, and notes the kinds of its tracks. */
static void
look_at_tracks (LoomRun *run, const LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    gboolean spans = track->kind == LOOM_TRACK_SPANS || track->kind == LOOM_TRACK_ASYNC;
    run->n_spans += spans && (track->flags & LOOM_TRACK_DERIVED) == 0 ? track->n_events : 0;
    run->kinds |= track->n_events > 0 ? 1u << track->kind : 0;
  }
}

/* Stores the sources of all traces in one array, so that a loop over all sources need not find the trace of each
 * source. Also counts the ranks of the sources. */
static void
list_sources (LoomRun *run)
{
  g_autoptr (GHashTable) ranks = g_hash_table_new (NULL, NULL);
  run->sources = g_new0 (const LoomSource *, MAX (loom_run_get_n_sources (run), 1));
  for (guint t = 0, n = 0; t < run->traces->len; t++)
    for (guint i = 0; i < loom_trace_get_n_sources (run->traces->pdata[t]); i++) {
      const LoomSource *source = run->sources[n++] = loom_trace_get_source (run->traces->pdata[t], i);
      run->has_profiles |= source->profile != NULL;
      if (source->rank >= 0 && !loom_rank_label_is_process (source->format, source->rank))
        g_hash_table_add (ranks, GINT_TO_POINTER (source->rank + 1));
    }
  run->n_ranks = g_hash_table_size (ranks);
}

LoomRun *
loom_run_new (LoomTrace *const *traces, guint n_traces)
{
  LoomRun *run = g_new0 (LoomRun, 1);
  g_atomic_ref_count_init (&run->refs);
  g_mutex_init (&run->lock);
  run->traces = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_trace_unref);
  run->first_source = g_new0 (guint, n_traces + 1);
  run->first_clock = g_new0 (guint, n_traces + 1);
  run->ignored = g_array_new (FALSE, FALSE, sizeof (LoomRunSkippedFile));
  g_array_set_clear_func (run->ignored, clear_ignored);
  for (guint i = 0; i < n_traces; i++) {
    g_ptr_array_add (run->traces, loom_trace_ref (traces[i]));
    run->first_source[i + 1] = run->first_source[i] + loom_trace_get_n_sources (traces[i]);
    run->first_clock[i + 1] = run->first_clock[i] + loom_trace_get_n_clocks (traces[i]);
    look_at_tracks (run, traces[i]);
  }
  list_sources (run);
  return run;
}

static void
add_ignored (LoomRun *run, const char *path, const char *reason, gboolean failed, gboolean is_trace,
             gboolean is_precious)
{
  LoomRunSkippedFile ignored = { g_strdup (path), g_strdup (reason), failed, is_trace,
                                 is_precious ? loom_input_files_new (path) : NULL };
  g_array_append_val (run->ignored, ignored);
}

void
loom_run_add_ignored (LoomRun *run, const char *path, const char *reason, gboolean failed)
{
  add_ignored (run, path, reason, failed, FALSE, FALSE);
}

void
loom_run_add_precious (LoomRun *run, const char *path, const char *reason, gboolean failed)
{
  add_ignored (run, path, reason, failed, FALSE, TRUE);
}

void
loom_run_add_unread (LoomRun *run, const char *path, const char *reason)
{
  add_ignored (run, path, reason, TRUE, TRUE, TRUE);
}

void
loom_run_copy_ignored (LoomRun *run, const LoomRun *from)
{
  for (guint i = 0; i < from->ignored->len; i++) {
    const LoomRunSkippedFile *ignored = &g_array_index (from->ignored, LoomRunSkippedFile, i);
    add_ignored (run, ignored->path, ignored->reason, ignored->failed, ignored->is_trace, ignored->input != NULL);
  }
}

LoomRun *
loom_run_ref (LoomRun *run)
{
  g_atomic_ref_count_inc (&run->refs);
  return run;
}

void
loom_run_unref (LoomRun *run)
{
  if (run == NULL || !g_atomic_ref_count_dec (&run->refs))
    return;
  for (guint i = 0; i < LOOM_RUN_MOST_DETAILS; i++)
    loom_trace_unref (run->details[i]);
  g_ptr_array_unref (run->traces);
  g_array_unref (run->ignored);
  g_free (run->first_source);
  g_free (run->first_clock);
  g_free (run->sources);
  if (run->shared != NULL)
    run->free_shared (run->shared);
  g_mutex_clear (&run->lock);
  g_free (run);
}

guint
loom_run_get_n_traces (const LoomRun *run)
{
  return run->traces->len;
}

LoomTrace *
loom_run_get_trace (const LoomRun *run, guint i)
{
  g_return_val_if_fail (loom_run_details_has_trace (run, i), NULL);
  return i < run->traces->len ? run->traces->pdata[i] : get_detail (run, i - run->traces->len);
}

guint
loom_run_details_add (LoomRun *run, guint trace, LoomTrace *detail)
{
  g_return_val_if_fail (trace < run->traces->len && detail != NULL, G_MAXUINT);
  for (guint i = 0; i < LOOM_RUN_MOST_DETAILS; i++) {
    guint slot = (run->next_detail + i) % LOOM_RUN_MOST_DETAILS;
    if (run->details[slot] != NULL)
      continue;
    run->whole[slot] = trace;
    g_atomic_pointer_set (&run->details[slot], loom_trace_ref (detail));
    run->next_detail = slot + 1;
    return run->traces->len + slot;
  }
  return G_MAXUINT;
}

gboolean
loom_run_details_is_full (const LoomRun *run)
{
  for (guint i = 0; i < LOOM_RUN_MOST_DETAILS; i++)
    if (run->details[i] == NULL)
      return FALSE;
  return TRUE;
}

void
loom_run_details_remove (LoomRun *run, guint detail)
{
  g_return_if_fail (detail >= run->traces->len && loom_run_details_has_trace (run, detail));
  run->is_removed[detail - run->traces->len] = TRUE;
}

gboolean
loom_run_details_is_removed (const LoomRun *run, guint number)
{
  guint n = run->traces->len;
  return !loom_run_details_has_trace (run, number) || (number >= n && run->is_removed[number - n]);
}

guint
loom_run_details_free_removed (LoomRun *run)
{
  guint n = 0;
  for (guint i = 0; i < LOOM_RUN_MOST_DETAILS; i++) {
    if (!run->is_removed[i])
      continue;
    LoomTrace *detail = run->details[i];
    g_atomic_pointer_set (&run->details[i], NULL);
    run->is_removed[i] = FALSE;
    loom_trace_unref (detail);
    n++;
  }
  return n;
}

gboolean
loom_run_details_has_trace (const LoomRun *run, guint number)
{
  guint n = run->traces->len;
  return number < n || (number - n < LOOM_RUN_MOST_DETAILS && get_detail (run, number - n) != NULL);
}

guint
loom_run_details_get_whole (const LoomRun *run, guint number)
{
  return number < run->traces->len ? number : run->whole[MIN (number - run->traces->len, LOOM_RUN_MOST_DETAILS - 1)];
}

/* Returns the trace to which a source or clock belongs. `number`: index of the source or clock in the run; `firsts`:
 * array indexed by trace: index of the first source or clock of the trace. */
static guint
find_trace (const LoomRun *run, const guint *firsts, guint number)
{
  guint low = 0, high = run->traces->len;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    if (firsts[middle] <= number)
      low = middle;
    else
      high = middle;
  }
  return low;
}

guint
loom_run_get_n_sources (const LoomRun *run)
{
  return run->first_source[run->traces->len];
}

const LoomSource *
loom_run_get_source (const LoomRun *run, guint source)
{
  g_return_val_if_fail (source < loom_run_get_n_sources (run), NULL);
  return run->sources[source];
}

guint
loom_run_get_n_clocks (const LoomRun *run)
{
  return run->first_clock[run->traces->len];
}

const LoomDeclaredClock *
loom_run_get_clock (const LoomRun *run, guint clock)
{
  g_return_val_if_fail (clock < loom_run_get_n_clocks (run), NULL);
  guint trace = find_trace (run, run->first_clock, clock);
  return loom_trace_get_clock (run->traces->pdata[trace], clock - run->first_clock[trace]);
}

guint
loom_run_get_clock_of_source (const LoomRun *run, guint source)
{
  g_return_val_if_fail (source < loom_run_get_n_sources (run), 0);
  guint trace = find_trace (run, run->first_source, source);
  return run->first_clock[trace] + loom_run_get_source (run, source)->clock;
}

guint
loom_run_get_trace_of_source (const LoomRun *run, guint source)
{
  g_return_val_if_fail (source < loom_run_get_n_sources (run), 0);
  return find_trace (run, run->first_source, source);
}

guint
loom_run_get_first_source (const LoomRun *run, guint trace)
{
  g_return_val_if_fail (loom_run_details_has_trace (run, trace), 0);
  return run->first_source[loom_run_details_get_whole (run, trace)];
}

guint
loom_run_get_first_clock (const LoomRun *run, guint trace)
{
  g_return_val_if_fail (loom_run_details_has_trace (run, trace), 0);
  return run->first_clock[loom_run_details_get_whole (run, trace)];
}

gboolean
loom_run_has_index (const LoomRun *run)
{
  guint n = loom_run_get_n_traces (run);
  for (guint i = 0; i < n; i++)
    if (loom_trace_is_index (loom_run_get_trace (run, i)))
      return TRUE;
  return FALSE;
}

guint
loom_run_get_n_ignored (const LoomRun *run)
{
  return run->ignored->len;
}

const LoomRunSkippedFile *
loom_run_get_ignored (const LoomRun *run, guint i)
{
  g_return_val_if_fail (i < run->ignored->len, NULL);
  return &g_array_index (run->ignored, LoomRunSkippedFile, i);
}

guint64
loom_run_get_n_events (const LoomRun *run)
{
  guint64 n = 0;
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    n += loom_run_get_source (run, i)->n_events;
  return n;
}

guint64
loom_run_count_spans (const LoomRun *run)
{
  return run->n_spans;
}

guint
loom_run_facts_count_ranks (const LoomRun *run)
{
  return run->n_ranks;
}

gboolean
loom_run_facts_has_tracks (const LoomRun *run, LoomTrackKind kind)
{
  return (run->kinds & 1u << kind) != 0;
}

gboolean
loom_run_facts_has_profiles (const LoomRun *run)
{
  return run->has_profiles;
}

gpointer
loom_run_share (LoomRun *run, gpointer (*make) (gpointer user_data), gpointer user_data, GDestroyNotify free_func)
{
  g_mutex_lock (&run->lock);
  if (run->shared == NULL) {
    run->shared = make (user_data);
    run->free_shared = free_func;
  }
  gpointer shared = run->shared;
  g_mutex_unlock (&run->lock);
  return shared;
}
