/* SPDX-License-Identifier: Apache-2.0
 *
 * GPUMemoryIncrease: the mean over a window of samples against that over the window before it. The original's windows
 * overlap almost wholly, so that slow growth is never seen.
 */
#include "loom-rule-private.h"

enum { INCREASE, PATIENCE, WINDOW };

typedef struct {
  guint64 n_most, n_judged;
  double most; /* growth */
  const LoomSampleSeries *worst;
  gint64 worst_ns;
} Count;

static gint64
begin_of (const LoomSampleSeries *series, guint32 last, guint32 window)
{
  return series->time_ns[last + 1 - 2 * window];
}

/* The largest growth at any sample; neighbouring ones share a mark. */
static void
judge (const LoomRuleContext *context, LoomRuleResult *result, const LoomSampleSeries *series, Count *count)
{
  double limit = loom_rule_value (context, result, INCREASE), patience = loom_rule_value (context, result, PATIENCE), most = 0, sum = 0, before = 0;
  guint32 window = (guint32) CLAMP (loom_rule_value (context, result, WINDOW), 1, 1e9);
  const char *host = loom_frame_get_host (context->frame, series->host_id);
  gint64 begin_ns = 0, end_ns = 0;
  gboolean open = FALSE;
  count->n_most = MAX (count->n_most, series->n);
  if (!(series->n > patience) || series->n < 2 * (guint64) window)
    return;
  count->n_judged++;
  for (guint32 i = 0; i < series->n; i++) {
    sum += series->value[i];
    if (i >= window) {
      sum -= series->value[i - window];
      before += series->value[i - window];
    }
    if (i >= 2 * window)
      before -= series->value[i - 2 * window];
    if (!(i + 1.0 > patience) || i + 1 < 2 * window)
      continue;
    double growth = (sum - before) / window;
    result->n_datapoints++;
    if (growth > most && growth > count->most) {
      count->most = growth;
      count->worst = series;
      count->worst_ns = series->time_ns[i];
    }
    most = MAX (most, growth);
    if (growth > limit) {
      result->n_violations++;
      if (open && begin_of (series, i, window) > end_ns) {
        loom_rule_mark (result, begin_ns, end_ns, host, series->name);
        open = FALSE;
      }
      begin_ns = open ? begin_ns : begin_of (series, i, window);
      end_ns = series->time_ns[i];
      open = TRUE;
    }
  }
  if (open)
    loom_rule_mark (result, begin_ns, end_ns, host, series->name);
  loom_rule_details_set (loom_rule_details_at (loom_rule_details_at (result->details, host), series->name), "increase", most);
}

void
loom_rule_gpu_memory_increase (const LoomRuleContext *context, LoomRuleResult *result)
{
  g_autoptr (GPtrArray) gpus = loom_rule_series_of (context, "GPUMemoryUtilization");
  Count count = { 0 };
  for (guint i = 0; i < gpus->len; i++)
    judge (context, result, gpus->pdata[i], &count);
  double patience = loom_rule_value (context, result, PATIENCE), windows = 2 * loom_rule_value (context, result, WINDOW);
  if (gpus->len == 0)
    loom_rule_say (result, LOOM_RULE_NOT_APPLICABLE, "there are no samples of GPU memory");
  else if (count.n_judged == 0)
    loom_rule_say_not_enough (result, count.n_most, (guint64) MAX (patience + 1, windows), "samples");
  else if (result->n_violations > 0)
    loom_rule_say (result, LOOM_RULE_FIRED, "The memory used on %s of %s grew by %.1f points from one window of samples to the next",
                   count.worst->name, loom_frame_get_host (context->frame, count.worst->host_id), count.most);
  else
    loom_rule_say (result, LOOM_RULE_PASSED, "The memory used on GPUs grew by %.1f points at most", count.most);
}
