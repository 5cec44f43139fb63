/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects the clocks of each rank, and groups ranks whose clocks were compared.
 */
#include "loom-clock-order.h"

#include <string.h>

#include "loom-list-separator.h"

/* Maximum number of ranks in the text of a list; an ellipsis replaces all further ranks. */
#define MOST_NAMED 16

typedef struct {
  gint rank;
  const char *format; /* format of the source of the rank; static */
  gboolean is_sure, is_doubtful;
  /* LoomClockFit.component of the rank's clock; valid only if loom_clock_order_is_sure() returns TRUE for the clock */
  guint component;
} Rank;

struct _LoomClockOrder {
  GArray *ranks; /* Rank: the ranks of the run, sorted by number */
};

gboolean
loom_clock_order_is_sure (const LoomClockFit *fit)
{
  return fit->pairs > 0 && fit->verdict == LOOM_FIT_QUALITY_GOOD && fit->user_offset_ns == 0;
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  const Rank *x = a, *y = b;
  return (x->rank > y->rank) - (x->rank < y->rank);
}

static Rank *
get_rank (LoomClockOrder *order, GHashTable *known, const LoomSource *source)
{
  guint at = GPOINTER_TO_UINT (g_hash_table_lookup (known, GINT_TO_POINTER (source->rank)));
  if (at == 0) {
    Rank rank = { .rank = source->rank, .format = source->format, .component = LOOM_COMPONENT_NONE };
    g_array_append_val (order->ranks, rank);
    at = order->ranks->len;
    g_hash_table_insert (known, GINT_TO_POINTER (source->rank), GUINT_TO_POINTER (at));
  }
  return &g_array_index (order->ranks, Rank, at - 1);
}

LoomClockOrder *
loom_clock_order_new (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  LoomClockOrder *order = g_new0 (LoomClockOrder, 1);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  order->ranks = g_array_new (FALSE, FALSE, sizeof (Rank));
  for (guint i = 0; i < loom_run_get_n_sources (run); i++) {
    const LoomSource *source = loom_run_get_source (run, i);
    if (source->rank < 0 || source->start_ns == LOOM_TIME_NONE)
      continue;
    Rank *rank = get_rank (order, known, source);
    const LoomClockFit *fit =
      loom_alignment_get (loom_timeline_get_alignment (timeline), loom_run_get_clock_of_source (run, i));
    gboolean is_sure = loom_clock_order_is_sure (fit);
    rank->component = is_sure ? fit->component : rank->component;
    rank->is_sure |= is_sure;
    rank->is_doubtful |= fit->pairs > 0 && !is_sure;
  }
  g_array_sort (order->ranks, compare_ranks);
  return order;
}

void
loom_clock_order_free (LoomClockOrder *order)
{
  if (order == NULL)
    return;
  g_array_unref (order->ranks);
  g_free (order);
}

static gboolean
is_known (const Rank *rank)
{
  return rank->is_sure && !rank->is_doubtful;
}

static void
append_name (GString *text, const Rank *rank, const char *separator, guint n)
{
  g_autofree char *name = n < MOST_NAMED ? loom_rank_label_dup_words (rank->format, rank->rank) : g_strdup ("…");
  if (n <= MOST_NAMED)
    g_string_append_printf (text, "%s%s", n > 0 ? separator : "", name);
}

char *
loom_clock_order_dup_groups (const LoomClockOrder *order)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GHashTable) done = g_hash_table_new (NULL, NULL);
  guint n = 0;
  for (guint i = 0; i < order->ranks->len; i++) {
    const Rank *first = &g_array_index (order->ranks, Rank, i);
    if (!is_known (first) || !g_hash_table_add (done, GUINT_TO_POINTER (first->component)))
      continue;
    const char *separator = " / ";
    for (guint j = i; j < order->ranks->len && n <= MOST_NAMED; j++) {
      const Rank *rank = &g_array_index (order->ranks, Rank, j);
      if (!is_known (rank) || rank->component != first->component)
        continue;
      append_name (text, rank, separator, n++);
      separator = loom_list_separator ();
    }
  }
  return g_hash_table_size (done) > 1 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

char *
loom_clock_order_dup_unknown (const LoomClockOrder *order)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < order->ranks->len; i++)
    if (!is_known (&g_array_index (order->ranks, Rank, i)))
      append_name (text, &g_array_index (order->ranks, Rank, i), loom_list_separator (), n++);
  return n > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* --- merged files ------------------------------------------------------------------------------------------------- */

static gboolean
has_several_ranks (const LoomTrace *trace)
{
  gint first = -1;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    gint rank = loom_trace_get_track (trace, i)->rank;
    if (first >= 0 && rank >= 0 && rank != first)
      return TRUE;
    first = first >= 0 ? first : rank;
  }
  return FALSE;
}

gboolean
loom_clock_order_is_merged (LoomTimeline *timeline, gint64 *error_ns)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  gboolean is_merged = FALSE;
  *error_ns = 0;
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    for (guint i = 0; i < loom_trace_get_n_sources (trace); i++) {
      const LoomSource *source = loom_trace_get_source (trace, i);
      if (!source->is_merged || !has_several_ranks (trace))
        continue;
      is_merged = TRUE;
      *error_ns = MAX (*error_ns, source->merged_error_ns);
    }
  }
  return is_merged;
}
