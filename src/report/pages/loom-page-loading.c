/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Data Loading", which shows the longest iterators, workers and batches of data loaders. For formats
 * that do not record these spans, the page shows how long training loops wait for their next batch.
 */
#include "loom-page-private.h"

#include "loom-data-loading.h"
#include "loom-data-waits.h"
#include "loom-frame-collectives.h"
#include "loom-list-separator.h"
#include "loom-loader-processes.h"
#include "loom-rank-label.h"
#include "loom-sentence.h"
#include "loom-step-parts.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* If waits for data take at least this percentage of the time of the steps, the page recommends loading batches in
 * worker processes of the data loader. */
#define LEAST_ADVISED 5

#define GET_NEXT "DataLoaderIter::GetNext"
/* the sentence at the top of the page names the rank that waits longest, and all ranks whose wait is at least this
 * fraction of the longest wait */
#define NEARLY 0.9
#define MAX_LISTED 4
#define EVEN 0.01 /* waits count as equally long if they differ by at most this share of the longest wait */
#define DATA_COLOR loom_chart_work_color (LOOM_WORK_KIND_DATA)
#define MAX_COLUMN_RANKS 8
#define MAX_EMPTY 8         /* maximum number of steps without waits that a note names */
#define MAX_LOOKED_AT 10000 /* steps without waits are searched only if the chart has at most this many steps */
#define MAX_HEAT_ROWS 1024
#define MAX_HEAT_COLUMNS 500

/* --- summary of the loaded data, and outliers --------------------------------------------------------------------- */

static void
set_event (LoomPageContent *sheet, const LoomPageInput *input, guint element, const LoomLoaderEvent *event)
{
  loom_page_content_set_place (sheet, element,
                               (LoomRange) { event->begin_ns, MAX (event->end_ns, event->begin_ns + 1) },
                               &input->frame->rows.span[event->row], 1);
}

static void
add_times (LoomResultTable *table, const char *name, const LoomLoaderTimes *times)
{
  if (times->n == 0)
    return;
  loom_result_table_add_row (table, name);
  const double figures[] = { (double) times->n, times->n > 1 ? times->median_ns : NAN,
                             times->n > 0 ? (double) times->max_ns : NAN, times->n_outliers };
  loom_result_table_set_numbers (table, 1, figures, G_N_ELEMENTS (figures));
}

static void
add_summary (LoomPageContent *sheet, const LoomPageInput *input, const LoomDataLoading *loading)
{
  const LoomLoaderTimes *times[] = { &loading->iterators[0].times, &loading->iterators[1].times, &loading->workers,
                                     &loading->get_next, &loading->batches };
  guint n = 0;
  LoomResultTable *table = loom_result_table_new (_ ("Data loading"));
  loom_result_table_add_column (table, C_ ("column", "Kind"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Count"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Median"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Longest"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Outliers"), "", _ ("Longer than twice the median"));
  for (guint i = 0; i < G_N_ELEMENTS (loading->iterators); i++)
    add_times (table, loading->iterators[i].name, &loading->iterators[i].times);
  add_times (table, C_ ("table", "workers"), &loading->workers);
  add_times (table, _ ("calls to GetNext"), &loading->get_next);
  add_times (table, C_ ("table", "batches"), &loading->batches);
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    if (times[i]->n > 0)
      set_event (sheet, input, n++, &times[i]->longest);
}

static void
append_workers (GString *text, const GArray *counts)
{
  for (guint i = 0; i < counts->len; i++) {
    gint64 n = g_array_index (counts, gint64, i);
    g_string_append_printf (text, n >= 0 ? "%s%" G_GINT64_FORMAT : "%s–", text->len > 0 ? loom_list_separator () : "",
                            n);
  }
}

/* Returns the number of CPU cores of the node with the most cores, which the page shows beside the number of
 * workers. */
static guint
count_cores (const LoomPageInput *input)
{
  guint most = 0;
  const LoomSampleSeries *series = input->frame->series;
  g_autofree guint *cores = g_new0 (guint, input->frame->n_hosts + 1);
  for (guint i = 0; i < input->frame->n_series; i++)
    if (loom_data_frame_series_is (&series[i], LOOM_DEVICE_CPU, LOOM_SELECT_DIMENSION))
      cores[series[i].host_id]++;
  for (guint i = 0; i < input->frame->n_hosts; i++)
    most = MAX (most, cores[i]);
  return most;
}

static void
add_facts (LoomPageContent *sheet, const LoomPageInput *input, const LoomDataLoading *loading)
{
  loom_page_content_add_facts (sheet, _ ("Iterators"));
  for (guint i = 0; i < G_N_ELEMENTS (loading->iterators); i++) {
    const LoomLoaderIterator *iterator = &loading->iterators[i];
    g_autoptr (GString) pin = g_string_new (NULL), workers = g_string_new (NULL);
    if (iterator->times.n == 0) {
      loom_page_content_add_fact (sheet, iterator->name,
                                  /* Translators: said of an iterator of a data loader */
                                  _ ("not used"));
      continue;
    }
    for (guint k = 0; k < iterator->pin_memory->len; k++)
      g_string_append_printf (pin, "%s%s", k > 0 ? loom_list_separator () : "",
                              (const char *) iterator->pin_memory->pdata[k]);
    append_workers (workers, iterator->n_workers);
    g_autofree char *text =
      g_strdup_printf (ngettext ("initialized %u time, workers %s, pin memory %s",
                                 "initialized %u times, workers %s, pin memory %s", iterator->times.n),
                       (guint) iterator->times.n, workers->str, pin->str);
    loom_page_content_add_fact (sheet, iterator->name, text);
  }
  g_autoptr (GPtrArray) hosts = loom_loader_processes_list_hosts (input->frame);
  LoomLoaderTotals totals = loom_loader_processes_sum_hosts (hosts);
  g_autofree char *at_a_time = loom_loader_processes_describe_totals (&totals);
  loom_page_add_number (sheet, _ ("Worker processes, on all nodes"), totals.n_workers, "");
  if (hosts->len > 0)
    loom_page_content_add_fact (sheet, _ ("Processes per node that load data at the same time"), at_a_time);
  if (count_cores (input) > 0)
    loom_page_add_number (sheet, _ ("Cores per node"), count_cores (input), "");
}

static void
add_outliers (LoomPageContent *sheet, const LoomPageInput *input, const char *title, const LoomLoaderTimes *times)
{
  LoomResultTable *table = loom_result_table_new (title);
  loom_result_table_add_column (table, C_ ("column", "Start"), "time", _ ("Time since the start of the run"));
  loom_result_table_add_column (table, C_ ("column", "End"), "time", NULL);
  loom_result_table_add_column (table, C_ ("column", "Duration"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Worker"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_set_order (table, 2, TRUE);
  for (guint i = 0; i < times->n_outliers; i++) {
    const LoomLoaderEvent *event = &times->outliers[i];
    g_autofree char *rank = loom_page_worker_name (input, input->frame->rows.worker[event->row]);
    loom_result_table_add_row (table, NULL);
    loom_result_table_set_number (table, 0, (double) (event->begin_ns - loom_page_get_zero (input)));
    loom_result_table_set_number (table, 1, (double) (event->end_ns - loom_page_get_zero (input)));
    loom_result_table_set_number (table, 2, (double) event->dur_ns);
    loom_result_table_set_number (table, 3, event->worker_id >= 0 ? (double) event->worker_id : NAN);
    loom_result_table_set_text (table, 4, rank);
  }
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < times->n_outliers; i++)
    set_event (sheet, input, i, &times->outliers[i]);
}

/* --- calls of GetNext --------------------------------------------------------------------------------------------- */

static gboolean
is_get_next (const LoomPageInput *input, guint32 row)
{
  return strstr (loom_data_frame_get_event_name (input->frame, row), GET_NEXT) != NULL ||
         strstr (loom_data_frame_get_text (input->frame, input->frame->rows.process[row]), GET_NEXT) != NULL;
}

static void
add_get_next (LoomPageContent *sheet, const LoomPageInput *input)
{
  const LoomDataFrameRows *rows = &input->frame->rows;
  g_autoptr (GArray) calls = loom_data_loading_list_calls (input->frame),
                     stretches = g_array_new (FALSE, FALSE, sizeof (LoomPageStretch));
  for (guint i = 0; i < calls->len; i++) {
    guint32 row = g_array_index (calls, LoomLoaderCall, i).row;
    LoomPageStretch stretch = { { rows->start_ns[row], rows->end_ns[row] }, rows->span[row] };
    if (is_get_next (input, row))
      g_array_append_val (stretches, stretch);
  }
  loom_page_add_durations (sheet, _ ("Calls to GetNext by duration"), C_ ("chart", "calls"), DATA_COLOR, stretches);
}

/* --- waits of training loops -------------------------------------------------------------------------------------- */

static double
duration_of (const LoomDataWait *wait)
{
  return (double) (wait->end_ns - wait->begin_ns);
}

static void
set_place (LoomPageContent *sheet, guint element, const LoomDataWait *wait)
{
  loom_page_content_set_place (sheet, element, (LoomRange) { wait->begin_ns, MAX (wait->end_ns, wait->begin_ns + 1) },
                               &wait->span, 1);
}

/* Returns TRUE if another profiler, with another file format, also recorded the waits of the same rank. */
static gboolean
has_twin (const LoomPageInput *input, const LoomDataWaits *waits, const LoomDataRank *rank)
{
  for (guint i = 0; i < waits->n_ranks; i++)
    if (rank->rank >= 0 && waits->ranks[i].rank == rank->rank && !g_str_equal (waits->ranks[i].format, rank->format))
      return TRUE;
  return FALSE;
}

/* If several profilers recorded the same ranks, the page shows only the waits that one of them recorded. Returns the
 * file format of this profiler, which is the one with the most waits. Returns NULL if no rank was recorded twice. */
static const char *
find_main_format (const LoomPageInput *input, const LoomDataWaits *waits)
{
  const char *main_format = NULL;
  guint most = 0;
  for (guint i = 0; i < waits->n_ranks; i++) {
    const char *format = waits->ranks[i].format;
    guint n = 0;
    for (guint k = 0; k < waits->n_ranks; k++)
      n += g_str_equal (waits->ranks[k].format, format) ? waits->ranks[k].n_waits : 0;
    if (has_twin (input, waits, &waits->ranks[i]) && n > most) {
      main_format = format;
      most = n;
    }
  }
  return main_format;
}

/* The waits for data of all ranks, and the page to which they are added. The struct owns `charted`, and borrows all
 * other members. */
typedef struct {
  const LoomPageInput *input;
  LoomPageContent *sheet;
  const LoomDataWaits *waits;
  const char *main_format; /* file format of the profiler whose waits are shown; NULL: no rank was recorded twice */
  GPtrArray *charted;      /* const LoomDataRank *: the ranks that are shown, each rank once */
  /* TRUE: the horizontal axis of charts has step numbers; FALSE: it has the position of each wait among the waits of
   * its rank */
  gboolean by_step;
  /* `exposed_ns`: time in the rank's steps in which the rank waits for data and its devices do nothing; `steps_ns`:
   * total time of these steps. Both are known only if a single rank waits; 0: unknown */
  gint64 exposed_ns, steps_ns;
} Waits;

static char *
dup_rank (const Waits *self, const LoomDataRank *rank)
{
  return loom_page_rank_name (self->input, rank->node, rank->rank, rank->sources);
}

/* Returns TRUE if the numbers of the steps of all waits are known, and ascend on each rank. */
static gboolean
has_step_numbers (const Waits *self)
{
  for (guint i = 0; i < self->charted->len; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    for (guint k = 0; k < rank->n_waits; k++)
      if (rank->waits[k].step_number < 0 || (k > 0 && rank->waits[k].step_number <= rank->waits[k - 1].step_number))
        return FALSE;
  }
  return TRUE;
}

/* Chooses the ranks to be shown, and whether their waits are arranged by step number (by_step). */
static void
choose_charted (Waits *self)
{
  self->main_format = find_main_format (self->input, self->waits);
  self->charted = g_ptr_array_new ();
  for (guint i = 0; i < self->waits->n_ranks; i++) {
    const LoomDataRank *rank = &self->waits->ranks[i];
    if (self->main_format == NULL || g_str_equal (rank->format, self->main_format) ||
        !has_twin (self->input, self->waits, rank))
      g_ptr_array_add (self->charted, (gpointer) rank);
  }
  self->by_step = has_step_numbers (self);
}

/* Returns the time for which a rank waits inside its steps, in percent of the time of these steps; NAN: unknown. If a
 * profiler begins a step only after the wait for its batch, there are no waits inside steps. The percentage is then
 * unknown, not 0. */
static double
get_share (const LoomDataRank *rank)
{
  return rank->in_steps_ns > 0 ? loom_statistics_percent ((double) rank->in_steps_ns, (double) rank->steps_ns) : NAN;
}

/* Returns the sentence at the top of the page if all ranks wait about equally long. `n`: number of ranks, at least 2.
 * `time`: text with the time for which each rank waits. `share`: this time in percent of the time of the rank's steps;
 * NULL: unknown. Owned by the caller. */
static char *
dup_alike_answer (guint n, const char *time, const char *share)
{
  return share != NULL
           ? g_strdup_printf (_ ("%u ranks wait about equally long for data: %s, which is %s of their step time."), n,
                              time, share)
           : g_strdup_printf (_ ("%u ranks wait about equally long for data: %s."), n, time);
}

/* Returns the sentence at the top of the page about one rank. `name`: name of the rank; NULL: the run has only this
 * rank. `time`: text with the time for which the rank waits. `share`: this time in percent of the time of the rank's
 * steps; NULL: unknown. Owned by the caller. */
static char *
dup_wait_answer (const char *name, const char *time, const char *share)
{
  if (name == NULL)
    return share != NULL
             ? g_strdup_printf (_ ("The training loop waits %s for data, which is %s of the time of its steps."), time,
                                share)
             : g_strdup_printf (_ ("The training loop waits %s for data."), time);
  return share != NULL ? g_strdup_printf (
                           _ ("Waits for data are longest on %s: %s in total, which is %s of the time of its steps."),
                           name, time, share)
                       : g_strdup_printf (_ ("Waits for data are longest on %s: %s in total."), name, time);
}

/* Returns the name of `longest`, the rank that waits longest, followed by the names of the ranks that wait nearly as
 * long (NEARLY). NULL if no other rank waits nearly as long, or if there would be more than MAX_LISTED names. Owned by
 * the caller. */
static char *
dup_longest_ranks (const Waits *self, const LoomDataRank *longest)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free),
                        numbers = g_ptr_array_new_with_free_func (g_free);
  gboolean are_plain = TRUE; /* TRUE if the name of each rank is only its number */
  for (guint i = 0; i < self->charted->len; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    if ((double) rank->in_range_ns < NEARLY * (double) longest->in_range_ns)
      continue;
    g_autofree char *plain = loom_rank_label_dup_words (rank->format, rank->rank);
    g_ptr_array_add (names, dup_rank (self, rank));
    g_ptr_array_add (numbers, g_strdup_printf ("%d", rank->rank));
    are_plain &= rank->rank >= 0 && g_str_equal (plain, names->pdata[names->len - 1]);
  }
  if (names->len < 2 || names->len > MAX_LISTED)
    return NULL;
  g_autofree char *all = loom_list_separator_join_all (are_plain ? numbers : names);
  if (!are_plain)
    return g_steal_pointer (&all);
  /* Translators: at least two numbers, such as “2 and 3”; for the sentence “Waits for data are longest on ranks 2 and 3” */
  return g_strdup_printf (C_ ("longest waits", "ranks %s"), all);
}

/* Returns a sentence that states for how long devices do nothing while ranks wait for data; the page "Summary"
 * states the same time. NULL if this time is unknown. Owned by the caller. */
static char *
dup_exposed (const Waits *self)
{
  g_autofree char *exposed = loom_time_format_duration (self->exposed_ns),
                  *share = loom_chart_format (
                    loom_statistics_percent ((double) self->exposed_ns, (double) self->steps_ns), "%");
  if (self->exposed_ns <= 0)
    return NULL;
  /* Translators: a duration, and a percentage; "it" is the time in which the training loop waits for data */
  return g_strdup_printf (_ ("For %s of it, %s of the time of the steps, devices have nothing to do."), exposed, share);
}

/* Returns TRUE if the rank loads its batches in the training process, because its PyTorch DataLoader has no workers.
 * The first wait is then a call of _SingleProcessDataLoaderIter. */
static gboolean
loads_itself (const Waits *self, const LoomDataRank *rank)
{
  LoomSpanId span = rank->waits[0].span;
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (self->input->frame->timeline), span.trace);
  const char *name = loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span.span])->text;
  return strstr (name, "_SingleProcessDataLoaderIter") != NULL;
}

/* Returns a sentence about the rank's longest wait if it is at least half of the time of all its waits, and the number
 * of its step is known; otherwise NULL. Owned by the caller. */
static char *
dup_longest_wait (const LoomDataRank *rank)
{
  const LoomDataWait *longest = &rank->waits[0];
  for (guint i = 1; i < rank->n_waits; i++)
    longest = duration_of (&rank->waits[i]) > duration_of (longest) ? &rank->waits[i] : longest;
  if (rank->n_waits < 2 || longest->step_number < 0 || 2 * duration_of (longest) < (double) rank->in_range_ns)
    return NULL;
  g_autofree char *time = loom_chart_format (duration_of (longest), "ns");
  return g_strdup_printf (/* Translators: a duration */
                          _ ("Most of it is one wait of %s in step %" PRId64 "."), time, longest->step_number);
}

static void
add_wait_answer (const Waits *self)
{
  const LoomDataRank *longest = self->charted->pdata[0], *shortest = longest;
  for (guint i = 1; i < self->charted->len; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    longest = rank->in_range_ns > longest->in_range_ns ? rank : longest;
    shortest = rank->in_range_ns < shortest->in_range_ns ? rank : shortest;
  }
  g_autofree char *name = dup_rank (self, longest), *time = loom_time_format_duration (longest->in_range_ns);
  g_autofree char *share = loom_chart_format (get_share (longest), "%");
  const char *known = isfinite (get_share (longest)) ? share : NULL;
  gboolean alike = loom_statistics_are_alike ((double) shortest->in_range_ns, (double) longest->in_range_ns);
  guint n = self->charted->len;
  g_autofree char *several = !alike ? dup_longest_ranks (self, longest) : NULL;
  g_autofree char *text =
    n > 1 && alike ? dup_alike_answer (n, time, known)
    : several != NULL
      ? g_strdup_printf (/* Translators: names of ranks, and a duration */
                         _ ("Waits for data are longest on %s: up to %s in total; the other ranks wait less."), several,
                         time)
      : dup_wait_answer (n == 1 ? NULL : name, time, known);
  g_autofree char *exposed = n == 1   ? dup_exposed (self)
                             : !alike ? dup_longest_wait (longest)
                                      : NULL,
                  *answer = loom_sentence_join (text, exposed);
  loom_page_content_add_answer (self->sheet, answer);
  if (get_share (longest) >= LEAST_ADVISED && loads_itself (self, longest))
    loom_page_content_add_note (
      self->sheet,
      _ (
        "Batches are loaded in the training process. With num_workers greater than 0, the DataLoader of PyTorch loads them in other processes meanwhile."));
  if (self->main_format == NULL)
    return;
  g_autofree char *note = g_strdup_printf (
    /* Translators: the name of a file format */
    _ (
      "Several profilers recorded the same ranks. Only the waits that %s recorded count here, because it recorded the most."),
    self->main_format);
  loom_page_content_add_note (self->sheet, note);
}

/* Sets the colour scale of the heat map from 0 to the 99th percentile of the waits. If the scale ended at the longest
 * wait, a few outliers could give all other cells nearly the same colour. The scale ends at twice the median at least,
 * so that waits of about equal length do not get the colour of the greatest value. */
static void
set_wait_scale (const Waits *self, LoomChart *chart)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < self->charted->len; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    for (guint k = 0; k < rank->n_waits; k++) {
      double value = duration_of (&rank->waits[k]);
      g_array_append_val (values, value);
    }
  }
  LoomStatistics summary = loom_statistics_summarise ((double *) (gpointer) values->data, values->len);
  loom_chart_set_scale (chart, 0, MAX (MAX (summary.p99, 2 * summary.p50), 1));
}

/* Adds a heat map with a cell for each rank and batch. It is used for runs with too many ranks to distinguish
 * columns. */
static void
add_wait_heat (const Waits *self, guint n_batches)
{
  LoomChart *chart = loom_chart_new_heat (_ ("Waits for the next batch, by rank"), "ns", C_ ("chart", "batch"), "",
                                          n_batches, 0, n_batches);
  g_autofree double *values = g_new (double, n_batches);
  for (guint i = 0; i < self->charted->len; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    g_autofree char *name = dup_rank (self, rank);
    for (guint k = 0; k < n_batches; k++)
      values[k] = k < rank->n_waits ? duration_of (&rank->waits[k]) : NAN;
    loom_chart_add_heat_row (chart, name, values);
  }
  set_wait_scale (self, chart);
  loom_page_content_take_chart (self->sheet, chart, TRUE);
  for (guint i = 0; i < self->charted->len; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    for (guint k = 0; k < rank->n_waits; k++)
      set_place (self->sheet, i * n_batches + k, &rank->waits[k]);
  }
}

/* Returns the number of ranks with a wait in the step of this number. O(waits). */
static guint
count_ranks_in_step (const Waits *self, gint64 number)
{
  guint n = 0;
  for (guint i = 0; i < self->charted->len; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    guint k = 0;
    while (k < rank->n_waits && rank->waits[k].step_number != number)
      k++;
    n += k < rank->n_waits;
  }
  return n;
}

/* Adds a note with those steps, between the first and the last step of the chart, in which at least one rank has no
 * recorded wait. Without the note, a missing column would look like a wait of duration 0. If there are more than
 * MAX_EMPTY such steps, adds nothing, because the user then probably recorded only some steps on purpose. */
static void
add_empty_steps (const Waits *self)
{
  g_autoptr (GPtrArray) empty = g_ptr_array_new_with_free_func (g_free);
  gint64 first = G_MAXINT64, last = -1;
  for (guint i = 0; i < self->charted->len; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    first = MIN (first, rank->waits[0].step_number);
    last = MAX (last, rank->waits[rank->n_waits - 1].step_number);
  }
  for (gint64 number = first; last - first < MAX_LOOKED_AT && number <= last && empty->len <= MAX_EMPTY; number++) {
    guint n = count_ranks_in_step (self, number), n_ranks = self->charted->len;
    if (n == 0)
      g_ptr_array_add (empty, g_strdup_printf ("%" PRId64, number));
    else if (n < n_ranks)
      g_ptr_array_add (empty, g_strdup_printf (/* Translators: the number of a step, and two numbers of ranks */
                                               _ ("%" PRId64 " (on %u of %u ranks)"), number, n_ranks - n, n_ranks));
  }
  if (empty->len == 0 || empty->len > MAX_EMPTY)
    return;
  g_autofree char *all = loom_list_separator_join_all (empty);
  g_autofree char *text =
    g_strdup_printf (/* Translators: numbers of steps, such as “4 and 5” */
                     ngettext ("Step %s has no column, because no wait for data was recorded in it.",
                               "Steps %s have no columns, because no waits for data were recorded in them.",
                               empty->len),
                     all);
  loom_page_content_add_note (self->sheet, text);
}

static void
add_wait_columns (const Waits *self)
{
  LoomChart *chart = loom_chart_new_columns (_ ("Waits for the next batch"),
                                             self->by_step ? C_ ("chart", "step") : C_ ("chart", "batch"), "ns");
  guint element = 0, n = self->charted->len;
  for (guint i = 0; i < n; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    g_autofree char *name = dup_rank (self, rank);
    loom_chart_add_line (chart, name, n > 1 ? i : DATA_COLOR); /* the legend shows the colour of each rank */
    for (guint k = 0; k < rank->n_waits; k++)
      loom_chart_add_point (chart, self->by_step ? (double) rank->waits[k].step_number : k,
                            duration_of (&rank->waits[k]), rank->waits[k].outlier);
  }
  if (n == 1)
    loom_chart_set_median (chart, ((const LoomDataRank *) self->charted->pdata[0])->median_ns, C_ ("chart", "median"));
  loom_chart_set_flagged_label (chart, C_ ("chart", "outlier"));
  loom_page_content_take_chart (self->sheet, chart, TRUE);
  for (guint i = 0; i < n; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    for (guint k = 0; k < rank->n_waits; k++)
      set_place (self->sheet, element++, &rank->waits[k]);
  }
  if (self->by_step)
    add_empty_steps (self);
}

/* Returns TRUE if all waits in the charts take about equally long. The charts would then show only equal columns. */
static gboolean
are_even (const Waits *self)
{
  double least = INFINITY, greatest = 0;
  for (guint i = 0; i < self->charted->len; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    for (guint k = 0; k < rank->n_waits; k++) {
      least = MIN (least, duration_of (&rank->waits[k]));
      greatest = MAX (greatest, duration_of (&rank->waits[k]));
    }
  }
  return greatest - least <= EVEN * greatest;
}

static void
add_even_note (const Waits *self)
{
  const LoomDataRank *first = self->charted->pdata[0];
  g_autofree char *time = loom_time_format_duration ((gint64) first->median_ns);
  g_autofree char *text = g_strdup_printf (_ ("Each wait for a batch takes %s, on every rank."), time);
  loom_page_content_add_note (self->sheet, text);
}

/* Adds a chart of the waits of each rank for its batches, as columns or as a heat map. The calls of SageMaker's
 * DataLoaderIter::GetNext get a separate histogram. */
static void
add_wait_chart (const Waits *self)
{
  guint n_batches = 0;
  if (self->charted->len > 1 && are_even (self)) {
    add_even_note (self);
    return;
  }
  for (guint i = 0; i < self->charted->len; i++)
    n_batches = MAX (n_batches, ((const LoomDataRank *) self->charted->pdata[i])->n_waits);
  if (self->charted->len > MAX_COLUMN_RANKS && self->charted->len <= MAX_HEAT_ROWS && n_batches > 1 &&
      n_batches <= MAX_HEAT_COLUMNS)
    add_wait_heat (self, n_batches);
  else
    add_wait_columns (self);
}

static void
add_wait_histogram (const Waits *self)
{
  g_autoptr (GArray) stretches = g_array_new (FALSE, FALSE, sizeof (LoomPageStretch));
  for (guint i = 0; i < self->charted->len; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    for (guint k = 0; !rank->are_calls && k < rank->n_waits; k++) {
      LoomPageStretch stretch = { { rank->waits[k].begin_ns, rank->waits[k].end_ns }, rank->waits[k].span };
      g_array_append_val (stretches, stretch);
    }
  }
  loom_page_add_durations (self->sheet, _ ("Waits by duration"), C_ ("chart", "waits"), DATA_COLOR, stretches);
}

static const LoomDataWait *
longest_of (const LoomDataRank *rank)
{
  const LoomDataWait *longest = &rank->waits[0];
  for (guint i = 1; i < rank->n_waits; i++)
    if (duration_of (&rank->waits[i]) > duration_of (longest))
      longest = &rank->waits[i];
  return longest;
}

static void
add_wait_ranks (const Waits *self)
{
  LoomResultTable *table = loom_result_table_new (_ ("Waits by rank"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Waits"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Total"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Median"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Longest"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Outliers"), "", _ ("Longer than twice the median"));
  loom_result_table_add_share_column (
    table, C_ ("column", "Share of Step Time"),
    _ ("Time that the rank waits for data, as a share of the time of the steps that contain such waits"));
  for (guint i = 0; i < self->charted->len; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    g_autofree char *name = dup_rank (self, rank);
    loom_result_table_add_row (table, name);
    loom_result_table_set_number (table, 1, rank->n_waits);
    loom_result_table_set_number (table, 2, (double) rank->in_range_ns);
    loom_result_table_set_number (table, 3, rank->n_waits > 1 ? rank->median_ns : NAN);
    loom_result_table_set_number (table, 4, (double) rank->max_ns);
    loom_result_table_set_number (table, 5, rank->n_outliers);
    loom_result_table_set_number (table, 6, get_share (rank));
  }
  loom_page_content_take_table (self->sheet, table);
  for (guint i = 0; i < self->charted->len; i++)
    set_place (self->sheet, i, longest_of (self->charted->pdata[i]));
}

static LoomResultTable *
new_wait_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Waits that took longest"));
  loom_result_table_add_column (table, C_ ("column", "Step"), "",
                                _ ("Step in which the wait begins; if it begins between steps, the next step"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Start"), "time", _ ("Time since the start of the run"));
  guint duration = loom_result_table_add_column (table, C_ ("column", "Duration"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "× Median"), "",
                                _ ("Duration ÷ median duration of the rank; more than 2 is an outlier"));
  loom_result_table_set_order (table, duration, TRUE);
  return table;
}

/* Adds a table of the waits that are outliers. The calls of SageMaker's DataLoaderIter::GetNext get a separate
 * table. */
static void
add_wait_outliers (const Waits *self)
{
  LoomPageContent *sheet = self->sheet;
  const LoomPageInput *input = self->input;
  g_autoptr (GPtrArray) outliers = g_ptr_array_new ();
  LoomResultTable *table = new_wait_table ();
  for (guint i = 0; i < self->charted->len; i++) {
    const LoomDataRank *rank = self->charted->pdata[i];
    g_autofree char *name = dup_rank (self, rank);
    for (guint k = 0; k < rank->n_waits; k++) {
      const LoomDataWait *wait = &rank->waits[k];
      if (!wait->outlier || rank->are_calls)
        continue;
      loom_result_table_add_row (table, NULL);
      loom_result_table_set_number (table, 0, wait->step_number >= 0 ? (double) wait->step_number : NAN);
      loom_result_table_set_text (table, 1, name);
      loom_result_table_set_number (table, 2, (double) (wait->begin_ns - loom_page_get_zero (input)));
      loom_result_table_set_number (table, 3, duration_of (wait));
      loom_result_table_set_number (table, 4, rank->median_ns > 0 ? duration_of (wait) / rank->median_ns : NAN);
      g_ptr_array_add (outliers, (gpointer) wait);
    }
  }
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < outliers->len; i++)
    set_place (sheet, i, outliers->pdata[i]);
}

/* If only one rank waits, sets exposed_ns and steps_ns. Returns FALSE when cancelled. */
static gboolean
measure_exposed (Waits *self, LoomSteps *steps, GCancellable *cancellable)
{
  static const LoomRange whole = { G_MININT64, G_MAXINT64 };
  g_autoptr (LoomCollectives) all = loom_frame_collectives_get (self->input->frame, whole, cancellable);
  g_autoptr (LoomStepBreakdown) breakdown =
    all != NULL ? loom_step_breakdown_new (self->input->frame->timeline, steps, all, self->input->range, cancellable)
                : NULL;
  if (breakdown == NULL)
    return FALSE;
  const LoomDataRank *rank = &self->waits->ranks[0];
  if (loom_step_parts_are_known (breakdown))
    loom_step_parts_sum_rank (breakdown, rank->node, rank->rank, rank->is_process, &self->exposed_ns, &self->steps_ns);
  return TRUE;
}

/* Adds everything about waits for data to the page. Returns the number of ranks that wait; −1 when cancelled. */
static int
add_waits (LoomPageContent *sheet, const LoomPageInput *input, GCancellable *cancellable)
{
  LoomTimeline *timeline = input->frame->timeline;
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, cancellable);
  g_autoptr (LoomDataWaits) waits =
    steps != NULL ? loom_data_waits_new (timeline, steps, input->range, cancellable) : NULL;
  if (waits == NULL)
    return -1;
  Waits self = { .input = input, .sheet = sheet, .waits = waits };
  if (waits->n_ranks == 0)
    return 0;
  if (waits->n_ranks == 1 && !measure_exposed (&self, steps, cancellable))
    return -1;
  choose_charted (&self);
  add_wait_answer (&self);
  add_wait_chart (&self);
  add_wait_histogram (&self);
  add_wait_ranks (&self);
  add_wait_outliers (&self);
  g_ptr_array_unref (self.charted);
  return (int) waits->n_ranks;
}

/* --- making the whole page ---------------------------------------------------------------------------------------- */

static void
add_no_loader (LoomPageContent *sheet, const LoomPageInput *input)
{
  loom_page_content_add_missing (sheet, _ ("No spans of a data loader were found."));
  loom_page_add_advice (sheet, input, LOOM_LACKS_LOADING);
}

static void
set_sources (LoomPageContent *sheet, const LoomPageInput *input, gboolean loader, gboolean waits)
{
  if (loader && waits)
    loom_page_content_set_sources (
      sheet, _ ("computed from spans of PyTorch’s data loader, and from spans of training loops that wait for data"));
  else if (loader)
    loom_page_content_set_sources (sheet, _ ("computed from spans of PyTorch’s data loader"));
  else if (waits)
    loom_page_content_set_sources (sheet, _ ("computed from spans of training loops that wait for data"));
  else
    add_no_loader (sheet, input);
}

LoomPageContent *
loom_page_loading (const LoomPageInput *input, GCancellable *cancellable)
{
  LoomPageContent *sheet = loom_page_content_new (input->range);
  LoomDataLoading loading;
  loom_data_loading_init (&loading, input->frame);
  loom_page_count_part (input, cancellable);
  gboolean any = loading.n_initializations + loading.workers.n + loading.get_next.n > 0;
  int n_waiting = add_waits (sheet, input, cancellable);
  loom_page_count_part (input, cancellable);
  if (any && n_waiting >= 0) {
    add_facts (sheet, input, &loading);
    /* if ranks wait, add_waits() has already added a histogram that shows the durations of the GetNext calls */
    if (n_waiting == 0)
      add_get_next (sheet, input);
    add_summary (sheet, input, &loading);
    add_outliers (sheet, input, _ ("Batches that took longest"), &loading.batches);
    add_outliers (sheet, input, _ ("Calls to GetNext that took longest"), &loading.get_next);
    add_outliers (sheet, input, _ ("Workers that took longest"), &loading.workers);
  }
  loom_page_count_part (input, cancellable);
  set_sources (sheet, input, any, n_waiting > 0);
  loom_data_loading_clear (&loading);
  if (n_waiting < 0)
    g_clear_pointer (&sheet, loom_page_content_unref);
  return sheet;
}
