/* SPDX-License-Identifier: Apache-2.0
 *
 * Dataloader: how many loader processes work at once, against the cores of their node.
 */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-data-loading.h"
#include "loom-rule-private.h"
#include "loom-stats.h"

enum { MIN_THRESHOLD, MAX_THRESHOLD };

/* The original's: fewer seconds say nothing. */
#define FEWEST_SECONDS 10

/* A process that began something in a second. */
typedef struct {
  guint32 host_id;
  gint64 second;
  guint64 process;
} Seen;

static int
compare (gconstpointer a, gconstpointer b)
{
  const Seen *x = a, *y = b;
  if (x->host_id != y->host_id)
    return x->host_id < y->host_id ? -1 : 1;
  if (x->second != y->second)
    return x->second < y->second ? -1 : 1;
  return x->process < y->process ? -1 : x->process > y->process;
}

static GArray *
collect (const LoomRuleContext *context)
{
  GArray *seen = g_array_new (FALSE, FALSE, sizeof (Seen));
  g_autoptr (GArray) calls = loom_data_loading_list_calls (context->frame);
  for (guint i = 0; i < calls->len; i++) {
    const LoomLoaderCall *call = &g_array_index (calls, LoomLoaderCall, i);
    Seen one = { call->host_id, call->begin_ns / LOOM_NS_PER_S, call->process };
    g_array_append_val (seen, one);
  }
  g_array_sort (seen, compare);
  return seen;
}

static guint
count_cores (const LoomRuleContext *context, guint32 host_id)
{
  g_autoptr (GPtrArray) cores = loom_rule_series_of (context, "CPUUtilization");
  guint n = 0;
  for (guint i = 0; i < cores->len; i++)
    n += ((const LoomSampleSeries *) cores->pdata[i])->host_id == host_id;
  return n;
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const LoomRange *x = a, *y = b;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Time in which somebody on the host asked for the next batch and had to wait for it: what other numbers of loaders could
 * save at most. */
static gint64
lost_on (const LoomRuleContext *context, guint32 host_id)
{
  const LoomFrameRows *rows = loom_frame_get_rows (context->frame);
  g_autoptr (GArray) calls = loom_data_loading_list_calls (context->frame), waits = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  gint64 lost_ns = 0, until_ns = G_MININT64;
  for (guint i = 0; i < calls->len; i++) {
    const LoomLoaderCall *call = &g_array_index (calls, LoomLoaderCall, i);
    LoomRange wait = { rows->start_ns[call->row], rows->end_ns[call->row] };
    if (call->host_id == host_id && strstr (loom_frame_get_event_name (context->frame, call->row), "GetNext") != NULL)
      g_array_append_val (waits, wait);
  }
  g_array_sort (waits, compare_ranges);
  for (guint i = 0; i < waits->len; i++) {
    const LoomRange *wait = &g_array_index (waits, LoomRange, i);
    lost_ns += MAX (wait->end_ns - MAX (wait->begin_ns, until_ns), 0);
    until_ns = MAX (until_ns, wait->end_ns);
  }
  return lost_ns;
}

/* Of each second of one host, for whoever explains the finding. */
static void
show_seconds (LoomRuleResult *result, const char *host, const Seen *first, const GArray *counts, gint64 origin_ns)
{
  guint group = result->groups->len;
  g_ptr_array_add (result->groups, g_strdup (host));
  for (guint i = 0, at = 0; i < counts->len; i++) {
    LoomRulePoint point = { MAX (first[at].second * LOOM_NS_PER_S, origin_ns), g_array_index (counts, double, i), group };
    g_array_append_val (result->evidence, point);
    for (gint64 second = first[at].second; i + 1 < counts->len && first[at].second == second;)
      at++;
  }
}

/* From `at` on: the processes of each second of one host. */
static GArray *
count_host (const GArray *seen, guint *at)
{
  GArray *counts = g_array_new (FALSE, FALSE, sizeof (double));
  const Seen *items = (const Seen *) seen->data;
  guint32 host_id = items[*at].host_id;
  while (*at < seen->len && items[*at].host_id == host_id) {
    gint64 second = items[*at].second;
    double n = 0;
    for (guint first = *at; *at < seen->len && items[*at].host_id == host_id && items[*at].second == second; (*at)++)
      n += *at == first || items[*at].process != items[*at - 1].process;
    g_array_append_val (counts, n);
  }
  return counts;
}

static void
judge (const LoomRuleContext *context, LoomRuleResult *result, const Seen *first, GArray *counts, gint64 end_ns)
{
  guint32 host_id = first->host_id;
  gint64 begin_ns = first->second * LOOM_NS_PER_S;
  const char *host = loom_frame_get_host (context->frame, host_id);
  JsonObject *details = loom_rule_details_at (result->details, host);
  guint n_cores = count_cores (context, host_id);
  show_seconds (result, host, first, counts, loom_frame_get_origin (context->frame));
  double at = floor (loom_stats_median ((double *) counts->data, counts->len));
  double fewest = n_cores * loom_rule_value (context, result, MIN_THRESHOLD) / 100, most = n_cores * loom_rule_value (context, result, MAX_THRESHOLD) / 100;
  json_object_set_int_member (details, "cores", n_cores);
  loom_rule_details_set (details, "dataloaders", at);
  result->n_have = MAX (result->n_have, counts->len);
  if (counts->len <= FEWEST_SECONDS || n_cores == 0)
    return;
  result->n_datapoints += counts->len;
  if (!(at < fewest) && !(at > most))
    return;
  result->n_violations++;
  result->lost_ns += lost_on (context, host_id);
  result->lost_over = LOOM_RULE_OVER_NODES;
  result->n_lost_over++;
  loom_rule_mark (result, begin_ns, end_ns, host, "");
  if (result->n_violations > 1)
    return; /* told of the first, with how many there are */
  result->limit = at < fewest ? ceil (fewest) : floor (most);
  loom_rule_say (result, LOOM_RULE_FIRED,
                 ngettext ("On %s %.0f process loads data at a time for %u cores; between %.0f and %.0f would fit",
                           "On %s %.0f processes load data at a time for %u cores; between %.0f and %.0f would fit", (gulong) at),
                 host, at, n_cores, ceil (fewest), floor (most));
}

/* The sentence is of one node. */
static void
say_others (LoomRuleResult *result)
{
  if (result->n_violations < 2)
    return;
  guint n = (guint) result->n_violations - 1;
  g_autofree char *first = g_strdup (result->sentence);
  loom_rule_say (result, LOOM_RULE_FIRED, ngettext ("%s; the number does not fit on %u more node", "%s; the number does not fit on %u more nodes", n), first, n);
}

void
loom_rule_dataloader (const LoomRuleContext *context, LoomRuleResult *result)
{
  g_autoptr (GArray) seen = collect (context);
  g_autoptr (GPtrArray) cores = loom_rule_series_of (context, "CPUUtilization");
  if (seen->len == 0 || cores->len == 0) {
    loom_rule_say (result, LOOM_RULE_NOT_APPLICABLE, "%s", seen->len == 0 ? _ ("there are no events of data loaders") : _ ("the number of cores is not known"));
    return;
  }
  for (guint i = 0; i < seen->len;) {
    guint first = i;
    g_autoptr (GArray) counts = count_host (seen, &i);
    const Seen *items = (const Seen *) seen->data;
    judge (context, result, &items[first], counts, (items[i - 1].second + 1) * LOOM_NS_PER_S);
  }
  say_others (result);
  if (result->status == LOOM_RULE_FIRED)
    return;
  if (result->n_datapoints == 0)
    loom_rule_say_not_enough (result, result->n_have, FEWEST_SECONDS + 1, C_ ("rule counts", "seconds"));
  else
    loom_rule_say (result, LOOM_RULE_PASSED, _ ("the number of loading processes fits the cores"));
}
