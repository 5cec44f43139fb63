/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule HostStall: fires if a step takes much longer than the other steps of its rank, because a device waits for
 * its host once. (The rule HostBound is about repeated waits; the rule DataLoadingStalls is about waits for data.) The
 * first step of a rank is not checked, because it contains the warm-up. Ranks with fewer than LEAST_STEPS steps are not
 * checked.
 */
#include <glib/gi18n.h>

#include "loom-rank-key.h"
#include "loom-rule-private.h"
#include "loom-statistics.h"
#include "loom-track-rank.h"

enum { THRESHOLD };

#define LEAST_STEPS 3

/* The steps of a rank that have the same format and the same mode. */
typedef struct {
  double median_ns;
  gint64 first_ns;   /* start of the rank's first step */
  GArray *durations; /* double: durations of the steps in ns */
} Line;

/* A step that takes longer because a device of its rank waits for the host. */
typedef struct {
  const LoomIdleGap *gap;
  const LoomStep *step;
  const LoomTrack *track; /* the stream on which the gap ends */
  gint64 wait_ns;         /* the time by which the step exceeds median_ns, but at most the length of the gap */
  gint64 median_ns;       /* median duration of the steps of the rank */
  /* time that is lost on the ranks that `n_held` counts. For each of these ranks, this is the time by which the step
   * exceeds the rank's median, but at most wait_ns; `lost_ns` is the sum over the ranks. */
  gint64 lost_ns;
  /* `n_held`: number of ranks on which the step exceeds the rank's median by more than wait_ns ÷ 2; `n_all`: number of
   * ranks that have this step */
  guint n_held, n_all;
} Stall;

static gint64
get_gap_ns (const LoomIdleGap *gap)
{
  return loom_time_sub (gap->range.end_ns, gap->range.begin_ns);
}

static gint64
get_length_ns (const LoomStep *step)
{
  return loom_time_sub (step->end_ns, step->begin_ns);
}

/* Returns a key made from trace, node and rank, which is equal for all steps of one rank. If the rank is unknown (−1),
 * all steps of the trace have the same key. */
static LoomRankKey
get_key (const LoomStep *step)
{
  return (LoomRankKey) { step->rank >= 0 ? step->node : NULL, step->rank, step->span.trace };
}

static gboolean
is_alike (const LoomStep *a, const LoomStep *b)
{
  return g_str_equal (a->format, b->format) && a->mode == b->mode;
}

static void
free_line (gpointer data)
{
  Line *line = data;
  g_array_unref (line->durations);
  g_free (line);
}

static void
add_step (GHashTable *lines, const LoomStep *step)
{
  const LoomRankKey key = get_key (step);
  double length = (double) get_length_ns (step);
  Line *line = g_hash_table_lookup (lines, &key);
  if (line == NULL) {
    line = g_new0 (Line, 1);
    line->durations = g_array_new (FALSE, FALSE, sizeof (double));
    line->first_ns = step->begin_ns;
    g_hash_table_insert (lines, g_memdup2 (&key, sizeof key), line);
  }
  line->first_ns = MIN (line->first_ns, step->begin_ns);
  g_array_append_val (line->durations, length);
}

/* Returns a hash table. Key: result of get_key() for a rank. Value: a Line with those steps of the rank that have the
 * same format and mode as `like`. */
static GHashTable *
gather_lines (const LoomSteps *steps, const LoomStep *like)
{
  GHashTable *lines = g_hash_table_new_full (loom_rank_key_hash, loom_rank_key_equal, g_free, free_line);
  GHashTableIter iter;
  gpointer value;
  for (guint i = 0; i < steps->n; i++)
    if (is_alike (&steps->all[i], like))
      add_step (lines, &steps->all[i]);
  g_hash_table_iter_init (&iter, lines);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    Line *line = value;
    line->median_ns = loom_statistics_median ((double *) (gpointer) line->durations->data, line->durations->len);
  }
  return lines;
}

static gint64
get_excess_ns (GHashTable *lines, const LoomStep *step)
{
  const LoomRankKey key = get_key (step);
  const Line *line = g_hash_table_lookup (lines, &key);
  return get_length_ns (step) - (gint64) line->median_ns;
}

/* Sets lost_ns, n_held and n_all of `stall`. For this, considers each rank that has the step of the stall, and compares
 * this step with the other steps of the rank. `lines`: result of gather_lines(). */
static void
measure_ranks (Stall *stall, const LoomSteps *steps, GHashTable *lines)
{
  for (guint i = 0; i < steps->n; i++) {
    const LoomStep *step = &steps->all[i];
    if (step != stall->step && (step->run_step != stall->step->run_step || step->run_step == LOOM_NO_RUN_STEP ||
                                !is_alike (step, stall->step)))
      continue;
    gint64 excess_ns = MIN (get_excess_ns (lines, step), stall->wait_ns);
    stall->n_all++;
    stall->n_held += excess_ns > stall->wait_ns / 2;
    stall->lost_ns = loom_time_add (stall->lost_ns, excess_ns > stall->wait_ns / 2 ? excess_ns : 0);
  }
}

/* Sets stall->step to the step in which the gap ends; sets it to NULL if there is no such step. A rank may have steps
 * of several formats. Therefore, only steps that have the same trace and the same format as the track of the device are
 * considered. */
static void
find_step (Stall *stall, LoomTimeline *timeline, const LoomSteps *steps)
{
  const LoomIdleGap *gap = stall->gap;
  const LoomStep *step = NULL;
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), gap->trace);
  guint32 track, row;
  loom_trace_locate_span (trace, gap->span, &track, &row);
  stall->track = loom_trace_get_track (trace, track);
  loom_steps_at_rank (steps, stall->track->node, stall->track->rank, stall->track->format, gap->range.end_ns, &step);
  if (step != NULL && step->span.trace == gap->trace && g_str_equal (step->format, stall->track->format) &&
      gap->range.end_ns <= step->end_ns)
    stall->step = step;
}

/* Fills `stall` for a gap and returns TRUE. Returns FALSE in three cases: the gap does not end in a step; this step is
 * the first one of its rank; the rank has fewer than LEAST_STEPS steps. */
static gboolean
measure (LoomTimeline *timeline, const LoomSteps *steps, const LoomIdleGap *gap, Stall *stall)
{
  *stall = (Stall) { .gap = gap };
  find_step (stall, timeline, steps);
  if (stall->step == NULL)
    return FALSE;
  const LoomRankKey key = get_key (stall->step);
  g_autoptr (GHashTable) lines = gather_lines (steps, stall->step);
  const Line *own = g_hash_table_lookup (lines, &key);
  if (own->durations->len < LEAST_STEPS || own->first_ns == stall->step->begin_ns || !(own->median_ns > 0))
    return FALSE;
  stall->median_ns = (gint64) own->median_ns;
  stall->wait_ns = MIN (get_gap_ns (gap), get_excess_ns (lines, stall->step));
  if (stall->wait_ns > 0)
    measure_ranks (stall, steps, lines);
  return TRUE;
}

static void
add_stall (LoomRuleResult *result, const Stall *stall)
{
  const LoomIdleGap *gap = stall->gap;
  const LoomRuleOccurrence mark = {
    gap->range.begin_ns, gap->range.end_ns, "", "", { gap->trace, gap->host != G_MAXUINT32 ? gap->host : gap->span }
  };
  result->n_violations++;
  result->lost_ns = loom_time_add (result->lost_ns, stall->lost_ns);
  result->n_lost_over = MAX (result->n_lost_over, stall->n_held);
  loom_rule_result_add_mark (result, &mark);
}

static void
say (LoomRuleResult *result, const Stall *stall)
{
  g_autofree char *wait = loom_time_format_duration (get_gap_ns (stall->gap)),
                  *length = loom_time_format_duration (get_length_ns (stall->step)),
                  *median = loom_time_format_duration (stall->median_ns),
                  *step = g_strdup_printf ("%" G_GINT64_FORMAT, stall->step->number),
                  *name = loom_rule_dup_device (stall->track->process, stall->track->rank,
                                                loom_track_rank_is_process (stall->track, stall->track->format));
  if (stall->n_all > 1 && stall->n_held == stall->n_all)
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      /* Translators: in this order: "GPU 0 of rank 3", the duration of a wait, the number of a step, the duration of
       * this step, the duration of a typical step, a number of ranks */
      ngettext ("%s waits %s for its host in step %s; the step takes %s instead of %s on all %u rank",
                "%s waits %s for its host in step %s; the step takes %s instead of %s on all %u ranks", stall->n_all),
      name, wait, step, length, median, stall->n_all);
  else if (stall->n_all > 1)
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      /* Translators: in this order: "GPU 0 of rank 3", the duration of a wait, the number of a step, the duration of
       * this step, the duration of a typical step, a number of ranks, the number of all ranks */
      _ ("%s waits %s for its host in step %s; the step takes %s instead of %s, and takes longer on %u of %u ranks"),
      name, wait, step, length, median, stall->n_held, stall->n_all);
  else
    loom_rule_result_set_message (result, LOOM_RULE_FIRED,
                                  _ ("%s waits %s for its host in step %s; the step takes %s instead of %s"), name,
                                  wait, step, length, median);
}

/* Checks the longest gaps in which devices wait for their hosts. If several gaps belong to the same step, checks only
 * the one that comes first in idle->longest_for_host. The sentence of the result describes the gap that takes the
 * largest share of the duration of a typical step. */
static void
judge (const LoomRuleContext *context, LoomRuleResult *result, const LoomIdleTime *idle, const LoomSteps *steps)
{
  double threshold = loom_rule_value (context, result, THRESHOLD), most = 0;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL); /* set of LoomStep */
  Stall stall, worst = { 0 };
  for (guint i = 0; i < idle->longest_for_host->len && !g_cancellable_is_cancelled (context->cancellable); i++) {
    const LoomIdleGap *gap = &g_array_index (idle->longest_for_host, LoomIdleGap, i);
    if (!measure (context->frame->timeline, steps, gap, &stall) || !g_hash_table_add (seen, (gpointer) stall.step))
      continue;
    double percent = 100 * (double) MAX (stall.wait_ns, 0) / (double) stall.median_ns;
    result->n_datapoints++;
    loom_rule_result_note_value (result, THRESHOLD, percent, FALSE);
    if (percent > threshold)
      add_stall (result, &stall);
    if (percent > threshold && percent > most)
      worst = stall;
    most = MAX (most, percent);
  }
  if (result->n_violations > 0)
    say (result, &worst);
  else if (result->n_datapoints > 0)
    loom_rule_result_set_message (result, LOOM_RULE_PASSED,
                                  _ ("no step is unusually long because a device waits for its host"));
  else
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE,
                                  _ ("there are no comparable steps in which a device waits for its host"));
}

void
loom_rule_host_stall (const LoomRuleContext *context, LoomRuleResult *result)
{
  static const char *const effects[] = { "CommunicationShare", "PipelineBubbles", "HostBound", "IdleGPU",
                                         "StepOutlier" };
  const LoomIdleTime *idle = loom_rule_get_idle (context);
  g_autoptr (LoomSteps) steps = idle != NULL ? loom_steps_new (context->frame->timeline, context->cancellable) : NULL;
  if (steps == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (effects); i++)
    result->explains[i] = effects[i];
  result->lost_over = LOOM_RULE_OVER_RANKS;
  judge (context, result, idle, steps);
}
