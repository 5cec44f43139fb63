/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-search-index.h: counts the names of spans, with one thread per processor.
 */
#include "loom-search-index.h"

#include "loom-parallel.h"

/* Number of chunks (LOOM_SEARCH_CHUNK spans each) in a piece. A piece is the work that a thread does at a time, and has
 * its own counts of names. Adding up the counts of all pieces takes time, so there must not be too many pieces. */
#define PIECE 512

typedef struct {
  gatomicrefcount refs;
  LoomTrace *trace;
  guint32 *counts;
  LoomNameSet *sets;
  guint32 n_chunks;
} TraceNames;

struct _LoomSearchIndex {
  gatomicrefcount refs;
  GHashTable *names; /* key: LoomTrace *; value: TraceNames *, the names of the trace */
};

static void
trace_names_unref (gpointer data)
{
  TraceNames *names = data;
  if (!g_atomic_ref_count_dec (&names->refs))
    return;
  loom_trace_unref (names->trace);
  g_free (names->counts);
  g_free (names->sets);
  g_free (names);
}

static TraceNames *
trace_names_new (LoomTrace *trace)
{
  TraceNames *names = g_new0 (TraceNames, 1);
  g_atomic_ref_count_init (&names->refs);
  names->trace = loom_trace_ref (trace);
  names->counts = g_new0 (guint32, MAX (loom_trace_get_n_names (trace), 1));
  names->n_chunks = (loom_trace_get_spans (trace)->n + LOOM_SEARCH_CHUNK - 1) / LOOM_SEARCH_CHUNK;
  names->sets = g_new0 (LoomNameSet, MAX (names->n_chunks, 1));
  return names;
}

/* --- filling ---------------------------------------------------------------------------------------------------- */

typedef struct {
  TraceNames *names;
  guint32 first, end; /* the piece consists of the chunks `first` … `end` − 1 of the trace */
} Piece;

typedef struct {
  GArray *pieces;
  GCancellable *cancellable;
} Filling;

static void
fill_chunk (TraceNames *names, guint32 chunk, guint32 *counts)
{
  const LoomSpans *spans = loom_trace_get_spans (names->trace);
  guint32 first = chunk * LOOM_SEARCH_CHUNK, end = MIN (spans->n - first, LOOM_SEARCH_CHUNK) + first;
  LoomNameSet *set = &names->sets[chunk];
  for (guint32 i = first; i < end; i++) {
    loom_search_index_name_set_add (set, spans->name_id[i]);
    counts[spans->name_id[i]]++;
  }
}

static void
fill_piece (guint item, guint worker, gpointer user_data)
{
  const Filling *filling = user_data;
  const Piece *piece = &g_array_index (filling->pieces, Piece, item);
  guint n_names = loom_trace_get_n_names (piece->names->trace);
  if (g_cancellable_is_cancelled (filling->cancellable))
    return;
  g_autofree guint32 *counts = g_new0 (guint32, MAX (n_names, 1));
  for (guint32 chunk = piece->first; chunk < piece->end; chunk++)
    fill_chunk (piece->names, chunk, counts);
  for (guint i = 0; i < n_names; i++)
    if (counts[i] > 0)
      g_atomic_int_add ((gint *) (gpointer) &piece->names->counts[i], (gint) counts[i]);
}

static void
add_pieces (GArray *pieces, TraceNames *names)
{
  for (guint32 first = 0; first < names->n_chunks; first += PIECE) {
    Piece piece = { names, first, MIN (names->n_chunks - first, PIECE) + first };
    g_array_append_val (pieces, piece);
  }
}

LoomSearchIndex *
loom_search_index_new (LoomRun *run, LoomSearchIndex *old, GCancellable *cancellable)
{
  g_return_val_if_fail (run != NULL, NULL);
  g_autoptr (LoomSearchIndex) index = g_new0 (LoomSearchIndex, 1);
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_atomic_ref_count_init (&index->refs);
  index->names = g_hash_table_new_full (NULL, NULL, NULL, trace_names_unref);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    TraceNames *names = old != NULL ? g_hash_table_lookup (old->names, trace) : NULL;
    if (names != NULL) {
      g_atomic_ref_count_inc (&names->refs);
    } else {
      names = trace_names_new (trace);
      add_pieces (pieces, names);
    }
    g_hash_table_replace (index->names, trace, names);
  }
  Filling filling = { pieces, cancellable };
  loom_parallel_for (pieces->len, 0, fill_piece, &filling, NULL);
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&index);
}

typedef struct {
  LoomRun *run;
  LoomSearchIndex *old;
} Input;

static void
input_free (Input *input)
{
  loom_run_unref (input->run);
  loom_search_index_unref (input->old);
  g_free (input);
}

static LoomSearchIndex *
make_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  return loom_search_index_new (input->run, input->old, cancellable);
}

void
loom_search_index_new_async (GCancellable **running, LoomRun *run, LoomSearchIndex *old, LoomWorkerDone done,
                             gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) make_in_thread, (GDestroyNotify) input_free,
                                       (GDestroyNotify) loom_search_index_unref };
  Input *input = LOOM_WORKER_INPUT (Input, loom_run_ref (run), old != NULL ? loom_search_index_ref (old) : NULL);
  loom_worker_start (running, &kind, input, done, owner);
}

/* --- asking ----------------------------------------------------------------------------------------------------- */

LoomSearchIndex *
loom_search_index_ref (LoomSearchIndex *index)
{
  g_atomic_ref_count_inc (&index->refs);
  return index;
}

void
loom_search_index_unref (LoomSearchIndex *index)
{
  if (index == NULL || !g_atomic_ref_count_dec (&index->refs))
    return;
  g_hash_table_unref (index->names);
  g_free (index);
}

const guint32 *
loom_search_index_get_counts (const LoomSearchIndex *index, const LoomTrace *trace)
{
  const TraceNames *names = g_hash_table_lookup (index->names, trace);
  return names != NULL ? names->counts : NULL;
}

const LoomNameSet *
loom_search_index_get_sets (const LoomSearchIndex *index, const LoomTrace *trace)
{
  const TraceNames *names = g_hash_table_lookup (index->names, trace);
  return names != NULL ? names->sets : NULL;
}

gsize
loom_search_index_get_memory (const LoomSearchIndex *index)
{
  GHashTableIter iter;
  gpointer value;
  gsize n_bytes = 0;
  g_hash_table_iter_init (&iter, index->names);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const TraceNames *names = value;
    n_bytes += names->n_chunks * sizeof (LoomNameSet) + loom_trace_get_n_names (names->trace) * sizeof (guint32);
  }
  return n_bytes;
}
