/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Parallelism". It shows how the job is split over its ranks, along axes such as tensor, context, data,
 * expert and pipeline parallelism (loom-parallel-axes.h). It also shows how long the stages of its pipelines are idle
 * (bubbles), and how unequally the experts of a mixture-of-experts model are loaded.
 */
#include "loom-page-private.h"

#include "loom-expert-load.h"
#include "loom-frame-collectives.h"
#include "loom-parallel-charts.h"
#include "loom-parallel-map.h"
#include "loom-pipeline-bubbles.h"
#include "loom-sentence.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* maximum number of pipelines for which the cells of the heat map contain names; with more pipelines, the cells are too
 * small */
#define MAX_NAMED_PIPELINES 16
#define MAX_ROWS 512 /* maximum number of rows in each table of the page */
/* the colour scale of the heat map ends at the greatest share of idle time, but at least at this percentage */
#define LEAST_SCALE 50
/* Two ranks count as equally idle if their shares of idle time differ by less than this number of percentage
 * points. */
#define ALIKE 1
/* The page names the stage that holds up the others only if the stages' shares of idle time differ by at least this
 * number of percentage points. A smaller difference can come from one slow rank. */
#define LEAST_UNEVEN 5
/* The page begins with the bubbles if a stage has at least this share of them, in percent of the pipeline's time. */
#define LEAST_LEADING 30

typedef struct {
  const LoomPageInput *input;
  LoomPageContent *sheet;
  const LoomParallelAxes *axes;
  const LoomBubbles *bubbles;
  const LoomExpertLoad *experts;
  LoomParallelCharts charts;
} Page;

/* The axes in the order in which the page names them, from the innermost to the outermost axis. */
static const LoomParallelAxis order[] = { LOOM_PARALLEL_AXIS_TENSOR, LOOM_PARALLEL_AXIS_CONTEXT,
                                          LOOM_PARALLEL_AXIS_DATA, LOOM_PARALLEL_AXIS_EXPERT,
                                          LOOM_PARALLEL_AXIS_PIPELINE };

static guint
get_size (const Page *self, LoomParallelAxis axis)
{
  return MAX (self->axes->sizes[axis].size, 1);
}

static const LoomParallelGroup *
get_group (const Page *self, guint i)
{
  return &g_array_index (self->axes->groups, LoomParallelGroup, i);
}

static gint
get_rank (const Page *self, const LoomParallelGroup *group, guint i)
{
  return g_array_index (self->axes->ranks, gint, group->first_rank + i);
}

static void
set_rank (const Page *self, guint element, gint rank)
{
  loom_page_content_set_place (self->sheet, element, self->input->range, NULL, 0);
  loom_page_content_set_rank (self->sheet, element, rank, G_MAXUINT32);
}

/* --- stages ------------------------------------------------------------------------------------------------------- */

typedef struct {
  gint64 bubble_ns, warm_up_ns, cool_down_ns, window_ns;
  guint n; /* number of ranges of steps (LoomBubble) whose times are summed in this struct */
} Stage;

static void
add_to_stage (Stage *stage, const LoomBubble *bubble, const LoomBubbleStage *own)
{
  stage->bubble_ns = loom_time_add (stage->bubble_ns, own->bubble_ns);
  stage->warm_up_ns = loom_time_add (stage->warm_up_ns, own->warm_up_ns);
  stage->cool_down_ns = loom_time_add (stage->cool_down_ns, own->cool_down_ns);
  stage->window_ns = loom_time_add (stage->window_ns, bubble->window.end_ns - bubble->window.begin_ns);
  stage->n++;
}

/* Returns the sums of the times of each stage over all pipelines and steps (array of Stage). Owned by the caller. */
static GArray *
sum_stages (const Page *self)
{
  GArray *stages = g_array_new (FALSE, TRUE, sizeof (Stage));
  for (guint i = 0; i < self->bubbles->all->len; i++) {
    const LoomBubble *bubble = &g_array_index (self->bubbles->all, LoomBubble, i);
    guint n = get_group (self, bubble->group)->n_ranks;
    if (stages->len < n)
      g_array_set_size (stages, n);
    for (guint k = 0; k < n; k++)
      add_to_stage (&g_array_index (stages, Stage, k), bubble,
                    &g_array_index (self->bubbles->stages, LoomBubbleStage, bubble->first_stage + k));
  }
  return stages;
}

static double
get_share (const Stage *stage)
{
  return stage->window_ns > 0 ? 100 * (double) stage->bubble_ns / (double) stage->window_ns : NAN;
}

/* Returns the index of the stage with the smallest share of idle time; the other stages wait for this stage. Sets
 * `high` to the largest share of idle time of all stages. */
static guint
find_least (GArray *stages, double *high)
{
  guint least = 0;
  *high = -INFINITY;
  for (guint i = 0; i < stages->len; i++) {
    double share = get_share (&g_array_index (stages, Stage, i));
    *high = fmax (*high, share);
    if (share < get_share (&g_array_index (stages, Stage, least)))
      least = i;
  }
  return least;
}

/* --- sentence at the top of the page ------------------------------------------------------------------------------ */

/* Returns the number of ranks on each axis as text: "tensor 2 × data 4 × pipeline 2"; NULL if no axis has more than one
 * rank. The expert axis is omitted, because its groups divide the ranks of the data axis. Owned by the caller. */
static char *
dup_split (const Page *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (order[i] != LOOM_PARALLEL_AXIS_EXPERT && get_size (self, order[i]) > 1)
      g_string_append_printf (text, "%s%s %u", text->len > 0 ? " × " : "", loom_page_get_axis_name (order[i]),
                              get_size (self, order[i]));
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

/* Returns TRUE if every group contains all ranks of the job. The collectives then do not show along which axes the job
 * is split. */
static gboolean
is_one_group (const Page *self)
{
  for (guint i = 0; i < self->axes->groups->len; i++)
    if (get_group (self, i)->axis != LOOM_PARALLEL_AXIS_WORLD)
      return FALSE;
  return TRUE;
}

static char *
dup_split_sentence (const Page *self)
{
  g_autofree char *split = dup_split (self);
  guint expert = self->axes->sizes[LOOM_PARALLEL_AXIS_EXPERT].size;
  if (!self->axes->is_grid)
    return g_strdup (_ ("The groups of ranks do not form a grid, so ranks cannot be placed on common axes."));
  if (split == NULL && is_one_group (self))
    return g_strdup_printf (
      ngettext (
        "The %u rank works as one group, as in plain data parallelism; no recorded collective shows another axis.",
        "The %u ranks work as one group, as in plain data parallelism; no recorded collective shows another axis.",
        self->axes->all->len),
      self->axes->all->len);
  if (split == NULL)
    return g_strdup (_ ("No recorded collective shows how the job is split across ranks."));
  if (expert > 1)
    /* Translators: "tensor 2 × data 4"; the number is the ranks in each group of experts */
    return g_strdup_printf (_ ("The job is split into %s; each group of experts has %u ranks."), split, expert);
  if (strstr (split, "×") == NULL)
    return g_strdup_printf (/* Translators: "data 8" */ _ ("The job has one parallel axis: %s."), split);
  return g_strdup_printf (/* Translators: "tensor 2 × data 4 × pipeline 2" */ _ ("The job is split into %s."), split);
}

static char *
dup_bubble_sentence (GArray *stages)
{
  double most;
  if (stages->len == 0)
    return NULL;
  guint least = find_least (stages, &most);
  double share = get_share (&g_array_index (stages, Stage, least));
  g_autofree char *low = loom_chart_format (share, "%"), *high = loom_chart_format (most, "%");
  if (g_str_equal (low, high))
    return g_strdup_printf (_ ("In every stage, bubbles take about %s of the pipeline’s time per step."), high);
  if (most - share < LEAST_UNEVEN)
    return g_strdup_printf (_ ("Bubbles take %s to %s of the pipeline’s time per step, depending on the stage."), low,
                            high);
  return g_strdup_printf (
    _ (
      "Bubbles take %s to %s of the pipeline’s time per step; they are shortest in stage %u, so the others wait for it."),
    low, high, least);
}

/* Returns the idle time of a stage of a pipeline, in percent of the stage's time in all examined ranges of steps.
 * `group`: number of the group of ranks that forms the pipeline. */
static double
get_rank_share (const Page *self, guint group, guint stage)
{
  Stage sum = { 0 };
  for (guint i = 0; i < self->bubbles->all->len; i++) {
    const LoomBubble *bubble = &g_array_index (self->bubbles->all, LoomBubble, i);
    if (bubble->group == group)
      add_to_stage (&sum, bubble, &g_array_index (self->bubbles->stages, LoomBubbleStage, bubble->first_stage + stage));
  }
  return get_share (&sum);
}

/* For a job with several pipelines, returns a sentence about the rank for which the other ranks wait: its share of idle
 * time is much smaller than that of every other rank. NULL if there is no such rank. Owned by the caller. */
static char *
dup_busy_rank_sentence (const Page *self)
{
  double least = INFINITY, next = INFINITY; /* smallest and second smallest share of idle time of all ranks */
  guint n_pipelines = 0;
  gint rank = -1;
  for (guint i = 0; i < self->axes->groups->len; i++) {
    const LoomParallelGroup *group = get_group (self, i);
    n_pipelines += group->axis == LOOM_PARALLEL_AXIS_PIPELINE;
    for (guint k = 0; group->axis == LOOM_PARALLEL_AXIS_PIPELINE && k < group->n_ranks; k++) {
      double share = get_rank_share (self, i, k);
      if (!(share < next))
        continue;
      next = fmin (next, fmax (share, least));
      rank = share < least ? get_rank (self, group, k) : rank;
      least = fmin (least, share);
    }
  }
  g_autofree char *low = loom_chart_format (least, "%"), *other = loom_chart_format (next, "%");
  if (n_pipelines < 2 || !(next - least >= LEAST_UNEVEN) || !isfinite (next))
    return NULL;
  return g_strdup_printf (
    _ ("Bubbles take only %s on rank %d, and at least %s on all other ranks: the other ranks wait for this rank."), low,
    rank, other);
}

static char *
dup_schedule_sentence (const Page *self)
{
  if (!isfinite (self->bubbles->ideal))
    return NULL;
  g_autofree char *ideal = loom_chart_format (100 * self->bubbles->ideal, "%");
  return g_strdup_printf (_ ("The schedule of the pipeline alone causes %s."), ideal);
}

static char *
dup_expert_sentence (const Page *self)
{
  if (!isfinite (self->experts->imbalance))
    return NULL;
  g_autofree char *cost = loom_time_format_duration (self->experts->cost_ns);
  return g_strdup_printf (
    _ ("The busiest expert of a layer works %.2f times as long as the mean, and each rank waits %s for it on average."),
    self->experts->imbalance, cost);
}

/* Returns TRUE if the page begins with the bubbles of the pipeline stages. This is the case if the bubbles are long, and
 * neither a slow rank nor a slow link is their cause. */
static gboolean
leads_with_bubbles (GArray *stages, const char *rank, const char *links)
{
  double most = 0;
  if (stages->len > 0)
    find_least (stages, &most);
  return most >= LEAST_LEADING && rank == NULL && links == NULL;
}

static void
add_answer (const Page *self, GArray *stages)
{
  g_autofree char *split = dup_split_sentence (self), *bubble = dup_bubble_sentence (stages),
                  *schedule = dup_schedule_sentence (self), *rank = dup_busy_rank_sentence (self),
                  *expert = dup_expert_sentence (self), *cost = loom_parallel_charts_dup_cost (&self->charts);
  g_autofree char *links = loom_page_dup_unequal_transfers (self->charts.slowdown, self->charts.collectives);
  g_autofree char *spread = cost != NULL ? loom_parallel_charts_dup_spread (&self->charts) : NULL;
  gboolean leads = leads_with_bubbles (stages, rank, links);
  g_autofree char *answer = leads ? loom_sentence_join (bubble, schedule) : loom_sentence_join (split, cost);
  const char *const details[] = { leads ? split : NULL,
                                  leads ? cost : NULL,
                                  spread,
                                  leads ? NULL : bubble,
                                  leads ? NULL : schedule,
                                  rank,
                                  links,
                                  expert };
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (details); i++)
    if (details[i] != NULL)
      loom_sentence_append (text, details[i]);
  loom_page_content_add_answer (self->sheet, answer);
  if (text->len > 0)
    loom_page_content_add_note (self->sheet, text->str);
}

/* Adds a note directly below the sentences about bubbles, because the page “Idle Time” counts less time. */
static void
add_definition (const Page *self)
{
  if (self->bubbles->all->len > 0)
    loom_page_content_add_note (
      self->sheet,
      _ (
        "Bubbles are the time in which a stage neither computes nor transfers data between its own ranks, including the time in which its kernels wait for another stage. The pipeline’s time in a step lasts from the first to the last kernel of its stages. “Idle Time” counts only time without any kernel."));
}

static void
add_notes (const Page *self)
{
  gboolean guessed = FALSE;
  for (guint i = 0; i < self->axes->groups->len; i++)
    guessed |= !get_group (self, i)->stated && get_group (self, i)->axis != LOOM_PARALLEL_AXIS_PIPELINE;
  if (guessed)
    loom_page_content_add_note (
      self->sheet,
      _ (
        "Some process groups do not state their axis; the axis of these groups was guessed from the work of their ranks. To state the axis, name the groups: new_group(group_desc=…), or the dimensions of a DeviceMesh."));
  if (self->axes->sizes[LOOM_PARALLEL_AXIS_PIPELINE].n_groups > 0 && self->bubbles->all->len == 0)
    loom_page_content_add_note (
      self->sheet,
      _ (
        "The bubbles of the stages are unknown: they are computed from the steps and kernels of all stages of a pipeline, recorded with ProfilerActivity.CPU and ProfilerActivity.CUDA."));
  if (self->axes->sizes[LOOM_PARALLEL_AXIS_EXPERT].n_groups > 0 && !isfinite (self->experts->imbalance))
    loom_page_content_add_note (
      self->sheet,
      _ (
        "The imbalance of the experts is unknown: no computation lies between two all-to-all collectives of a group."));
}

/* Adds a map of the ranks if the axes form a grid. If all ranks are in one group, the map has one row. */
static void
add_map (const Page *self)
{
  g_autofree char *split = self->axes->is_grid ? dup_split (self) : NULL;
  if (split != NULL)
    loom_parallel_map_add (&self->charts, self->sheet, self->axes);
  else if (self->axes->is_grid && is_one_group (self))
    loom_parallel_map_add_world (&self->charts, self->sheet, self->axes);
}

/* --- bubbles ------------------------------------------------------------------------------------------------------ */

static void
add_stages (const Page *self, GArray *stages)
{
  LoomResultTable *table = loom_result_table_new (_ ("Stages of the pipelines, all steps"));
  loom_result_table_add_column (table, C_ ("column", "Stage"), NULL, NULL);
  loom_result_table_add_share_column (
    table, C_ ("column", "Bubbles"),
    _ (
      "Time in which this stage neither computes nor transfers data between its own ranks, as a share of the time from the first to the last kernel of any stage in the step"));
  loom_result_table_add_column (table, C_ ("column", "Bubbles per Step"), "ns", _ ("Mean of all steps and pipelines"));
  loom_result_table_add_column (table, C_ ("column", "Warm-up"), "ns",
                                _ ("Bubbles before the stage’s first backward kernel"));
  loom_result_table_add_column (table, C_ ("column", "Steady Phase"), "ns",
                                _ ("Bubbles between warm-up and cool-down"));
  loom_result_table_add_column (table, C_ ("column", "Cool-down"), "ns",
                                _ ("Bubbles after the stage’s last forward kernel"));
  for (guint i = 0; i < stages->len; i++) {
    const Stage *stage = &g_array_index (stages, Stage, i);
    double n = MAX (stage->n, 1);
    g_autofree char *name = g_strdup_printf ("%u", i);
    const double figures[] = { get_share (stage), (double) stage->bubble_ns / n, (double) stage->warm_up_ns / n,
                               (double) (stage->bubble_ns - stage->warm_up_ns - stage->cool_down_ns) / n,
                               (double) stage->cool_down_ns / n };
    loom_result_table_add_row (table, name);
    loom_result_table_set_numbers (table, 1, figures, G_N_ELEMENTS (figures));
  }
  loom_page_content_take_table_if_any (self->sheet, table);
}

/* Sets the targets of the chart elements that represent stages. Examines all pipelines with `n` stages and all their
 * ranges of steps, and chooses the pipeline and the range with the greatest share of idle time. The target of a stage
 * is this range, on the rows of the rank that computes the stage in this pipeline. */
static void
set_stage_places (const Page *self, guint n)
{
  const LoomBubble *longest = NULL;
  for (guint i = 0; i < self->bubbles->all->len; i++) {
    const LoomBubble *bubble = &g_array_index (self->bubbles->all, LoomBubble, i);
    if (get_group (self, bubble->group)->n_ranks == n && (longest == NULL || bubble->fraction > longest->fraction))
      longest = bubble;
  }
  for (guint i = 0; longest != NULL && i < n; i++) {
    loom_page_content_set_place (self->sheet, i, longest->window, NULL, 0);
    loom_page_content_set_rank (self->sheet, i, get_rank (self, get_group (self, longest->group), i), G_MAXUINT32);
  }
}

/* Returns the numbers (guint) of the groups of ranks that are pipelines and have as many stages as the first pipeline.
 * Owned by the caller. */
static GArray *
list_pipelines (const Page *self)
{
  GArray *pipelines = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n_stages = 0;
  for (guint i = 0; i < self->axes->groups->len; i++) {
    const LoomParallelGroup *group = get_group (self, i);
    if (group->axis != LOOM_PARALLEL_AXIS_PIPELINE)
      continue;
    n_stages = n_stages > 0 ? n_stages : group->n_ranks;
    if (group->n_ranks == n_stages)
      g_array_append_val (pipelines, i);
  }
  return pipelines;
}

/* Returns the texts of the cells in a row of the heat map of stages: "rank 4 · 12 %". Owned by the caller. */
static char **
dup_stage_texts (const Page *self, const GArray *pipelines, guint stage, const double *shares)
{
  char **texts = g_new0 (char *, pipelines->len + 1);
  for (guint i = 0; i < pipelines->len; i++) {
    g_autofree char *share = loom_chart_format (shares[i], "%"),
                    *rank = g_strdup_printf (
                      _ ("rank %d"), get_rank (self, get_group (self, g_array_index (pipelines, guint, i)), stage));
    texts[i] = g_strdup_printf ("%s · %s", rank, share);
  }
  return texts;
}

/* Returns the names of the columns of the heat map of stages: "pipeline 0". Owned by the caller. */
static char **
dup_pipeline_names (guint n)
{
  char **names = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    names[i] = g_strdup_printf ("%s %u", loom_page_get_axis_name (LOOM_PARALLEL_AXIS_PIPELINE), i);
  return names;
}

/* Returns a chart without rows: a map with the name of the rank in each cell or, if there is not enough space for
 * names, a heat map. */
static LoomChart *
new_stage_chart (guint n_pipelines)
{
  const char *title = _ ("Bubbles of ranks by stage and pipeline");
  if (n_pipelines > MAX_NAMED_PIPELINES)
    return loom_chart_new_heat (title, "%", C_ ("chart", "pipeline"), "", n_pipelines, 0, n_pipelines);
  g_auto (GStrv) names = dup_pipeline_names (n_pipelines);
  return loom_chart_new_map (title, "%", (const char *const *) names, n_pipelines);
}

/* Adds a heat map with a cell for each stage and pipeline. Adds nothing if all stages of all pipelines are about
 * equally idle (ALIKE). */
static void
add_heat (const Page *self, guint n_stages)
{
  g_autoptr (GArray) pipelines = list_pipelines (self);
  guint n = pipelines->len;
  if (n < 2 || self->bubbles->all->len == 0 ||
      get_group (self, g_array_index (pipelines, guint, 0))->n_ranks != n_stages)
    return;
  g_autofree double *values = g_new (double, (gsize) n_stages *n);
  double low = INFINITY, high = -INFINITY;
  for (guint i = 0; i < n_stages * n; i++) {
    values[i] = get_rank_share (self, g_array_index (pipelines, guint, i % n), i / n);
    low = fmin (low, values[i]);
    high = fmax (high, values[i]);
  }
  if (high - low < ALIKE)
    return;
  LoomChart *chart = new_stage_chart (n);
  loom_chart_set_scale (chart, 0, MAX (high, LEAST_SCALE));
  for (guint i = 0; i < n_stages; i++) {
    g_autofree char *name = g_strdup_printf (C_ ("chart", "stage %u"), i);
    g_auto (GStrv) texts = dup_stage_texts (self, pipelines, i, values + (gsize) i * n);
    if (n <= MAX_NAMED_PIPELINES)
      loom_chart_add_map_row (chart, name, values + (gsize) i * n, texts);
    else
      loom_chart_add_heat_row (chart, name, values + (gsize) i * n);
  }
  loom_page_content_take_chart (self->sheet, chart, TRUE);
  for (guint i = 0; i < n_stages * n; i++)
    set_rank (self, i, get_rank (self, get_group (self, g_array_index (pipelines, guint, i % n)), i / n));
}

static int
compare_fractions (gconstpointer a, gconstpointer b)
{
  const LoomBubble *x = *(const LoomBubble *const *) a, *y = *(const LoomBubble *const *) b;
  return (x->fraction < y->fraction) - (x->fraction > y->fraction);
}

/* Returns the bubbles (const LoomBubble *) with the largest shares, largest first, at most MAX_ROWS. */
static GPtrArray *
list_largest (const GArray *all)
{
  GPtrArray *bubbles = g_ptr_array_new ();
  for (guint i = 0; i < all->len; i++)
    g_ptr_array_add (bubbles, &g_array_index (all, LoomBubble, i));
  g_ptr_array_sort (bubbles, compare_fractions);
  g_ptr_array_set_size (bubbles, (gint) MIN (all->len, MAX_ROWS));
  return bubbles;
}

static void
add_steps (const Page *self)
{
  LoomResultTable *table = loom_result_table_new (_ ("Pipelines by step"));
  loom_result_table_add_column (table, C_ ("column", "Step"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Ranks"), NULL,
                                _ ("Ranks of the pipeline in the order of the stages"));
  loom_result_table_add_column (table, C_ ("column", "Length"), "ns", NULL);
  guint share = loom_result_table_add_share_column (table, C_ ("column", "Bubbles"),
                                                    _ ("Share of the pipeline’s time, mean of all stages"));
  loom_result_table_add_share_column (
    table, C_ ("column", "Due to Schedule"),
    _ (
      "Share of bubbles due to filling and draining the pipeline if all stages take equally long: (p − 1) ÷ (m + p − 1) for p stages and m microbatches"));
  loom_result_table_set_order (table, share, TRUE);
  g_autoptr (GPtrArray) bubbles = list_largest (self->bubbles->all);
  for (guint i = 0; i < bubbles->len; i++) {
    const LoomBubble *bubble = bubbles->pdata[i];
    g_autofree char *name = g_strdup_printf ("%" G_GINT64_FORMAT, bubble->step),
                    *ranks = loom_parallel_axes_dup_ranks (self->axes, get_group (self, bubble->group));
    const double figures[] = { (double) (bubble->window.end_ns - bubble->window.begin_ns), 100 * bubble->fraction,
                               100 * bubble->ideal };
    loom_result_table_add_row (table, name);
    loom_result_table_set_text (table, 1, ranks);
    loom_result_table_set_numbers (table, 2, figures, G_N_ELEMENTS (figures));
  }
  loom_page_content_take_table_if_any (self->sheet, table);
  for (guint i = 0; i < bubbles->len; i++)
    loom_page_content_set_place (self->sheet, i, ((const LoomBubble *) bubbles->pdata[i])->window, NULL, 0);
  loom_page_add_rows_left_out (self->sheet, _ ("Pipelines by step"), self->bubbles->all->len - bubbles->len);
}

/* --- experts ------------------------------------------------------------------------------------------------------ */

static LoomResultTable *
new_expert_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Load of the experts"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  guint load = loom_result_table_add_column (table, C_ ("column", "Expert Load"), "ns",
                                             _ ("Computation between the two all-to-alls of each layer"));
  loom_result_table_add_share_column (table, C_ ("column", "Share of Group"),
                                      _ ("Share of the load of its expert group"));
  loom_result_table_add_share_column (table, C_ ("column", "Share of Layers as Busiest Rank"),
                                      _ ("Share of the layers in which no other rank of the group works longer"));
  loom_result_table_set_order (table, load, TRUE);
  return table;
}

static void
add_expert_group (const Page *self, LoomResultTable *table, const LoomExpertGroup *group, GArray *places)
{
  const LoomExpertRank *ranks = &g_array_index (self->experts->ranks, LoomExpertRank, group->first_rank);
  double total = 0;
  for (guint i = 0; i < group->n_ranks; i++)
    total += (double) ranks[i].load_ns;
  for (guint i = 0; i < group->n_ranks && table->n_rows < MAX_ROWS; i++) {
    g_autofree char *name = g_strdup_printf (_ ("rank %d"), ranks[i].rank);
    const double figures[] = { (double) ranks[i].load_ns, total > 0 ? 100 * (double) ranks[i].load_ns / total : NAN,
                               100.0 * ranks[i].n_busiest / group->n_layers };
    loom_result_table_add_row (table, name);
    loom_result_table_set_numbers (table, 1, figures, G_N_ELEMENTS (figures));
    g_array_append_val (places, ranks[i].rank);
  }
}

static void
add_experts (const Page *self)
{
  LoomResultTable *table = new_expert_table ();
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (gint));
  guint n = 0; /* number of ranks in all groups of experts */
  for (guint i = 0; i < self->experts->groups->len; i++) {
    const LoomExpertGroup *group = &g_array_index (self->experts->groups, LoomExpertGroup, i);
    add_expert_group (self, table, group, places);
    n += group->n_ranks;
  }
  loom_page_content_take_table_if_any (self->sheet, table);
  for (guint i = 0; i < places->len; i++)
    set_rank (self, i, g_array_index (places, gint, i));
  loom_page_add_rows_left_out (self->sheet, _ ("Load of the experts"), n - places->len);
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

static void
add_groups (const Page *self)
{
  LoomResultTable *table = loom_result_table_new (_ ("Groups of ranks"));
  loom_result_table_add_column (table, C_ ("column", "Axis"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Ranks"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Size"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Transfers"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Transfer Time"), "ns", _ ("Without waiting for the last rank"));
  loom_result_table_set_detail (table,
                                loom_result_table_add_column (table, C_ ("column", "Axis Determined By"), NULL, NULL));
  guint n = MIN (self->axes->groups->len, MAX_ROWS);
  for (guint i = 0; i < n; i++) {
    const LoomParallelGroup *group = get_group (self, i);
    g_autofree char *ranks = loom_parallel_axes_dup_ranks (self->axes, group);
    const double figures[] = { group->n_ranks, group->n, (double) group->transfer_ns };
    loom_result_table_add_row (table, loom_page_get_axis_name (group->axis));
    loom_result_table_set_text (table, 1, ranks);
    loom_result_table_set_numbers (table, 2, figures, G_N_ELEMENTS (figures));
    loom_result_table_set_text (table, 5,
                                group->stated ? C_ ("axis told by", "the name of the group")
                                              : C_ ("axis told by", "the work of its ranks"));
  }
  loom_page_content_take_table (self->sheet, table);
  for (guint i = 0; i < n; i++)
    set_rank (self, i, get_rank (self, get_group (self, i), 0));
  loom_page_add_rows_left_out (self->sheet, _ ("Groups of ranks"), self->axes->groups->len - n);
}

/* --- page of parallelism ------------------------------------------------------------------------------------------ */

static void
fill (const Page *self)
{
  if (self->axes->groups->len == 0) {
    loom_page_add_no_collectives (self->sheet, self->input);
    return;
  }
  g_autoptr (GArray) stages = sum_stages (self);
  add_answer (self, stages);
  add_definition (self);
  loom_parallel_charts_add_cost (&self->charts, self->sheet);
  add_map (self);
  add_stages (self, stages);
  set_stage_places (self, stages->len);
  add_heat (self, stages->len);
  add_experts (self);
  add_steps (self);
  add_groups (self);
  add_notes (self);
}

/* Computes the results for the charts of the page (the cost of each axis, the parts of steps, and the slowdown), and
 * fills the page. Returns FALSE when cancelled. */
static gboolean
fill_with_cost (Page *self, const LoomCollectives *collectives, LoomSteps *steps, GCancellable *cancellable)
{
  LoomAxisCost cost;
  g_autoptr (LoomStepBreakdown) breakdown = loom_step_breakdown_new (
    self->input->frame->timeline, steps, (LoomCollectives *) collectives, self->input->range, cancellable);
  if (breakdown == NULL || !loom_axis_cost_init (&cost, collectives, self->axes, breakdown, cancellable))
    return FALSE;
  self->charts = (LoomParallelCharts) { self->input, &cost, breakdown, loom_slowdown_get (collectives, cancellable),
                                        (LoomCollectives *) collectives };
  if (self->charts.slowdown == NULL)
    return FALSE;
  fill (self);
  return TRUE;
}

LoomPageContent *
loom_page_parallelism (const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomCollectives) collectives = loom_frame_collectives_get (input->frame, input->range, cancellable);
  const LoomParallelAxes *axes = collectives != NULL ? loom_parallel_axes_get (collectives, cancellable) : NULL;
  const LoomBubbles *bubbles = axes != NULL ? loom_pipeline_bubbles_get (collectives, cancellable) : NULL;
  g_autoptr (LoomExpertLoad) experts = bubbles != NULL ? loom_expert_load_new (collectives, axes, cancellable) : NULL;
  loom_page_count_part (input, cancellable);
  if (experts == NULL)
    return NULL;
  g_autoptr (LoomSteps) steps = loom_steps_new (input->frame->timeline, cancellable);
  g_autoptr (LoomPageContent) sheet = loom_page_content_new (input->range);
  Page page = { input, sheet, axes, bubbles, experts, { NULL } };
  if (steps == NULL || !fill_with_cost (&page, collectives, steps, cancellable))
    return NULL;
  return loom_page_finish (g_steal_pointer (&sheet), cancellable);
}
