/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds the heat map and the tables of the page "Stragglers" that show how much time slow ranks, pipeline stages,
 * operations and steps cost.
 */
#include "loom-page-private.h"

#include <glib/gi18n.h>
#include <math.h>

/* maximum number of ranks in the heat map; if there are more ranks, it shows those that lose most time */
#define MAX_HEAT_ROWS 1024
#define MAX_HEAT_COLUMNS 500 /* maximum number of steps that the heat map shows, one in each column */
/* minimum upper end of the colour scale, in percent of the typical time; smaller differences between ranks are noise,
 * and must not have the colours of great values */
#define LEAST_SCALE 5
#define HIGH_SHARE 0.99 /* share of the cells whose values are below the upper end of the colour scale */

typedef struct {
  const LoomPageInput *input;
  LoomPageContent *sheet;
  const LoomSlowdown *slowdown;
  /* the workers (ranks), sorted by the time per step that would be saved if the worker were as fast as the others,
   * longest time first */
  const LoomSlowdownWorker **order;
} Page;

static const LoomSlowdownStep *
get_step (const Page *self, guint step)
{
  return &g_array_index (self->slowdown->steps, LoomSlowdownStep, step);
}

static guint
get_number (const Page *self, const LoomSlowdownWorker *worker)
{
  return (guint) (worker - &g_array_index (self->slowdown->workers, LoomSlowdownWorker, 0));
}

char *
loom_page_dup_slowdown_worker (const LoomPageInput *input, const LoomSlowdown *slowdown,
                               const LoomSlowdownWorker *worker)
{
  gsize number = (gsize) (worker - &g_array_index (slowdown->workers, LoomSlowdownWorker, 0));
  LoomSpanId span = slowdown->spans[number * slowdown->steps->len];
  if (worker->rank >= 0 && !loom_timeline_span_id_is_none (span)) {
    guint source = loom_run_get_first_source (loom_timeline_get_run (input->frame->timeline), span.trace);
    return loom_page_rank_name (input, NULL, worker->rank, &source);
  }
  if (worker->rank >= 0)
    return g_strdup_printf (_ ("rank %d"), worker->rank);
  return g_strdup_printf (_ ("data-parallel rank %d, stage %d"), worker->row, worker->stage);
}

static int
compare_workers (gconstpointer a, gconstpointer b)
{
  const LoomSlowdownWorker *x = *(const LoomSlowdownWorker *const *) a, *y = *(const LoomSlowdownWorker *const *) b;
  if (x->saved_ns != y->saved_ns)
    return x->saved_ns > y->saved_ns ? -1 : 1;
  if (x->excess_ns != y->excess_ns)
    return x->excess_ns > y->excess_ns ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* --- heat map of the time for which ranks compute ----------------------------------------------------------------- */

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

/* Returns by how much the computing time of a worker in a step exceeds the typical time, in percent of the typical
 * time, rounded to a tenth. */
static double
get_extra (const Page *self, const LoomSlowdownWorker *worker, guint step)
{
  double cell = self->slowdown->cells[(gsize) get_number (self, worker) * self->slowdown->steps->len + step];
  return round (1000 * (cell - 1)) / 10 + 0.0; /* adding 0.0 turns −0.0 into 0.0, which has no minus sign */
}

static double
find_high (const double *values, gsize n)
{
  g_autofree double *sorted = g_new (double, n + 1);
  gsize n_known = 0;
  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]))
      sorted[n_known++] = values[i];
  qsort (sorted, n_known, sizeof *sorted, compare_doubles);
  return n_known > 0 ? MAX (sorted[MIN ((gsize) ((double) n_known * HIGH_SHARE), n_known - 1)], LEAST_SCALE)
                     : LEAST_SCALE;
}

static void
set_place (const Page *self, guint element, const LoomSlowdownWorker *worker, guint step)
{
  LoomSpanId span = self->slowdown->spans[(gsize) get_number (self, worker) * self->slowdown->steps->len + step];
  loom_page_content_set_place (self->sheet, element, get_step (self, step)->range, &span,
                               loom_timeline_span_id_is_none (span) ? 0 : 1);
}

/* Returns TRUE if the numbers of the steps are consecutive, so that they can label the axis of the heat map. */
static gboolean
is_consecutive (const Page *self)
{
  for (guint i = 1; i < self->slowdown->steps->len; i++)
    if (get_step (self, i)->number != get_step (self, i - 1)->number + 1)
      return FALSE;
  return TRUE;
}

/* Returns TRUE if a rank exceeds the typical time by more than LEAST_SCALE in at least one step; otherwise, all cells
 * of the heat map would have about the same colour. Also examines ranks and steps that do not fit the heat map. */
static gboolean
is_any_slow (const Page *self)
{
  for (guint i = 0; i < self->slowdown->workers->len; i++)
    for (guint k = 0; k < self->slowdown->steps->len; k++)
      if (get_extra (self, self->order[i], k) > LEAST_SCALE)
        return TRUE;
  return FALSE;
}

/* Adds a heat map with a cell for each rank and step; activating a cell shows the step of the rank on the timeline. If
 * no rank is slow in any step, adds a sentence instead. */
static void
add_heat (const Page *self)
{
  guint n_rows = MIN (self->slowdown->workers->len, MAX_HEAT_ROWS),
        n_columns = MIN (self->slowdown->steps->len, MAX_HEAT_COLUMNS);
  g_autofree double *values = g_new (double, (gsize) n_rows *n_columns);
  for (guint i = 0; i < n_rows * n_columns; i++)
    values[i] = get_extra (self, self->order[i / n_columns], i % n_columns);
  if (!is_any_slow (self)) {
    loom_page_content_add_note (
      self->sheet, /* xgettext:no-c-format */ _ (
        "In every step, each rank computes about as long as is typical: at most 5 % longer."));
    return;
  }
  double first = is_consecutive (self) ? (double) get_step (self, 0)->number : 0;
  LoomChart *chart = loom_chart_new_heat (_ ("Computation time beyond what is typical, by rank and step"), "%",
                                          C_ ("chart", "step"), "", n_columns, first, first + n_columns);
  loom_chart_set_scale (chart, 0, find_high (values, (gsize) n_rows * n_columns));
  for (guint i = 0; i < n_rows; i++) {
    g_autofree char *name = loom_page_dup_slowdown_worker (self->input, self->slowdown, self->order[i]);
    loom_chart_add_heat_row (chart, name, values + (gsize) i * n_columns);
  }
  loom_page_content_take_chart (self->sheet, chart, TRUE);
  for (guint i = 0; i < n_rows * n_columns; i++)
    set_place (self, i, self->order[i / n_columns], i % n_columns);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

/* Returns the step in which the worker's computing time exceeds the typical time most. */
static guint
find_slowest_step (const Page *self, const LoomSlowdownWorker *worker)
{
  guint slowest = 0;
  for (guint i = 1; i < self->slowdown->steps->len; i++)
    if (get_extra (self, worker, i) > get_extra (self, worker, slowest))
      slowest = i;
  return slowest;
}

static void
add_workers (const Page *self)
{
  LoomResultTable *table = loom_result_table_new (_ ("What fixing a rank would save"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Stage"), "", _ ("Stage of the pipeline, counted from 0"));
  guint saved = loom_result_table_add_column (
    table, C_ ("column", "Saved per Step"), "ns",
    _ ("How much shorter a step would be if the computation of this rank took the time that is typical of its stage"));
  loom_result_table_add_column (table, C_ ("column", "Share of Step"), "%", NULL);
  loom_result_table_add_column (table, C_ ("column", "Extra Time per Step"), "ns",
                                _ ("Computation time beyond what is typical"));
  loom_result_table_add_column (
    table, C_ ("column", "Slowdown"), "",
    _ ("Step time if only this rank differed from the mean, divided by the ideal step time"));
  loom_result_table_set_order (table, saved, TRUE);
  for (guint i = 0; i < self->slowdown->workers->len; i++) {
    const LoomSlowdownWorker *worker = self->order[i];
    gboolean known = worker->saved_ns != G_MININT64;
    g_autofree char *name = loom_page_dup_slowdown_worker (self->input, self->slowdown, worker);
    const double figures[] = { worker->stage >= 0 ? worker->stage : NAN,
                               known ? (double) MAX (worker->saved_ns, 0) : NAN,
                               known ? 100 * loom_slowdown_get_saving (self->slowdown, worker) : NAN,
                               (double) worker->excess_ns, worker->slowdown };
    loom_result_table_add_row (table, name);
    loom_result_table_set_numbers (table, 1, figures, G_N_ELEMENTS (figures));
  }
  loom_page_content_take_table (self->sheet, table);
  for (guint i = 0; i < self->slowdown->workers->len; i++)
    set_place (self, i, self->order[i], find_slowest_step (self, self->order[i]));
}

static void
add_part (LoomResultTable *table, const char *name, double slowdown)
{
  loom_result_table_add_row (table, name);
  loom_result_table_set_number (table, 1, slowdown);
}

static void
add_numbered (LoomResultTable *table, const GArray *parts, gboolean are_stages)
{
  for (guint i = 0; i < parts->len; i++) {
    const LoomSlowdownPart *part = &g_array_index (parts, LoomSlowdownPart, i);
    g_autofree char *name = are_stages ? g_strdup_printf (_ ("stage %d"), part->number)
                                       : g_strdup_printf (_ ("data-parallel rank %d"), part->number);
    add_part (table, name, part->slowdown);
  }
}

static void
add_parts (const Page *self)
{
  LoomResultTable *table = loom_result_table_new (_ ("Slowdown by part of the job"));
  loom_result_table_add_column (table, C_ ("column", "Part"), NULL, NULL);
  guint slowdown = loom_result_table_add_column (
    table, C_ ("column", "Slowdown"), "",
    _ ("Step time if only this part took as long as measured, divided by the ideal step time"));
  loom_result_table_set_order (table, slowdown, TRUE);
  add_numbered (table, self->slowdown->stages, TRUE);
  add_numbered (table, self->slowdown->rows, FALSE);
  for (guint i = 0; i < self->slowdown->kinds->len; i++) {
    const LoomSlowdownPart *part = &g_array_index (self->slowdown->kinds, LoomSlowdownPart, i);
    add_part (table, part->name, part->slowdown);
  }
  guint n = self->slowdown->stages->len + self->slowdown->rows->len + self->slowdown->kinds->len;
  loom_page_content_take_table_if_any (self->sheet, table);
  if (n > 0)
    loom_page_content_set_places (self->sheet, n, self->input->range);
}

static void
add_steps (const Page *self)
{
  LoomResultTable *table = loom_result_table_new (_ ("Slowdown by step, compared with the mean of all ranks"));
  loom_result_table_add_column (table, C_ ("column", "Step"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "First Start to Last End"), "ns",
                                _ ("From the first start on any rank to the last end on any rank"));
  loom_result_table_add_column (
    table, C_ ("column", "Ideal Step Time"), "ns",
    _ ("Step time if every operation took the mean time of all ranks, including slow ones"));
  loom_result_table_add_column (table, C_ ("column", "Slowdown"), "", NULL);
  for (guint i = 0; i < self->slowdown->steps->len; i++) {
    const LoomSlowdownStep *step = get_step (self, i);
    g_autofree char *name = g_strdup_printf ("%" G_GINT64_FORMAT, step->number);
    const double figures[] = { (double) step->measured_ns, (double) step->ideal_ns, step->slowdown };
    loom_result_table_add_row (table, name);
    loom_result_table_set_numbers (table, 1, figures, G_N_ELEMENTS (figures));
  }
  loom_page_content_take_table (self->sheet, table);
  for (guint i = 0; i < self->slowdown->steps->len; i++)
    loom_page_content_set_place (self->sheet, i, get_step (self, i)->range, NULL, 0);
}

/* Adds a note that explains how the following tables measure the cost of slow ranks. */
static void
add_measure (const Page *self)
{
  const LoomSlowdown *slowdown = self->slowdown;
  g_autofree char *replayed = loom_time_format_duration (slowdown->replayed_ns),
                  *ideal = loom_time_format_duration (slowdown->ideal_ns);
  g_autofree char *text = g_strdup_printf (
    /* Translators: two durations and a number */
    _ (
      "The next tables compare each operation with its mean over all ranks, slow ranks included. From its first start "
      "on any rank to its last end on any rank, a step takes %s; it would take %s if every operation took this mean. The "
      "first divided by the second is the slowdown of the job: S = %.3f. Such steps overlap if ranks start at different "
      "times."),
    replayed, ideal, slowdown->slowdown);
  loom_page_content_add_note (self->sheet, text);
}

static void
begin (Page *self)
{
  guint n = self->slowdown->workers->len;
  self->order = g_new (const LoomSlowdownWorker *, n + 1);
  for (guint i = 0; i < n; i++)
    self->order[i] = &g_array_index (self->slowdown->workers, LoomSlowdownWorker, i);
  qsort (self->order, n, sizeof *self->order, compare_workers);
}

void
loom_page_add_slowdown_heat (LoomPageContent *sheet, const LoomPageInput *input, const LoomSlowdown *slowdown)
{
  Page self = { .input = input, .sheet = sheet, .slowdown = slowdown };
  begin (&self);
  add_heat (&self);
  g_free (self.order);
}

void
loom_page_add_slowdown_tables (LoomPageContent *sheet, const LoomPageInput *input, const LoomSlowdown *slowdown)
{
  Page self = { .input = input, .sheet = sheet, .slowdown = slowdown };
  /* If a slow link is the cause, these tables are omitted. They state how much longer single steps are, but steps
   * overlap while they wait for slow transfers, so the tables would contradict the time that the page states for the
   * link. */
  gboolean is_link = slowdown->stragglers->len == 0 && loom_page_has_unequal_transfers (slowdown);
  if (!loom_slowdown_fits (slowdown) || is_link)
    return;
  begin (&self);
  if (slowdown->stragglers->len > 0)
    add_workers (&self);
  add_measure (&self);
  add_parts (&self);
  add_steps (&self);
  g_free (self.order);
}
