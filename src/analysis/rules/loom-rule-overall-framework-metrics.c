/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule OverallFrameworkMetrics, which never fires. For each kind of work, it reports its share of the total time of
 * all rows of the LoomDataFrame. It also reports how much of the time between the first and the last step of a worker
 * is outside of steps.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "loom-rule-private.h"

/* Kinds of phases. The kind of a phase is the first kind whose word (see `kinds`) occurs in the name of the phase. */
typedef enum {
  KIND_CPU,
  KIND_GPU,
  KIND_STEP,
  KIND_FORWARD,
  KIND_BACKWARD,
  KIND_HOROVOD,
  KIND_GENERAL,
} Kind;
#define N_KINDS (KIND_GENERAL + 1)

static const struct {
  const char *name, *word;
  gboolean any_case;
} kinds[N_KINDS] = {
  { "CPU", "cpu", TRUE },
  { "GPU", "gpu", TRUE },
  { "phase", "Step", FALSE },
  { "forward_backward", "Forward-SubModuleInternal", FALSE },
  { "forward_backward", "Backward-SubModuleInternal", FALSE },
  { "horovod", "horovod", TRUE },
  { "general", "", FALSE },
};

/* Metrics and phases that take at most this share of the time of their kind are omitted from the details. The
 * percentages in the details are shares of the time of the remaining metrics and phases. */
#define LEAST_SHARE 0.02

static Kind
kind_of (const char *phase)
{
  g_autofree char *lower = g_ascii_strdown (phase, -1);
  Kind kind = KIND_CPU;
  while (kind < KIND_GENERAL && strstr (kinds[kind].any_case ? lower : phase, kinds[kind].word) == NULL)
    kind = (Kind) (kind + 1);
  return kind;
}

/* Total times of rows: array: [Kind][id of a text in the LoomDataFrame]. The text of a row is its metric; for steps and
 * passes, it is its phase. */
typedef struct {
  const LoomDataFrame *frame;
  guint32 n_texts;
  guint8 *kind; /* array: [id of a text in the LoomDataFrame] Kind of the text */
  double *times[N_KINDS];
} Times;

static void
times_init (Times *times, const LoomDataFrame *frame)
{
  const LoomDataFrameRows *rows = &frame->rows;
  *times = (Times) { .frame = frame, .n_texts = loom_data_frame_get_n_texts (frame) };
  times->kind = g_new0 (guint8, times->n_texts + 1);
  for (guint32 i = 0; i < times->n_texts; i++)
    times->kind[i] = (guint8) kind_of (loom_data_frame_get_text (frame, i));
  for (guint i = 0; i < N_KINDS; i++)
    times->times[i] = g_new0 (double, times->n_texts + 1);
  for (guint32 i = 0; i < rows->n; i++) {
    Kind kind = (Kind) times->kind[rows->process[i]];
    guint32 text = kind == KIND_CPU || kind == KIND_GPU || kind == KIND_GENERAL ? rows->metric[i] : rows->process[i];
    times->times[kind][text] += (double) (rows->end_ns[i] - rows->start_ns[i]);
  }
}

static void
times_clear (Times *times)
{
  for (guint i = 0; i < N_KINDS; i++)
    g_free (times->times[i]);
  g_free (times->kind);
}

static double
sum (const Times *times, Kind kind, double least)
{
  double total = 0;
  for (guint32 i = 0; i < times->n_texts; i++)
    total += times->times[kind][i] > least ? times->times[kind][i] : 0;
  return total;
}

static void
add_shares (const Times *times, Kind kind, JsonObject *details)
{
  double total = sum (times, kind, 0), least = total * LEAST_SHARE, kept = sum (times, kind, least);
  for (guint32 i = 0; kept > 0 && i < times->n_texts; i++)
    if (times->times[kind][i] > least)
      loom_rule_details_set (loom_rule_details_at (details, kinds[kind].name, NULL),
                             loom_data_frame_get_text (times->frame, i), 100 * times->times[kind][i] / kept);
  if (total > 0)
    loom_rule_details_set (loom_rule_details_at (details, "phase_time", NULL),
                           kinds[kind].word[0] != '\0' ? kinds[kind].word : "general", total / LOOM_NS_PER_S);
}

typedef struct {
  gboolean any;
  gint64 first_ns, last_ns, in_steps_ns;
} Worker;

/* Returns the time between steps, summed over all workers. For one worker, this is the time from the start of its first
 * step to the end of its last step, minus the sum of the durations of its steps; 0 if the result is negative. */
static double
find_others (const LoomDataFrame *frame)
{
  const LoomDataFrameRows *rows = &frame->rows;
  g_autofree Worker *workers = g_new0 (Worker, frame->n_workers + 1);
  double others = 0;
  for (guint32 i = 0; i < rows->n; i++) {
    Worker *worker = &workers[rows->worker[i]];
    if ((rows->flags[i] & LOOM_ROW_STEP) == 0)
      continue;
    worker->first_ns = worker->any ? MIN (worker->first_ns, rows->start_ns[i]) : rows->start_ns[i];
    worker->last_ns = worker->any ? MAX (worker->last_ns, rows->end_ns[i]) : rows->end_ns[i];
    worker->in_steps_ns += rows->end_ns[i] - rows->start_ns[i];
    worker->any = TRUE;
  }
  for (guint i = 0; i < frame->n_workers; i++)
    others += (double) MAX (workers[i].last_ns - workers[i].first_ns - workers[i].in_steps_ns, 0);
  return others;
}

void
loom_rule_overall_framework_metrics (const LoomRuleContext *context, LoomRuleResult *result)
{
  const LoomDataFrameRows *rows = &context->frame->rows;
  Times times;
  if (rows->n == 0) {
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, _ ("there are no framework metrics"));
    return;
  }
  times_init (&times, context->frame);
  for (guint i = 0; i < N_KINDS; i++)
    add_shares (&times, (Kind) i, result->details);
  loom_rule_details_set (loom_rule_details_at (result->details, "phase_time", NULL), "others",
                         find_others (context->frame) / LOOM_NS_PER_S);
  times_clear (&times);
  result->n_datapoints = rows->n;
  loom_rule_result_set_message (
    result, LOOM_RULE_PASSED,
    _ (
      "spans of the framework: %u; for each kind of phase, the details state which share of its time each metric takes"),
    rows->n);
}
