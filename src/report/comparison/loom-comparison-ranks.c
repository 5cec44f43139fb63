/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the numbers of ranks and the ids of processes as text, with consecutive numbers as ranges.
 */
#include "loom-comparison-ranks.h"

#include <glib/gi18n.h>
#include <math.h>

#include "loom-json-util.h"

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static gboolean
has_several_nodes (const LoomRunComparison *comparison)
{
  for (guint i = 1; i < comparison->n_ranks; i++)
    if (g_strcmp0 (comparison->ranks[i].node, comparison->ranks[0].node) != 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_on_other_node (const LoomRunComparison *comparison, const LoomRankChange *rank)
{
  for (guint i = 0; i < comparison->n_ranks; i++)
    if (comparison->ranks[i].rank == rank->rank && g_strcmp0 (comparison->ranks[i].node, rank->node) != 0)
      return TRUE;
  return FALSE;
}

static gboolean
needs_node (const LoomRunComparison *comparison, const LoomRankChange *rank)
{
  return rank->node != NULL &&
         (rank->is_process ? has_several_nodes (comparison) : is_on_other_node (comparison, rank));
}

char *
loom_comparison_ranks_dup_number (const LoomRunComparison *comparison, const LoomRankChange *rank)
{
  return needs_node (comparison, rank) ? g_strdup_printf ("%d (%s)", rank->rank, rank->node)
                                       : g_strdup_printf ("%d", rank->rank);
}

static int
compare_main (gconstpointer a, gconstpointer b)
{
  const LoomRankChange *x = *(const LoomRankChange *const *) a, *y = *(const LoomRankChange *const *) b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return g_strcmp0 (x->node, y->node);
}

/* Returns the main ranks (const LoomRankChange *), the few ranks that explain the change, sorted by rank number and
 * then by node. Owned by the caller. */
static GPtrArray *
list_main (const LoomRunComparison *comparison)
{
  GPtrArray *all = g_ptr_array_new ();
  for (guint i = 0; i < comparison->n_main; i++)
    g_ptr_array_add (all, (gpointer) &comparison->ranks[i]);
  g_ptr_array_sort (all, compare_main);
  return all;
}

/* Returns the index of the last rank of the range of consecutive numbers that begins with all[first]. A range has at
 * least three ranks. If no range begins with all[first], returns `first`. */
static guint
find_last (const LoomRunComparison *comparison, const GPtrArray *all, guint first)
{
  guint last = first;
  for (; last < all->len; last++) {
    const LoomRankChange *rank = all->pdata[last], *begin = all->pdata[first];
    if (needs_node (comparison, rank) || rank->rank - begin->rank != (gint) (last - first))
      break;
  }
  /* two consecutive numbers are written "3, 4" and not as a range */
  return last >= first + 3 ? last - 1 : first;
}

char *
loom_comparison_ranks_dup_main (const LoomRunComparison *comparison)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GPtrArray) all = list_main (comparison);
  for (guint i = 0, last; i < all->len; i = last + 1) {
    last = find_last (comparison, all, i);
    g_autofree char *number = loom_comparison_ranks_dup_number (comparison, all->pdata[i]);
    g_string_append_printf (text, i > 0 ? ", %s" : "%s", number);
    if (last > i)
      g_string_append_printf (text, "–%d", ((const LoomRankChange *) all->pdata[last])->rank);
  }
  return g_string_free (text, FALSE);
}

/* --- sentences ---------------------------------------------------------------------------------------------------- */

static char *
dup_cause_of_ranks (LoomStepBreakdownPart part, guint n, const char *verdict, const char *ranks, const char *change)
{
  switch (part) {
  case LOOM_STEP_BREAKDOWN_COMPUTE:
    return g_strdup_printf (ngettext ("%s: rank %s computes for %s longer per step, and the others wait for it",
                                      "%s: ranks %s compute for %s longer per step, and the others wait for them", n),
                            verdict, ranks, change);
  case LOOM_STEP_BREAKDOWN_COPY:
    return g_strdup_printf (ngettext ("%s: rank %s copies for %s longer per step, and the others wait for it",
                                      "%s: ranks %s copy for %s longer per step, and the others wait for them", n),
                            verdict, ranks, change);
  case LOOM_STEP_BREAKDOWN_TRANSFER:
    return g_strdup_printf (
      ngettext ("%s: the transfers of rank %s take %s longer per step, and the others wait for it",
                "%s: the transfers between ranks %s take %s longer per step, and the others wait for them", n),
      verdict, ranks, change);
  case LOOM_STEP_BREAKDOWN_DATA_WAIT:
    return g_strdup_printf (ngettext ("%s: rank %s waits for data for %s longer per step, and the others wait for it",
                                      "%s: ranks %s wait for data for %s longer per step, and the others wait for them",
                                      n),
                            verdict, ranks, change);
  default:
    return g_strdup_printf (
      ngettext ("%s: the devices of rank %s are idle for %s longer per step, and the others wait for it",
                "%s: the devices of ranks %s are idle for %s longer per step, and the others wait for them", n),
      verdict, ranks, change);
  }
}

static char *
dup_cause_of_processes (LoomStepBreakdownPart part, guint n, const char *verdict, const char *processes,
                        const char *change)
{
  switch (part) {
  case LOOM_STEP_BREAKDOWN_COMPUTE:
    return g_strdup_printf (ngettext ("%s: process %s computes for %s longer per step, and the others wait for it",
                                      "%s: processes %s compute for %s longer per step, and the others wait for them",
                                      n),
                            verdict, processes, change);
  case LOOM_STEP_BREAKDOWN_COPY:
    return g_strdup_printf (ngettext ("%s: process %s copies for %s longer per step, and the others wait for it",
                                      "%s: processes %s copy for %s longer per step, and the others wait for them", n),
                            verdict, processes, change);
  case LOOM_STEP_BREAKDOWN_TRANSFER:
    return g_strdup_printf (
      ngettext ("%s: the transfers of process %s take %s longer per step, and the others wait for it",
                "%s: the transfers between processes %s take %s longer per step, and the others wait for them", n),
      verdict, processes, change);
  case LOOM_STEP_BREAKDOWN_DATA_WAIT:
    return g_strdup_printf (
      ngettext ("%s: process %s waits for data for %s longer per step, and the others wait for it",
                "%s: processes %s wait for data for %s longer per step, and the others wait for them", n),
      verdict, processes, change);
  default:
    return g_strdup_printf (
      ngettext ("%s: the devices of process %s are idle for %s longer per step, and the others wait for it",
                "%s: the devices of processes %s are idle for %s longer per step, and the others wait for them", n),
      verdict, processes, change);
  }
}

char *
loom_comparison_ranks_dup_cause (const LoomRunComparison *comparison, const char *verdict, const char *ranks,
                                 const char *change)
{
  return (comparison->ranks[0].is_process ? dup_cause_of_processes : dup_cause_of_ranks) (
    comparison->main_ranks_part, comparison->n_main, verdict, ranks, change);
}

char *
loom_comparison_ranks_dup_parts (gboolean is_process, guint n, const char *ranks, const char *run, const char *changes)
{
  if (is_process)
    /* Translators: ids of processes, a name of a run, then "computing +8.6 ms, waiting for other ranks −2.8 ms" */
    return g_strdup_printf (
      ngettext ("Process %s of %s, per step on average: %s.", "Processes %s of %s, per step on average: %s.", n), ranks,
      run, changes);
  /* Translators: numbers of ranks, a name of a run, then "computing +8.6 ms, waiting for other ranks −2.8 ms" */
  return g_strdup_printf (
    ngettext ("Rank %s of %s, per step on average: %s.", "Ranks %s of %s, per step on average: %s.", n), ranks, run,
    changes);
}

char *
loom_comparison_ranks_dup_exposed (const LoomRunComparison *comparison, const char *length, const char *ranks)
{
  if (comparison->ranks[0].is_process)
    /* Translators: a time, then ids of processes */
    return g_strdup_printf (
      ngettext (
        "No link is slower: per step, %s more of the transfers is no longer hidden by computing (mean over all ranks), because of the wait for process %s.",
        "No link is slower: per step, %s more of the transfers is no longer hidden by computing (mean over all ranks), because of the wait for processes %s.",
        comparison->n_main),
      length, ranks);
  /* Translators: a time, then numbers of ranks */
  return g_strdup_printf (
    ngettext (
      "No link is slower: per step, %s more of the transfers is no longer hidden by computing (mean over all ranks), because of the wait for rank %s.",
      "No link is slower: per step, %s more of the transfers is no longer hidden by computing (mean over all ranks), because of the wait for ranks %s.",
      comparison->n_main),
    length, ranks);
}

/* --- table -------------------------------------------------------------------------------------------------------- */

static gboolean
has_number (const LoomRunComparison *comparison, gboolean is_process)
{
  for (guint i = 0; i < comparison->n_ranks; i++)
    if (comparison->ranks[i].is_process == is_process)
      return TRUE;
  return FALSE;
}

void
loom_comparison_ranks_add_columns (const LoomRunComparison *comparison, LoomResultTable *table)
{
  if (has_several_nodes (comparison))
    loom_result_table_add_column (table, C_ ("column", "Node"), NULL, "");
  if (has_number (comparison, FALSE) || comparison->n_ranks == 0)
    loom_result_table_add_column (table, C_ ("column", "Rank"), "", "");
  if (has_number (comparison, TRUE))
    loom_result_table_add_column (table, C_ ("column", "Process"), "", "");
}

void
loom_comparison_ranks_add_row (const LoomRunComparison *comparison, LoomResultTable *table, const LoomRankChange *rank)
{
  guint column = 0;
  double number = rank->rank >= 0 ? rank->rank : NAN;
  loom_result_table_add_row (table, NULL);
  if (has_several_nodes (comparison))
    loom_result_table_set_text (table, column++, rank->node);
  if (has_number (comparison, FALSE))
    loom_result_table_set_number (table, column++, rank->is_process ? NAN : number);
  if (has_number (comparison, TRUE))
    loom_result_table_set_number (table, column, rank->is_process ? number : NAN);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

void
loom_comparison_ranks_build_rank (JsonBuilder *builder, gint rank, gboolean is_process)
{
  loom_json_util_add_int_if (builder, "rank", rank >= 0 && !is_process, rank);
  if (is_process)
    loom_json_util_add_int (builder, "process_id", rank);
}

static void
build_processes (const LoomRunComparison *comparison, JsonBuilder *builder)
{
  loom_json_util_begin_array (builder, "main_processes");
  for (guint i = 0; i < comparison->n_main; i++) {
    const LoomRankChange *rank = &comparison->ranks[i];
    if (!rank->is_process)
      continue;
    json_builder_begin_object (builder);
    loom_json_util_add_text (builder, "node", rank->node);
    loom_json_util_add_int (builder, "process_id", rank->rank);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

void
loom_comparison_ranks_build_main (const LoomRunComparison *comparison, JsonBuilder *builder)
{
  static const char *const runs[] = { "first", "second" };
  int slower = loom_run_comparison_get_slower (comparison);
  guint n = comparison->n_main;
  gboolean is_one = n == 1 && !comparison->ranks[0].is_process;
  gint rank = is_one ? comparison->ranks[0].rank : -1;
  loom_json_util_add_text (builder, "slower_run", slower >= 0 ? runs[slower] : NULL);
  loom_json_util_add_int_if (builder, "slower_rank", is_one && slower == 1, rank);
  loom_json_util_add_int_if (builder, "faster_rank", is_one && slower == 0, rank);
  loom_json_util_begin_array (builder, "main_ranks");
  for (guint i = 0; i < n; i++)
    if (!comparison->ranks[i].is_process)
      json_builder_add_int_value (builder, comparison->ranks[i].rank);
  json_builder_end_array (builder);
  build_processes (comparison, builder);
  loom_json_util_add_text (builder, "main_ranks_part",
                           n > 0 ? loom_step_breakdown_part_to_string (comparison->main_ranks_part) : NULL);
}
