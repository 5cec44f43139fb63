/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-backward-links.h"

#include "loom-merge-sort.h"
#include "loom-operator-args.h"
#include "loom-operators.h"

/* The args of an operator are packed into a number of 32 bits. Bit 31 is set if the args exist; bits 24 to 30 contain
 * the id of the forward thread; bits 0 to 23 contain the sequence number. Id and number are truncated to these bits, so
 * operators that are far apart in time can have equal numbers. This does no harm: of several forward operators with the
 * number, the last one before the backward operator is used. */
#define HAS_NUMBER (1u << 31)
#define THREAD_SHIFT 24
#define MOST_THREADS 128
/* Maximum number of operators with equal sequence numbers that are searched, so that the time stays linear even for
 * damaged files. */
#define MOST_EQUAL 256
#define NUMBER_MASK ((1u << THREAD_SHIFT) - 1)

typedef struct {
  gint64 begin_ns; /* on the clock of the trace */
  guint32 number, thread;
  guint32 span, track;
  guint32 worker; /* index of the first track of the operator's rank or, if the rank is unknown, of its process */
} Operator;

#define IS_NUMBER_BEFORE(a, b) ((a)->number != (b)->number ? (a)->number < (b)->number : (a)->begin_ns < (b)->begin_ns)
#define IS_BEFORE(a, b) ((a)->worker != (b)->worker ? (a)->worker < (b)->worker : IS_NUMBER_BEFORE (a, b))
LOOM_DEFINE_SORT (sort_operators, Operator, IS_BEFORE)

gboolean
loom_backward_links_is_backward (const char *name)
{
  return g_str_has_prefix (name, "autograd::engine::evaluate_function");
}

static void
add_link (GArray *links, guint32 forward, guint32 backward)
{
  LoomBackwardLink link = { forward, backward };
  g_array_append_val (links, link);
}

static void
add_flows (GArray *links, const LoomTrace *trace)
{
  guint32 n;
  const LoomArrow *arrows = loom_trace_get_arrows (trace, &n);
  for (guint32 i = 0; i < n; i++)
    if (strcmp (loom_trace_get_name (trace, arrows[i].name_id)->text, "fwdbwd") == 0)
      add_link (links, arrows[i].from, arrows[i].to);
}

/* --- links by the sequence numbers of operators ------------------------------------------------------------------- */

static gboolean
parse (LoomJsonSlice slice, guint64 *number)
{
  char text[24] = "";
  if (slice.text == NULL || slice.length == 0 || slice.length >= sizeof text)
    return FALSE;
  memcpy (text, slice.text, slice.length);
  return g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, number, NULL);
}

static guint32
read_number (LoomJsonSlice args, guint32 span, gpointer data)
{
  static const char *const keys[] = { "Sequence number", "Fwd thread id" };
  LoomJsonSlice found[G_N_ELEMENTS (keys)];
  guint64 number, thread;
  loom_json_slice_members (args, keys, G_N_ELEMENTS (keys), found);
  if (!parse (found[0], &number) || !parse (found[1], &thread))
    return 0;
  guint32 id = thread == 0 ? 0 : 1 + (guint32) ((thread - 1) % (MOST_THREADS - 1));
  return HAS_NUMBER | id << THREAD_SHIFT | ((guint32) number & NUMBER_MASK);
}

/* Returns an array: [name id] 1 if spans with this name are operators; NULL if the trace has no backward pass. */
static guint8 *
choose_names (const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace);
  gboolean has_backward = FALSE;
  g_autofree guint8 *wanted = g_new0 (guint8, MAX (n, 1));
  for (guint i = 0; i < n; i++) {
    const LoomName *name = loom_trace_get_name (trace, i);
    wanted[i] = loom_operators_is_operator (name);
    has_backward |= wanted[i] && loom_backward_links_is_backward (name->text);
  }
  return has_backward ? g_steal_pointer (&wanted) : NULL;
}

/* Returns a text that identifies the rank of a track or, if the rank is unknown, its process. Owned by the caller. */
static char *
dup_worker (const LoomTrack *track)
{
  return track->rank >= 0 ? g_strdup_printf ("rank %d %s", track->rank, track->node != NULL ? track->node : "")
                          : g_strdup_printf ("process %u", track->process_id);
}

/* Returns an array: [track] index of the first track that has the same rank (if the rank is unknown, the same process).
 * Owned by the caller. O(tracks). */
static guint32 *
find_workers (const LoomTrace *trace)
{
  g_autoptr (GHashTable) first = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n = loom_trace_get_n_tracks (trace);
  guint32 *workers = g_new (guint32, MAX (n, 1));
  for (guint i = 0; i < n; i++) {
    char *key = dup_worker (loom_trace_get_track (trace, i));
    gpointer found;
    if (g_hash_table_lookup_extended (first, key, NULL, &found)) {
      workers[i] = GPOINTER_TO_UINT (found);
      g_free (key);
    } else {
      workers[i] = i;
      g_hash_table_insert (first, key, GUINT_TO_POINTER (i));
    }
  }
  return workers;
}

static GArray *
list_operators (const LoomTrace *trace, const GArray *numbers)
{
  GArray *operators = g_array_sized_new (FALSE, FALSE, sizeof (Operator), numbers->len);
  g_autofree guint32 *workers = find_workers (trace);
  for (guint i = 0; i < numbers->len; i++) {
    const LoomSpanShape *read = &g_array_index (numbers, LoomSpanShape, i);
    Operator one = { loom_trace_get_spans (trace)->start_ns[read->span],
                     read->shape & NUMBER_MASK,
                     (read->shape & ~HAS_NUMBER) >> THREAD_SHIFT,
                     read->span,
                     0,
                     0 };
    guint32 row;
    loom_trace_locate_span (trace, read->span, &one.track, &row);
    one.worker = workers[one.track];
    g_array_append_val (operators, one);
  }
  sort_operators ((Operator *) (gpointer) operators->data, operators->len);
  return operators;
}

static gboolean
is_alike (const Operator *a, const Operator *b)
{
  return a->worker == b->worker && a->number == b->number;
}

/* Returns the last operator of the forward pass that begins before operators[at] and has the same sequence number and
 * the same worker (rank or process). `track`: index of the track to search; G_MAXUINT32: all tracks. Sets `is_only` to
 * FALSE if operators with this number are on several tracks. O(MOST_EQUAL). */
static const Operator *
find_forward (const GArray *operators, guint at, guint32 track, gboolean *is_only)
{
  const Operator *all = (const Operator *) (gpointer) operators->data, *found = NULL;
  *is_only = TRUE;
  for (guint i = at; i-- > 0 && at - i < MOST_EQUAL && is_alike (&all[i], &all[at]);) {
    if (all[i].thread != 0 || (track != G_MAXUINT32 && all[i].track != track))
      continue;
    *is_only = *is_only && (found == NULL || found->track == all[i].track);
    found = found == NULL ? &all[i] : found;
  }
  return found;
}

/* Adds the links of the operators [first, end), which belong to one worker (rank or process). */
static void
add_worker (GArray *links, const GArray *operators, guint first, guint end)
{
  guint32 track_of[MOST_THREADS];
  gboolean is_only;
  for (guint i = 0; i < MOST_THREADS; i++)
    track_of[i] = G_MAXUINT32;
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = first; i < end; i++) {
      const Operator *own = &g_array_index (operators, Operator, i);
      if (own->thread == 0)
        continue;
      const Operator *forward = find_forward (operators, i, pass == 0 ? G_MAXUINT32 : track_of[own->thread], &is_only);
      if (forward != NULL && pass == 0 && is_only)
        track_of[own->thread] = forward->track;
      if (forward != NULL && pass == 1)
        add_link (links, forward->span, own->span);
    }
}

static void
add_numbers (GArray *links, const GArray *operators)
{
  const Operator *all = (const Operator *) (gconstpointer) operators->data;
  for (guint first = 0, end; first < operators->len; first = end) {
    for (end = first + 1; end < operators->len && all[end].worker == all[first].worker;)
      end++;
    add_worker (links, operators, first, end);
  }
}

GArray *
loom_backward_links_find (LoomTimeline *timeline, guint trace_number, LoomRange range, GCancellable *cancellable)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), trace_number);
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (LoomBackwardLink));
  guint64 n_read = 0;
  add_flows (links, trace);
  g_autofree guint8 *wanted = links->len == 0 ? choose_names (trace) : NULL;
  if (wanted == NULL)
    return g_steal_pointer (&links);
  g_autoptr (GArray) numbers =
    loom_operator_args_read (timeline, trace_number, range, wanted, read_number, NULL, &n_read, cancellable);
  if (numbers == NULL)
    return NULL;
  g_autoptr (GArray) operators = list_operators (trace, numbers);
  add_numbers (links, operators);
  return g_steal_pointer (&links);
}
