/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-modules.h"

#include "loom-merge-sort.h"
#include "loom-operators.h"
#include "loom-time-bsearch.h"
#include "loom-work-kind.h"

#define NONE G_MAXUINT32

/* A span of a module, or of an operator of the backward pass. */
typedef struct {
  gint64 begin_ns, end_ns; /* on the clock of the trace */
  guint32 track;
  /* index of the smallest other interval of this track that contains this one; NONE: there is none */
  guint32 parent;
  guint32 module; /* index of the module's class, plus 1; 0: the interval is an operator of the backward pass */
  /* node of LoomPathModules.sets. For a span of a module: the classes of this module and of all modules around it. For
   * an operator of the backward pass: the classes of the modules around the linked operator of the forward pass. */
  guint32 set;
} Interval;

typedef struct {
  /* Interval, sorted by track, then by begin; intervals with equal begin are sorted by length, longest first */
  GArray *intervals;
  guint32 *first; /* [track] index of the track's first interval; the last element is the number of intervals */
} ModulesOfTrace;

static gboolean
is_before (const Interval *a, const Interval *b)
{
  if (a->track != b->track)
    return a->track < b->track;
  return a->begin_ns != b->begin_ns ? a->begin_ns < b->begin_ns : a->end_ns > b->end_ns;
}

#define IS_BEFORE(a, b) is_before (a, b)
LOOM_DEFINE_SORT (sort_intervals, Interval, IS_BEFORE)

/* --- classes of modules ------------------------------------------------------------------------------------------- */

static void
list_classes (LoomPathModules *modules, const LoomRunNames *names)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  modules->class_of = g_new0 (guint32, MAX (names->n, 1));
  for (guint32 i = 0; i < names->n; i++) {
    if (!loom_operators_is_module (names->names[i].text))
      continue;
    g_autofree char *text = loom_operators_dup_class (names->names[i].text);
    gpointer found = g_hash_table_lookup (known, text);
    if (found == NULL) {
      g_ptr_array_add (modules->classes, text);
      found = GUINT_TO_POINTER (modules->classes->len);
      g_hash_table_insert (known, g_steal_pointer (&text), found);
    }
    modules->class_of[i] = GPOINTER_TO_UINT (found);
  }
}

/* --- intervals of a trace ----------------------------------------------------------------------------------------- */

static void
add_modules_of_track (ModulesOfTrace *own, const LoomTrace *trace, guint32 number, const guint32 *class_of_name)
{
  const LoomTrack *track = loom_trace_get_track (trace, number);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  if (track->kind != LOOM_TRACK_SPANS || (track->flags & (LOOM_TRACK_DERIVED | LOOM_TRACK_NO_EXTENT)) != 0 ||
      loom_trace_track_is_device (track))
    return;
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + k);
    for (guint32 i = row->first; i < row->first + row->n; i++) {
      guint32 module = class_of_name[spans->name_id[i]];
      Interval one = {
        spans->start_ns[i], loom_time_add (spans->start_ns[i], spans->dur_ns[i]), number, NONE, module, 0
      };
      if (module != 0)
        g_array_append_val (own->intervals, one);
    }
  }
}

/* Sorts the intervals, and sets for each interval its parent and, if it is the span of a module, its set of classes
 * (Interval.set). Also sets own->first, the first interval of each track. */
static void
arrange (ModulesOfTrace *own, LoomSpanTrie *sets, guint32 n_tracks)
{
  Interval *all = (Interval *) (gpointer) own->intervals->data;
  guint32 n = own->intervals->len, track = 0;
  sort_intervals (all, n);
  for (guint32 i = 0; i < n; i++) {
    for (; track <= all[i].track; track++)
      own->first[track] = i;
    all[i].parent = i > own->first[all[i].track] ? i - 1 : NONE;
    while (all[i].parent != NONE && all[all[i].parent].end_ns < all[i].end_ns)
      all[i].parent = all[all[i].parent].parent;
    if (all[i].module != 0)
      all[i].set = loom_span_trie_get_child (sets, all[i].parent != NONE ? all[all[i].parent].set : 0, all[i].module);
  }
  for (; track <= n_tracks; track++)
    own->first[track] = n;
}

static gint64
get_begin (gconstpointer intervals, guint32 at)
{
  return ((const Interval *) intervals)[at].begin_ns;
}

static guint32
find_set (const ModulesOfTrace *own, guint32 track, gint64 time_ns)
{
  const Interval *all = (const Interval *) (gpointer) own->intervals->data;
  guint32 at =
    loom_time_bsearch_by (get_begin, all, own->first[track], own->first[track + 1], loom_time_add (time_ns, 1));
  at = at > own->first[track] ? at - 1 : NONE;
  while (at != NONE && all[at].end_ns <= time_ns)
    at = all[at].parent;
  return at != NONE ? all[at].set : 0;
}

static guint32
find_set_of_span (const ModulesOfTrace *own, const LoomTrace *trace, guint32 span)
{
  guint32 track, row;
  loom_trace_locate_span (trace, span, &track, &row);
  return find_set (own, track, loom_trace_get_spans (trace)->start_ns[span]);
}

/* Adds an Interval for each operator of the backward pass that a flow "fwdbwd" links to an operator inside a module.
 * Returns FALSE if there are no such operators. */
static gboolean
add_backward (ModulesOfTrace *own, const LoomTrace *trace)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  g_autoptr (GArray) added = g_array_new (FALSE, FALSE, sizeof (Interval));
  guint32 n, row;
  const LoomArrow *arrows = loom_trace_get_arrows (trace, &n);
  for (guint32 i = 0; i < n; i++) {
    if (strcmp (loom_trace_get_name (trace, arrows[i].name_id)->text, "fwdbwd") != 0)
      continue;
    gint64 begin_ns = spans->start_ns[arrows[i].to];
    Interval one = { .begin_ns = begin_ns,
                     .end_ns = loom_time_add (begin_ns, spans->dur_ns[arrows[i].to]),
                     .parent = NONE,
                     .set = find_set_of_span (own, trace, arrows[i].from) };
    loom_trace_locate_span (trace, arrows[i].to, &one.track, &row);
    if (one.set != 0)
      g_array_append_val (added, one);
  }
  g_array_append_vals (own->intervals, added->data, added->len);
  return added->len > 0;
}

static void
free_trace (gpointer data)
{
  ModulesOfTrace *own = data;
  g_array_unref (own->intervals);
  g_free (own->first);
  g_free (own);
}

static void
add_trace (LoomPathModules *modules, const LoomRunNames *names, guint number)
{
  const LoomTrace *trace = loom_run_get_trace (modules->run, number);
  guint n_names = loom_trace_get_n_names (trace), n_tracks = loom_trace_get_n_tracks (trace);
  ModulesOfTrace *own = g_new0 (ModulesOfTrace, 1);
  g_autofree guint32 *class_of_name = g_new (guint32, MAX (n_names, 1));
  own->intervals = g_array_new (FALSE, FALSE, sizeof (Interval));
  own->first = g_new0 (guint32, n_tracks + 1);
  g_ptr_array_add (modules->of_trace, own);
  for (guint i = 0; i < n_names; i++)
    class_of_name[i] = modules->class_of[names->maps[number][i]];
  for (guint i = 0; i < n_tracks; i++)
    add_modules_of_track (own, trace, i, class_of_name);
  if (own->intervals->len == 0)
    return;
  arrange (own, &modules->sets, n_tracks);
  if (add_backward (own, trace))
    arrange (own, &modules->sets, n_tracks);
}

/* --- public functions --------------------------------------------------------------------------------------------- */

gboolean
loom_path_modules_init (LoomPathModules *modules, LoomRun *run, const LoomRunNames *names, GCancellable *cancellable)
{
  *modules = (LoomPathModules) { .classes = g_ptr_array_new_with_free_func (g_free),
                                 .of_trace = g_ptr_array_new_with_free_func (free_trace),
                                 .run = run };
  loom_span_trie_init (&modules->sets);
  list_classes (modules, names);
  for (guint i = 0; modules->classes->len > 0 && i < loom_run_get_n_traces (run); i++) {
    if (g_cancellable_is_cancelled (cancellable))
      return FALSE;
    add_trace (modules, names, i);
  }
  return TRUE;
}

void
loom_path_modules_clear (LoomPathModules *modules)
{
  g_ptr_array_unref (modules->classes);
  g_ptr_array_unref (modules->of_trace);
  loom_span_trie_clear (&modules->sets);
  g_free (modules->class_of);
}

guint32
loom_path_modules_find (const LoomPathModules *modules, LoomSpanId span)
{
  if (modules->of_trace->len == 0)
    return 0;
  const ModulesOfTrace *own = modules->of_trace->pdata[span.trace];
  return own->intervals->len > 0 ? find_set_of_span (own, loom_run_get_trace (modules->run, span.trace), span.span) : 0;
}
