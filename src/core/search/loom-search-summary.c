/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-search-summary.h: sums up hits by name in parallel. The rows of spans are divided into pieces, and
 * each thread takes one piece after the other. Each thread has its own sums, one per name with hits, which are added up
 * at the end. A name that occurs in several traces has one row in the table.
 */
#include "loom-search-summary.h"

#include "loom-parallel.h"
#include "loom-run-names.h"

#include <glib/gi18n.h>
#include <string.h>

#define PIECE_SPANS (1u << 20)
#define MOST_SUMS (1u << 20) /* maximum number of elements of type Sums in all threads together; they take 56 MB */
#define NO_SLOT G_MAXUINT32

enum { NAME, CATEGORY, COUNT, TOTAL, SHARE, MEAN, LEAST, MOST };

typedef struct {
  guint64 count;
  gint64 total_ns, min_ns, max_ns;
  LoomSpanId longest;
} Sums;

/* An item of work for a thread: consecutive spans of a row. */
typedef struct {
  const LoomSpans *spans;
  const guint32 *slots; /* array indexed by name id: index in `sums`; NO_SLOT: spans with this name are not hits */
  guint32 trace, first, end;
  gboolean instants;
} Piece;

typedef struct {
  LoomTimeline *timeline;
  const LoomSearchResult *result;
  GCancellable *cancellable;
  LoomRunNames *names;
  /* Key: LoomName *; value: joined id of the name, which is the same in all traces. NULL until a name of a detail
   * (loom-run-details.h) is looked up. */
  GHashTable *ids;
  GArray *slot_of;  /* guint32, indexed by joined id of a name: its index in `sums`; NO_SLOT: the name has no hits */
  GArray *joined;   /* const LoomName *, indexed like `sums`: the name, from any of the traces that contain it */
  GPtrArray *slots; /* indexed by trace: array that maps a name id to its index in `sums`; NULL: no hits in the trace */
  GArray *pieces;
  guint n_threads;
  Sums *sums; /* array indexed by thread, then by index of the name (slot_of()): sums of the hits */
} Counting;

/* --- counting ----------------------------------------------------------------------------------------------------- */

/* Returns the index of a name in `sums`. If the name has no index yet, gives the name the next index. `joined`: id of
 * the name, which is the same in all traces. */
static guint32
slot_of (Counting *counting, guint32 joined, const LoomName *name)
{
  guint32 *slot = &g_array_index (counting->slot_of, guint32, joined);
  if (*slot == NO_SLOT) {
    *slot = counting->joined->len;
    g_array_append_val (counting->joined, name);
  }
  return *slot;
}

static guint
hash_name (gconstpointer name)
{
  return ((const LoomName *) name)->text_hash;
}

static gboolean
equal_names (gconstpointer a, gconstpointer b)
{
  const LoomName *x = a, *y = b;
  return x->text_hash == y->text_hash && strcmp (x->text, y->text) == 0 && strcmp (x->category, y->category) == 0;
}

/* Returns the joined id, which is the same in all traces, of a name of a detail (loom-run-details.h). A name that
 * occurs in no trace gets a new joined id. */
static guint32
join (Counting *counting, const LoomName *name)
{
  gpointer id;
  const guint32 none = NO_SLOT;
  if (counting->ids == NULL) {
    counting->ids = g_hash_table_new (hash_name, equal_names);
    for (guint32 i = 0; i < counting->names->n; i++)
      g_hash_table_insert (counting->ids, (gpointer) &counting->names->names[i], GUINT_TO_POINTER (i));
  }
  if (g_hash_table_lookup_extended (counting->ids, name, NULL, &id))
    return GPOINTER_TO_UINT (id);
  g_hash_table_insert (counting->ids, (gpointer) name, GUINT_TO_POINTER (counting->slot_of->len));
  g_array_append_val (counting->slot_of, none);
  return counting->slot_of->len - 1;
}

/* Returns the index in `sums` of the name of a span. */
static guint32
slot_of_span (Counting *counting, const LoomTrace *trace, LoomSpanId span)
{
  guint32 id = loom_trace_get_spans (trace)->name_id[span.span];
  const LoomName *name = loom_trace_get_name (trace, id);
  gboolean is_trace = span.trace < loom_run_get_n_traces (loom_timeline_get_run (counting->timeline));
  guint32 joined = is_trace ? counting->names->maps[span.trace][id] : join (counting, name);
  return slot_of (counting, joined, is_trace ? &counting->names->names[joined] : name);
}

static guint32 *
new_slots (Counting *counting, guint trace)
{
  const guint8 *found = g_ptr_array_index (counting->result->names, trace);
  const guint32 *map = counting->names->maps[trace];
  guint n = loom_trace_get_n_names (loom_run_get_trace (loom_timeline_get_run (counting->timeline), trace));
  if (found == NULL)
    return NULL;
  guint32 *slots = g_new (guint32, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    slots[i] = found[i] ? slot_of (counting, map[i], &counting->names->names[map[i]]) : NO_SLOT;
  return slots;
}

static void
add_row (Counting *counting, Piece piece, const LoomRow *row)
{
  for (guint32 done = 0; done < row->n;) {
    guint32 n = MIN (row->n - done, PIECE_SPANS);
    piece.first = row->first + done;
    piece.end = piece.first + n;
    g_array_append_val (counting->pieces, piece);
    done += n;
  }
}

static void
add_trace (Counting *counting, guint number)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (counting->timeline), number);
  Piece piece = { .spans = loom_trace_get_spans (trace),
                  .slots = g_ptr_array_index (counting->slots, number),
                  .trace = number };
  for (guint i = 0; piece.slots != NULL && i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    piece.instants = track->kind == LOOM_TRACK_INSTANTS;
    for (guint k = 0; track->kind != LOOM_TRACK_COUNTER && k < track->n_rows; k++)
      add_row (counting, piece, loom_trace_get_row (trace, track->first_row + k));
  }
}

static gboolean
is_before (LoomSpanId a, LoomSpanId b)
{
  return a.trace != b.trace ? a.trace < b.trace : a.span < b.span;
}

static void
add (Sums *to, const Sums *from)
{
  if (from->count == 0)
    return;
  gboolean first = to->count == 0;
  gboolean longer =
    first || from->max_ns > to->max_ns || (from->max_ns == to->max_ns && is_before (from->longest, to->longest));
  to->total_ns = loom_time_add (to->total_ns, from->total_ns);
  to->min_ns = first ? from->min_ns : MIN (to->min_ns, from->min_ns);
  to->max_ns = longer ? from->max_ns : to->max_ns;
  to->longest = longer ? from->longest : to->longest;
  to->count += from->count;
}

static void
count_piece (guint item, guint worker, gpointer data)
{
  Counting *counting = data;
  const Piece *piece = &g_array_index (counting->pieces, Piece, item);
  Sums *sums = counting->sums + (gsize) worker * counting->joined->len;
  if (g_cancellable_is_cancelled (counting->cancellable))
    return;
  for (guint32 i = piece->first; i < piece->end; i++) {
    guint32 slot = piece->slots[piece->spans->name_id[i]];
    if (slot == NO_SLOT)
      continue;
    gint64 dur_ns = piece->instants ? 0 : piece->spans->dur_ns[i];
    const Sums one = { 1, dur_ns, dur_ns, dur_ns, { piece->trace, i } };
    add (&sums[slot], &one);
  }
}

/* Returns TRUE if only the list in the result tells which spans of a trace or detail (loom-run-details.h) are hits.
 * This is so if filters, or the time range of a detail, accept some spans with a name and reject others. */
static gboolean
is_listed (const Counting *counting, guint number)
{
  const GPtrArray *names = counting->result->names;
  return names == NULL || number >= names->len || g_ptr_array_index (names, number) == NULL;
}

/* Adds the hits in the list of the result, one by one, to `sums` (Sums, one element per name). */
static void
count_hits (Counting *counting, GArray *sums)
{
  LoomRun *run = loom_timeline_get_run (counting->timeline);
  const GArray *hits = counting->result->hits;
  for (guint i = 0; i < hits->len && !g_cancellable_is_cancelled (counting->cancellable); i++) {
    LoomSpanId hit = g_array_index (hits, LoomSpanId, i);
    if (!is_listed (counting, hit.trace))
      continue;
    const LoomTrace *trace = loom_run_get_trace (run, hit.trace);
    const LoomSpans *spans = loom_trace_get_spans (trace);
    gint64 dur_ns = loom_trace_span_is_instant (trace, hit.span) ? 0 : spans->dur_ns[hit.span];
    guint32 slot = slot_of_span (counting, trace, hit);
    const Sums one = { 1, dur_ns, dur_ns, dur_ns, hit };
    g_array_set_size (sums, counting->joined->len);
    add (&g_array_index (sums, Sums, slot), &one);
  }
}

/* Adds all spans whose names the search has found to `sums` (Sums, one element per name). */
static void
count_names (Counting *counting, GArray *sums)
{
  LoomRun *run = loom_timeline_get_run (counting->timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    g_ptr_array_add (counting->slots, new_slots (counting, i));
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    add_trace (counting, i);
  guint n = MAX (counting->joined->len, 1);
  counting->n_threads = CLAMP (MOST_SUMS / n, 1, loom_parallel_resolve (0));
  counting->sums = g_new0 (Sums, (gsize) counting->n_threads * n);
  loom_parallel_for (counting->pieces->len, counting->n_threads, count_piece, counting, NULL);
  for (guint t = 1; t < counting->n_threads; t++)
    for (guint i = 0; i < counting->joined->len; i++)
      add (&counting->sums[i], &counting->sums[(gsize) t * counting->joined->len + i]);
  g_array_append_vals (sums, counting->sums, counting->joined->len);
  g_free (counting->sums);
}

static void
count (Counting *counting)
{
  GArray *sums = g_array_new (FALSE, TRUE, sizeof (Sums));
  if (counting->result->names != NULL)
    count_names (counting, sums);
  if (counting->result->names == NULL || counting->result->has_details)
    count_hits (counting, sums);
  counting->sums = (Sums *) (gpointer) g_array_free (sums, FALSE);
}

/* --- table of the names ------------------------------------------------------------------------------------------- */

LoomResultTable *
loom_search_summary_new_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Search results"));
  loom_result_table_add_column (table, C_ ("column", "Name"), NULL,
                                _ ("Double-click a row to go to the longest span with that name"));
  loom_result_table_add_column (table, C_ ("column", "Category"), NULL, "");
  loom_result_table_add_column (table, C_ ("column", "Count"), "", _ ("Matching spans with this name, on all tracks"));
  loom_result_table_add_column (
    table, C_ ("column", "Total"), "ns",
    _ ("Sum of durations over all tracks; spans that run at the same time are all counted"));
  loom_result_table_add_column (table, C_ ("column", "Share"), "%",
                                _ ("Share of the total time of all matching spans"));
  loom_result_table_add_column (table, C_ ("column", "Mean"), "ns", _ ("Total divided by count"));
  loom_result_table_add_column (table, C_ ("column", "Min"), "ns", _ ("Full duration of the shortest matching span"));
  loom_result_table_add_column (table, C_ ("column", "Max"), "ns",
                                _ ("Full duration of the longest matching span; double-click a row to go there"));
  loom_result_table_set_order (table, TOTAL, TRUE);
  return table;
}

static void
add_name (LoomSearchSummary *found, const LoomName *name, const Sums *sums)
{
  loom_result_table_add_row (found->table, *name->text != '\0' ? name->text : _ ("(no name)"));
  loom_result_table_set_text (found->table, CATEGORY, name->category);
  loom_result_table_set_number (found->table, COUNT, (double) sums->count);
  loom_result_table_set_number (found->table, TOTAL, (double) sums->total_ns);
  if (found->total_ns > 0)
    loom_result_table_set_number (found->table, SHARE, 100 * (double) sums->total_ns / (double) found->total_ns);
  loom_result_table_set_number (found->table, MEAN,
                                (double) (((guint64) sums->total_ns + sums->count / 2) / sums->count));
  loom_result_table_set_number (found->table, LEAST, (double) sums->min_ns);
  loom_result_table_set_number (found->table, MOST, (double) sums->max_ns);
  g_array_append_val (found->longest, sums->longest);
}

static LoomSearchSummary *
make_table (const Counting *counting)
{
  LoomSearchSummary *found = g_new0 (LoomSearchSummary, 1);
  found->table = loom_search_summary_new_table ();
  found->longest = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  for (guint i = 0; i < counting->joined->len; i++) {
    found->count += counting->sums[i].count;
    found->total_ns = loom_time_add (found->total_ns, counting->sums[i].total_ns);
  }
  for (guint i = 0; i < counting->joined->len; i++)
    if (counting->sums[i].count > 0)
      add_name (found, g_array_index (counting->joined, const LoomName *, i), &counting->sums[i]);
  return found;
}

LoomSearchSummary *
loom_search_summary_new (LoomTimeline *timeline, const LoomSearchResult *result, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL && result != NULL, NULL);
  g_autoptr (LoomRunNames) names = loom_run_names_new (loom_timeline_get_run (timeline));
  g_autoptr (GArray) joined = g_array_new (FALSE, FALSE, sizeof (LoomName *)),
                     slot_of_joined = g_array_new (FALSE, FALSE, sizeof (guint32)),
                     pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_autoptr (GPtrArray) slots = g_ptr_array_new_with_free_func (g_free);
  const guint32 none = NO_SLOT;
  for (guint32 i = 0; i < names->n; i++)
    g_array_append_val (slot_of_joined, none);
  Counting counting = { .timeline = timeline,
                        .result = result,
                        .cancellable = cancellable,
                        .names = names,
                        .slot_of = slot_of_joined,
                        .joined = joined,
                        .slots = slots,
                        .pieces = pieces };
  count (&counting);
  LoomSearchSummary *found = g_cancellable_is_cancelled (cancellable) ? NULL : make_table (&counting);
  g_clear_pointer (&counting.ids, g_hash_table_unref);
  g_free (counting.sums);
  return found;
}

void
loom_search_summary_free (LoomSearchSummary *found)
{
  if (found == NULL)
    return;
  loom_result_table_unref (found->table);
  g_array_unref (found->longest);
  g_free (found);
}

/* --- summary in a worker ------------------------------------------------------------------------------------------ */

typedef struct {
  LoomTimeline *timeline;
  LoomSearchResult *result;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  loom_search_result_unref (input->result);
  g_free (input);
}

static LoomSearchSummary *
count_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  return loom_search_summary_new (input->timeline, input->result, cancellable);
}

void
loom_search_summary_new_async (GCancellable **running, LoomTimeline *timeline, LoomSearchResult *result,
                               LoomWorkerDone done, gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) count_in_thread, (GDestroyNotify) input_free,
                                       (GDestroyNotify) loom_search_summary_free };
  Input *input = LOOM_WORKER_INPUT (Input, loom_timeline_ref (timeline), loom_search_result_ref (result));
  loom_worker_start (running, &kind, input, done, owner);
}

static const LoomName *
get_name (LoomTimeline *timeline, LoomSpanId span)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), span.trace);
  return loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span.span]);
}

guint
loom_search_summary_find (const LoomSearchSummary *found, LoomTimeline *timeline, LoomSpanId span)
{
  const LoomName *name = get_name (timeline, span);
  for (guint i = 0; i < found->longest->len; i++)
    if (equal_names (name, get_name (timeline, g_array_index (found->longest, LoomSpanId, i))))
      return i;
  return G_MAXUINT;
}
