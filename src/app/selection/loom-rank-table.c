/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rank-table.h"

#include "loom-archive-path.h"
#include "loom-statistics.h"
#include "loom-step-breakdown.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LoomRankTable {
  LoomRangeTable parent;
  LoomTimelineState *state;
  GArray *spans; /* LoomSpanId: for each row, a span on a device of the row's rank; NULL if there are no rows */
};

G_DEFINE_FINAL_TYPE (LoomRankTable, loom_rank_table, LOOM_TYPE_RANGE_TABLE)

/* tables with at most this many rows have no filter entry: without it, the rows of a machine with eight GPUs fit in the
 * panel */
#define MOST_WITHOUT_FILTER 16

enum { RANK_CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

/* The columns from left to right: first NAME; then, for each part of the step time (LoomStepBreakdownPart), its share;
 * then RECORDED; then, for each part, its time. The parts are in the order of the array `order`. */
enum { NAME, SHARES, RECORDED = SHARES + LOOM_STEP_BREAKDOWN_N_PARTS, TIMES };

static const LoomStepBreakdownPart order[LOOM_STEP_BREAKDOWN_N_PARTS] = {
  LOOM_STEP_BREAKDOWN_COMPUTE, LOOM_STEP_BREAKDOWN_TRANSFER,  LOOM_STEP_BREAKDOWN_RANK_WAIT,
  LOOM_STEP_BREAKDOWN_COPY,    LOOM_STEP_BREAKDOWN_DATA_WAIT, LOOM_STEP_BREAKDOWN_IDLE,
};

/* --- computing the table in a worker ------------------------------------------------------------------------------ */

/* Steps and collectives of the timeline, if they have already been computed. */
typedef struct {
  LoomSteps *steps;
  LoomCollectives *collectives;
} Facts;

static void
free_facts (gpointer data)
{
  Facts *facts = data;
  if (facts->steps != NULL)
    loom_steps_unref (facts->steps);
  if (facts->collectives != NULL)
    loom_collectives_unref (facts->collectives);
  g_free (facts);
}

static const char *
get_title (LoomStepBreakdownPart part)
{
  static const char *const titles[LOOM_STEP_BREAKDOWN_N_PARTS] = {
    [LOOM_STEP_BREAKDOWN_COMPUTE] = NC_ ("column", "Computing"),
    [LOOM_STEP_BREAKDOWN_RANK_WAIT] = NC_ ("column", "Waits for Ranks"),
    [LOOM_STEP_BREAKDOWN_TRANSFER] = NC_ ("column", "Transfers"),
    [LOOM_STEP_BREAKDOWN_COPY] = NC_ ("column", "Copies Only"),
    [LOOM_STEP_BREAKDOWN_DATA_WAIT] = NC_ ("column", "Waits for Data"),
    [LOOM_STEP_BREAKDOWN_IDLE] = NC_ ("column", "Idle"),
  };
  return g_dpgettext2 (NULL, "column", titles[part]);
}

static const char *
get_words (LoomStepBreakdownPart part)
{
  switch (part) {
  case LOOM_STEP_BREAKDOWN_COMPUTE: return _ ("Share of the recorded time in which devices compute");
  case LOOM_STEP_BREAKDOWN_RANK_WAIT:
    return _ ("Share in which devices only communicate, and another rank has not arrived yet");
  case LOOM_STEP_BREAKDOWN_TRANSFER: return _ ("Share in which devices only communicate, and all ranks have arrived");
  case LOOM_STEP_BREAKDOWN_COPY: return _ ("Share in which devices only copy memory");
  case LOOM_STEP_BREAKDOWN_DATA_WAIT:
    return _ ("Share in which devices are idle because the training loop waits for its next batch");
  default: return _ ("Share in which devices are idle for another reason");
  }
}

static LoomResultTable *
new_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Ranks"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, _ ("Double-click a row to go to the rank"));
  for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS; i++)
    loom_result_table_add_share_column (table, get_title (order[i]), get_words (order[i]));
  loom_result_table_add_column (table, C_ ("column", "Recorded"), "ns",
                                _ ("Time inside the range in which devices are recorded; the shares refer to it"));
  for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS; i++) {
    guint column = loom_result_table_add_column (table, get_title (order[i]), "ns", NULL);
    loom_result_table_set_detail (table, column);
  }
  return table;
}

static gboolean
has_several_nodes (const LoomStepBreakdown *breakdown)
{
  for (guint i = 1; i < breakdown->n_ranks; i++)
    if (g_strcmp0 (breakdown->ranks[i].node, breakdown->ranks[0].node) != 0)
      return TRUE;
  return FALSE;
}

static gboolean
has_several_traces (const LoomStepBreakdown *breakdown)
{
  for (guint i = 1; i < breakdown->n_ranks; i++)
    if (breakdown->ranks[i].steps[0].span.trace != breakdown->ranks[0].steps[0].span.trace)
      return TRUE;
  return FALSE;
}

/* Returns the name of a rank, such as "rank 3" or "process 3", preceded by its node if the run has several nodes. If
 * the rank is unknown, returns the name of its device, preceded by the name of its file if the run has several
 * traces. If the device is unknown, too, returns the name of the file. Owned by the caller. */
static char *
dup_name (const LoomStepBreakdown *breakdown, const LoomRankSteps *rank)
{
  LoomRun *run = loom_timeline_get_run (breakdown->timeline);
  const LoomSource *source = loom_trace_get_source (loom_run_get_trace (run, rank->steps[0].span.trace), 0);
  if (rank->rank >= 0) {
    g_autofree char *name = g_strdup_printf (rank->is_process ? _ ("process %d") : _ ("rank %d"), rank->rank);
    return rank->node != NULL && has_several_nodes (breakdown) ? g_strdup_printf ("%s · %s", rank->node, name)
                                                               : g_steal_pointer (&name);
  }
  g_autofree char *path = loom_archive_path_dup_shown (source->path), *file = g_path_get_basename (path);
  if (rank->device == NULL || *rank->device == '\0')
    return g_steal_pointer (&file);
  return has_several_traces (breakdown) ? g_strdup_printf ("%s · %s", file, rank->device) : g_strdup (rank->device);
}

static void
add_row (LoomResultTable *table, const LoomStepBreakdown *breakdown, const LoomRankSteps *rank)
{
  gint64 parts_ns[LOOM_STEP_BREAKDOWN_N_PARTS] = { 0 }, all_ns = 0;
  for (guint k = 0; k < rank->n_steps; k++)
    for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS; i++)
      parts_ns[i] += rank->steps[k].parts_ns[order[i]];
  for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS; i++)
    all_ns += parts_ns[i];
  g_autofree char *name = dup_name (breakdown, rank);
  loom_result_table_add_row (table, name);
  loom_result_table_set_number (table, RECORDED, (double) all_ns);
  for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS; i++) {
    /* leave the column empty for all ranks if the sum is 0: the table hides empty columns */
    if (loom_step_breakdown_sum_part (breakdown, order[i]) == 0)
      continue;
    loom_result_table_set_number (table, SHARES + i, loom_statistics_percent ((double) parts_ns[i], (double) all_ns));
    loom_result_table_set_number (table, TIMES + i, (double) parts_ns[i]);
  }
}

static gboolean
is_shown (const GArray *tracks, guint32 trace)
{
  for (guint i = 0; tracks != NULL && i < tracks->len; i++)
    if (g_array_index (tracks, LoomTrackId, i).trace == trace)
      return TRUE;
  return tracks == NULL;
}

static LoomResultTable *
table_of (const LoomStepBreakdown *breakdown, const GArray *tracks, gpointer *found)
{
  LoomResultTable *table = new_table ();
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const LoomRankSteps *rank = &breakdown->ranks[i];
    if (!is_shown (tracks, rank->steps[0].span.trace))
      continue;
    add_row (table, breakdown, rank);
    g_array_append_val (spans, rank->steps[0].span);
  }
  *found = spans;
  return table;
}

static LoomResultTable *
count (LoomRangeQuestion *question, gpointer *found, GCancellable *cancellable)
{
  Facts *facts = question->known;
  if (facts == NULL)
    question->known = facts = g_new0 (Facts, 1);
  if (facts->steps == NULL)
    facts->steps = loom_steps_new (question->timeline, cancellable);
  if (facts->collectives == NULL && facts->steps != NULL)
    facts->collectives = loom_collectives_new (question->timeline, NULL, cancellable);
  if (facts->collectives == NULL)
    return NULL;
  g_autoptr (LoomStepBreakdown) breakdown = loom_step_breakdown_new_of_range (
    question->timeline, facts->steps, facts->collectives, question->range, cancellable);
  return breakdown != NULL ? table_of (breakdown, question->tracks, found) : NULL;
}

/* --- table class and public functions ----------------------------------------------------------------------------- */

/* Returns the steps and collectives of the timeline if they have been computed for this timeline; otherwise NULL. */
static gpointer
dup_known (LoomRangeTable *table, LoomTimeline *timeline)
{
  LoomRankTable *self = LOOM_RANK_TABLE (table);
  LoomSteps *steps = self->state != NULL ? loom_timeline_state_get_steps (self->state) : NULL;
  LoomCollectives *collectives = self->state != NULL ? loom_timeline_state_get_collectives (self->state) : NULL;
  if (steps == NULL || collectives == NULL || collectives->timeline != timeline)
    return NULL;
  Facts facts = { loom_steps_ref (steps), loom_collectives_ref (collectives) };
  return g_memdup2 (&facts, sizeof facts);
}

static void
take (LoomRangeTable *table, gpointer found)
{
  LoomRankTable *self = LOOM_RANK_TABLE (table);
  g_clear_pointer (&self->spans, g_array_unref);
  self->spans = found;
  loom_table_view_set_head_shown (loom_range_table_get_view (table),
                                  self->spans != NULL && self->spans->len > MOST_WITHOUT_FILTER);
}

static void
activated (LoomRankTable *self, guint row)
{
  if (self->spans == NULL || row >= self->spans->len)
    return;
  LoomSpanId span = g_array_index (self->spans, LoomSpanId, row);
  g_signal_emit (self, signals[RANK_CHOSEN], 0, span.trace, span.span);
}

static void
dispose (GObject *object)
{
  G_OBJECT_CLASS (loom_rank_table_parent_class)->dispose (object);
  g_clear_object (&LOOM_RANK_TABLE (object)->state);
}

static void
loom_rank_table_class_init (LoomRankTableClass *klass)
{
  LoomRangeTableClass *parent = LOOM_RANGE_TABLE_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  parent->nothing = N_ ("No work of devices is recorded in this range.");
  parent->new_table = new_table;
  parent->count = count;
  parent->free_found = (GDestroyNotify) g_array_unref;
  parent->dup_known = dup_known;
  parent->free_known = free_facts;
  parent->take = take;
  signals[RANK_CHOSEN] = g_signal_new ("rank-chosen", LOOM_TYPE_RANK_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
}

static void
loom_rank_table_init (LoomRankTable *self)
{
  g_signal_connect_swapped (loom_range_table_get_view (LOOM_RANGE_TABLE (self)), "row-activated",
                            G_CALLBACK (activated), self);
}

void
loom_rank_table_set_state (LoomRankTable *self, LoomTimelineState *state)
{
  g_return_if_fail (LOOM_IS_RANK_TABLE (self) && self->state == NULL);
  self->state = g_object_ref (state);
}
