/* SPDX-License-Identifier: Apache-2.0
 *
 * The page of bottlenecks: times at which GPUs wait while CPU cores are fully used, and a comparison of the work at
 * these times with the work at other times.
 */
#include "loom-page-private.h"

#include "loom-list-separator.h"
#include "loom-page-causes.h"
#include "loom-sentence.h"

#include <glib/gi18n.h>
#include <math.h>

#define MAX_NODES 4 /* maximum number of nodes that a sentence names */

/* Returns the names of the nodes that have bottlenecks: "algo-1, algo-2"; NULL if they have no names, or are too many.
 * Owned by the caller. */
static char *
dup_nodes (const LoomPageInput *input, const LoomBottlenecks *bottlenecks)
{
  g_autoptr (GPtrArray) hosts = g_ptr_array_new ();
  for (guint i = 0; i < bottlenecks->n; i++) {
    const char *host = loom_data_frame_get_host (input->frame, bottlenecks->items[i].host_id);
    if (host[0] == '\0')
      return NULL;
    if (!g_ptr_array_find_with_equal_func (hosts, host, g_str_equal, NULL))
      g_ptr_array_add (hosts, (gpointer) host);
  }
  if (hosts->len == 0 || hosts->len > MAX_NODES)
    return NULL;
  g_ptr_array_add (hosts, NULL);
  return g_strjoinv (loom_list_separator (), (char **) hosts->pdata);
}

/* Returns the sentence that answers the question of the page: how often GPUs starved, on which nodes and when. Owned by
 * the caller. */
static char *
dup_answer (const LoomPageInput *input, const LoomBottlenecks *bottlenecks)
{
  guint n = bottlenecks->n;
  if (n == 0)
    return g_strdup (_ ("No GPU was starved while a core of its node was saturated."));
  gint64 zero_ns = loom_page_get_zero (input);
  g_autofree char *nodes = dup_nodes (input, bottlenecks),
                  *first = loom_time_format_duration (loom_time_sub (bottlenecks->items[0].time_ns, zero_ns)),
                  *last = loom_time_format_duration (loom_time_sub (bottlenecks->items[n - 1].time_ns, zero_ns));
  if (nodes == NULL)
    return g_strdup_printf (ngettext ("GPUs were starved at %u instant while a core of their node was saturated.",
                                      "GPUs were starved at %u instants while a core of their node was saturated.", n),
                            n);
  if (n == 1)
    return g_strdup_printf (/* Translators: a node, and a duration */
                            _ ("GPUs of %s were starved while a core of the node was saturated, %s after the start."),
                            nodes, first);
  return g_strdup_printf (
    /* Translators: nodes, the number of instants, and two durations */
    _ (
      "GPUs of %s were starved at %u instants while a core of their node was saturated, from %s to %s after the start."),
    nodes, n, first, last);
}

static void
add_facts (LoomPageContent *sheet, const LoomPageInput *input, const LoomBottlenecks *bottlenecks,
           LoomBottleneckLimits limits)
{
  g_autofree char *counted =
    g_strdup_printf (_ ("cores above %.3g %%, GPUs at or below %.3g %%"), limits.high_cpu, limits.low_gpu);
  loom_page_content_add_facts (sheet, _ ("CPU bottlenecks"));
  loom_page_add_number (sheet, _ ("Instants"), bottlenecks->n, "");
  loom_page_add_number (sheet, _ ("Samples of starved GPUs"), (double) bottlenecks->n_rows, "");
  loom_page_add_number (sheet, _ ("Samples of starved GPUs in the training loop"),
                        input->phases.has_loop ? (double) bottlenecks->n_rows_in_loop : NAN, "");
  loom_page_content_add_fact (sheet, _ ("Thresholds"), counted);
}

static void
add_instants (LoomPageContent *sheet, const LoomPageInput *input, const LoomBottlenecks *bottlenecks)
{
  LoomResultTable *table = loom_result_table_new (_ ("Instants"));
  guint time =
    loom_result_table_add_column (table, C_ ("column", "Time"), "time", _ ("Time since the start of the run"));
  guint node = loom_result_table_add_column (table, C_ ("column", "Node"), NULL, NULL),
        cores = loom_result_table_add_column (table, C_ ("column", "Saturated Cores"), "", NULL);
  guint gpus = loom_result_table_add_column (table, C_ ("column", "Starved GPUs"), "", NULL),
        loop = loom_result_table_add_column (table, C_ ("column", "In Training Loop"), NULL, NULL);
  for (guint i = 0; i < bottlenecks->n; i++) {
    const LoomBottleneck *item = &bottlenecks->items[i];
    loom_result_table_add_row (table, NULL);
    loom_result_table_set_number (table, time, (double) (item->time_ns - loom_page_get_zero (input)));
    loom_result_table_set_text (table, node, loom_data_frame_get_host (input->frame, item->host_id));
    loom_result_table_set_number (table, cores, item->n_high_cores);
    loom_result_table_set_number (table, gpus, item->n_low_gpus);
    loom_result_table_set_text (table, loop,
                                !input->phases.has_loop ? "–"
                                : item->in_loop         ? C_ ("table", "yes")
                                                        : C_ ("table", "no"));
  }
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < bottlenecks->n; i++)
    loom_page_set_instant (sheet, i, bottlenecks->items[i].time_ns);
}

static char *
dup_only_then (const char *names)
{
  return g_strdup_printf (_ ("Functions that ran only during bottlenecks: %s."), names);
}

/* Adds the sentence that answers the question of the page, which also names the work that takes longer at bottlenecks,
 * and then the tables and charts that show this. */
static void
add_causes (LoomPageContent *sheet, const LoomPageInput *input, const LoomBottlenecks *bottlenecks)
{
  const LoomCauseWords words = {
    .functions = _ ("Functions during bottlenecks"),
    .phases = _ ("Training phases during bottlenecks"),
    .bars = _ ("Mean duration during bottlenecks and at other times"),
    .here = _ ("during bottlenecks"),
    .there = C_ ("bars", "at other times"),
    .table = _ ("What takes longer during bottlenecks"),
    .dup_only_then = dup_only_then,
  };
  LoomCauseComparison contrast;
  loom_cause_comparison_init_bottlenecks (&contrast, input->frame, bottlenecks);
  g_autofree char *answer = dup_answer (input, bottlenecks),
                  *cause = loom_page_causes_dup_main (sheet, input, &contrast, &words),
                  *all = loom_sentence_join (answer, cause);
  loom_page_content_add_answer (sheet, all);
  if (contrast.during.n_rows == 0)
    loom_page_content_add_missing (
      sheet, _ ("No work of the framework was recorded at the bottlenecks, so their causes are unknown."));
  else {
    loom_page_causes_add_suspects (sheet, input, &contrast, &words);
    loom_page_causes_add_evidence (sheet, input, &contrast, &words);
  }
  loom_cause_comparison_clear (&contrast);
}

LoomPageContent *
loom_page_bottlenecks (const LoomPageInput *input, GCancellable *cancellable)
{
  LoomPageContent *sheet = loom_page_content_new (input->range);
  const char *why = loom_page_no_device (input, LOOM_DEVICE_GPU);
  LoomBottlenecks bottlenecks;
  if (why == NULL)
    why = loom_page_no_device (input, LOOM_DEVICE_CPU);
  if (why != NULL) {
    loom_page_content_add_missing (sheet, why);
    loom_page_add_metrics_hint (sheet);
    return sheet;
  }
  loom_bottlenecks_init (&bottlenecks, input->frame, &input->phases, LOOM_SELECT_DIMENSION,
                         input->thresholds.bottleneck);
  loom_page_count_part (input, cancellable);
  loom_page_content_set_sources (sheet, _ ("computed from system metrics and the framework’s spans"));
  if (input->phases.is_loose)
    loom_page_content_add_missing (sheet, loom_page_no_loop (input));
  if (bottlenecks.n > 0 && !g_cancellable_is_cancelled (cancellable)) {
    add_causes (sheet, input, &bottlenecks);
    add_facts (sheet, input, &bottlenecks, input->thresholds.bottleneck);
    add_instants (sheet, input, &bottlenecks);
  } else {
    g_autofree char *answer = dup_answer (input, &bottlenecks);
    loom_page_content_add_answer (sheet, answer);
    add_facts (sheet, input, &bottlenecks, input->thresholds.bottleneck);
  }
  loom_page_count_part (input, cancellable);
  loom_bottlenecks_clear (&bottlenecks);
  return loom_page_finish (sheet, cancellable);
}
