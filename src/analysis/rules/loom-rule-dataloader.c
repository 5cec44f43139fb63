/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule Dataloader: compares the number of processes that load data at the same time with the number of CPU cores of
 * their node.
 */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-data-loading.h"
#include "loom-loader-processes.h"
#include "loom-rule-private.h"

enum { MIN_THRESHOLD, MAX_THRESHOLD };

/* A host is checked only if its processes load data during more than this number of seconds. SageMaker's rule
 * Dataloader has the same limit. */
#define FEWEST_SECONDS 10

typedef struct {
  const LoomRuleContext *context;
  LoomRuleResult *result;
  guint *n_cores; /* array: [host id] number of cores */
  /* array: [host id] time during which processes waited for data; NULL until the first host violates the rule */
  gint64 *lost_ns;
} Judge;

static guint *
count_cores (const LoomRuleContext *context, const GPtrArray *cores)
{
  guint *n_cores = g_new0 (guint, context->frame->n_hosts + 1);
  for (guint i = 0; i < cores->len; i++)
    n_cores[((const LoomSampleSeries *) cores->pdata[i])->host_id]++;
  return n_cores;
}

typedef struct {
  guint32 host_id;
  gint64 begin_ns, end_ns;
} Wait;

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const Wait *x = a, *y = b;
  if (x->host_id != y->host_id)
    return x->host_id < y->host_id ? -1 : 1;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static GArray *
list_waits (const LoomRuleContext *context)
{
  const LoomDataFrameRows *rows = &context->frame->rows;
  LoomRange range = context->frame->range;
  g_autoptr (GArray) calls = loom_data_loading_list_calls (context->frame);
  GArray *waits = g_array_new (FALSE, FALSE, sizeof (Wait));
  for (guint i = 0; i < calls->len; i++) {
    const LoomLoaderCall *call = &g_array_index (calls, LoomLoaderCall, i);
    Wait wait = { call->host_id, MAX (rows->start_ns[call->row], range.begin_ns),
                  MIN (rows->end_ns[call->row], range.end_ns) };
    if (strstr (loom_data_frame_get_event_name (context->frame, call->row), "GetNext") != NULL)
      g_array_append_val (waits, wait);
  }
  g_array_sort (waits, compare_waits);
  return waits;
}

/* Returns an array: [host id] time during which at least one process waited for its next batch. More loader processes
 * cannot save more than this time. Computed for all hosts at once, because listing the calls reads their args from the
 * files. Owned by the caller. */
static gint64 *
measure_lost (const LoomRuleContext *context)
{
  g_autoptr (GArray) waits = list_waits (context);
  gint64 *lost_ns = g_new0 (gint64, context->frame->n_hosts + 1), until_ns = G_MININT64;
  for (guint i = 0; i < waits->len; i++) {
    const Wait *wait = &g_array_index (waits, Wait, i);
    if (i == 0 || wait->host_id != wait[-1].host_id)
      until_ns = G_MININT64;
    lost_ns[wait->host_id] += MAX (loom_time_sub (wait->end_ns, MAX (wait->begin_ns, until_ns)), 0);
    until_ns = MAX (until_ns, wait->end_ns);
  }
  return lost_ns;
}

/* Adds the number of processes over time to the chart of the result, as a step function. Times before `origin_ns` are
 * replaced by `origin_ns`. */
static void
show_stretches (LoomRuleResult *result, const char *name, const LoomLoaderHost *host, gint64 origin_ns)
{
  guint group = result->groups->len;
  g_ptr_array_add (result->groups, g_strdup (name));
  for (guint i = 0; i < host->stretches->len; i++) {
    const LoomLoaderStretch *stretch = &g_array_index (host->stretches, LoomLoaderStretch, i);
    LoomRulePoint first = { MAX (stretch->second * LOOM_NS_PER_S, origin_ns), stretch->n_processes, group },
                  last = first;
    last.time_ns = MAX ((stretch->second + stretch->n_seconds - 1) * LOOM_NS_PER_S, origin_ns);
    g_array_append_val (result->evidence, first);
    if (last.time_ns > first.time_ns)
      g_array_append_val (result->evidence, last);
  }
}

static void
add_violation (Judge *self, const LoomLoaderHost *host, const char *name)
{
  LoomRuleResult *result = self->result;
  result->n_violations++;
  if (self->lost_ns == NULL)
    self->lost_ns = measure_lost (self->context);
  result->lost_ns += self->lost_ns[host->host_id];
  result->lost_over = LOOM_RULE_OVER_NODES;
  result->n_lost_over++;
  loom_rule_result_add_occurrence (result, host->begin_ns, host->end_ns, name, "");
}

static void
judge (Judge *self, const LoomLoaderHost *host)
{
  const LoomRuleContext *context = self->context;
  LoomRuleResult *result = self->result;
  const char *name = loom_data_frame_get_host (context->frame, host->host_id);
  JsonObject *details = loom_rule_details_at (result->details, name, NULL);
  guint n_cores = self->n_cores[host->host_id];
  show_stretches (result, name, host, context->frame->origin_ns);
  double at = floor (host->at_a_time);
  double fewest = n_cores * loom_rule_value (context, result, MIN_THRESHOLD) / 100,
         most = n_cores * loom_rule_value (context, result, MAX_THRESHOLD) / 100;
  json_object_set_int_member (details, "cores", n_cores);
  loom_rule_details_set (details, "dataloaders", at);
  result->n_have = MAX (result->n_have, (guint64) host->n_seconds);
  if (host->n_seconds <= FEWEST_SECONDS || n_cores == 0)
    return;
  result->n_datapoints += (guint64) host->n_seconds;
  loom_rule_result_note_value (result, MIN_THRESHOLD, 100 * at / n_cores, TRUE);
  loom_rule_result_note_value (result, MAX_THRESHOLD, 100 * at / n_cores, FALSE);
  if (!(at < fewest) && !(at > most))
    return;
  add_violation (self, host, name);
  if (result->n_violations > 1)
    /* the sentence describes only the first node that violates the rule; say_others() adds the number of the other
     * nodes */
    return;
  result->limit = at < fewest ? ceil (fewest) : floor (most);
  loom_rule_result_set_message (
    result, LOOM_RULE_FIRED,
    ngettext ("On %s, %.0f process loads data at a time, on %u cores; between %.0f and %.0f processes are recommended",
              "On %s, %.0f processes load data at a time, on %u cores; between %.0f and %.0f processes are recommended",
              (gulong) at),
    name, at, n_cores, ceil (fewest), floor (most));
}

/* Appends the number of other nodes that violate the rule to the sentence, which describes one node. */
static void
say_others (LoomRuleResult *result)
{
  if (result->n_violations < 2)
    return;
  guint n = (guint) result->n_violations - 1;
  g_autofree char *first = g_strdup (result->sentence);
  loom_rule_result_set_message (result, LOOM_RULE_FIRED,
                                ngettext ("%s; on %u other node, the number is too low or too high as well",
                                          "%s; on %u other nodes, the number is too low or too high as well", n),
                                first, n);
}

void
loom_rule_dataloader (const LoomRuleContext *context, LoomRuleResult *result)
{
  g_autoptr (GPtrArray) hosts = loom_loader_processes_list_hosts (context->frame),
                        cores = loom_rule_series_of (context, "CPUUtilization");
  if (hosts->len == 0 || cores->len == 0) {
    gboolean has_index = loom_run_has_index (loom_timeline_get_run (context->frame->timeline));
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, "%s",
                                  hosts->len > 0 ? _ ("the number of cores is unknown")
                                  : has_index    ? _ ("this index file does not record which processes load the data")
                                                 : _ ("there are no spans of data loader workers"));
    return;
  }
  Judge self = { context, result, count_cores (context, cores), NULL };
  for (guint i = 0; i < hosts->len; i++)
    judge (&self, hosts->pdata[i]);
  g_free (self.n_cores);
  g_free (self.lost_ns);
  say_others (result);
  if (result->status == LOOM_RULE_FIRED)
    return;
  if (result->n_datapoints == 0)
    loom_rule_result_set_not_enough (result, result->n_have, FEWEST_SECONDS + 1, C_ ("rule counts", "seconds"));
  else
    loom_rule_result_set_message (result, LOOM_RULE_PASSED,
                                  _ ("the number of loading processes suits the number of cores"));
}
