/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule CopyBound: fires if devices copy memory for a large share of the time without computing or communicating.
 * The time in which devices only copy is defined like exposed_copy_ns in loom-rank-breakdown.h, but measured for each
 * device.
 */
#include <glib/gi18n.h>

#include "loom-device-rows.h"
#include "loom-ellipsize.h"
#include "loom-parallel.h"
#include "loom-rule-private.h"

enum { THRESHOLD };

/* The rule does not fire for a device with fewer copies than this, because the device's share of time in copies is then
 * not typical of the run. */
#define MIN_COPIES 10
#define MAX_MARKS 50
#define NAME_LETTERS 40

/* An interval in which a device only copies. */
typedef struct {
  gint64 begin_ns, end_ns;
  LoomSpanId copy; /* a copy that runs when the interval begins */
} Stretch;

typedef struct {
  gint64 recorded_ns, exposed_ns;
  guint64 n_copies;
  /* Stretch: the longest intervals of this device, at most MAX_MARKS; sorted by start after all intervals are known */
  GArray *longest;
  guint least; /* index of the shortest interval in `longest`; set when `longest` has MAX_MARKS elements */
} Device;

typedef struct {
  const LoomRuleContext *context;
  const LoomDeviceRows *rows;
  Device *devices; /* array: [index in rows->groups] the device of this group */
} Job;

static gint64
get_length (const GArray *stretches, guint i)
{
  const Stretch *stretch = &g_array_index (stretches, Stretch, i);
  return stretch->end_ns - stretch->begin_ns;
}

/* Adds an interval to device->longest. If this array already has MAX_MARKS elements, the interval replaces the shortest
 * element; if the interval is not longer than the shortest element, nothing is changed. For most intervals, this takes
 * only one comparison. */
static void
keep_longest (Device *device, Stretch stretch)
{
  GArray *longest = device->longest;
  if (longest->len < MAX_MARKS)
    g_array_append_val (longest, stretch);
  else if (stretch.end_ns - stretch.begin_ns > get_length (longest, device->least))
    g_array_index (longest, Stretch, device->least) = stretch;
  else
    return;
  for (guint i = device->least = 0; i < longest->len; i++)
    if (get_length (longest, i) < get_length (longest, device->least))
      device->least = i;
}

static int
compare_begins (gconstpointer a, gconstpointer b)
{
  const Stretch *x = a, *y = b;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static void
count_stretch (gint64 begin_ns, gint64 end_ns, guint mask, gpointer data)
{
  Device *device = data;
  guint work = mask & ~LOOM_GPU_RECORDED;
  device->recorded_ns += end_ns - begin_ns;
  if (work == 0 || (work & ~LOOM_GPU_COPIES) != 0)
    return;
  device->exposed_ns += end_ns - begin_ns;
  keep_longest (device, (Stretch) { begin_ns, end_ns, LOOM_SPAN_ID_NONE });
}

/* Counts a copy, and sets the member `copy` of each interval in device->longest that begins while the copy runs.
 * `first`: index of the first interval that may begin while the copy runs; each call increases it. Therefore, the
 * copies of a row, which do not overlap, must be passed in order of time. */
static void
offer_copy (Device *device, LoomSpanId copy, gint64 begin_ns, gint64 end_ns, guint *first)
{
  const GArray *longest = device->longest;
  device->n_copies++;
  while (*first < longest->len && g_array_index (longest, Stretch, *first).begin_ns < begin_ns)
    ++*first;
  for (guint i = *first; i < longest->len && g_array_index (longest, Stretch, i).begin_ns < end_ns; i++)
    g_array_index (longest, Stretch, i).copy = copy;
}

static void
find_copies (const Job *job, const LoomDeviceRow *row, Device *device)
{
  LoomTimeline *timeline = job->context->frame->timeline;
  LoomRange range = job->context->frame->range;
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), row->trace);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint first = 0;
  for (guint32 i = row->first; i < row->end; i++) {
    if (!loom_device_rows_is_work (row, spans, i) || ((1u << row->works[spans->name_id[i]]) & LOOM_GPU_COPIES) == 0)
      continue;
    LoomSpanId copy = { row->trace, i };
    gint64 begin_ns, end_ns;
    loom_timeline_get_span (timeline, copy, &begin_ns, &end_ns);
    if (begin_ns < range.end_ns && end_ns > range.begin_ns)
      offer_copy (device, copy, MAX (begin_ns, range.begin_ns), end_ns, &first);
  }
}

static void
measure_device (guint item, guint worker, gpointer data)
{
  Job *job = data;
  const LoomDeviceRowGroup *group = job->rows->groups->pdata[item];
  Device *device = &job->devices[item];
  LoomDeviceRowsSeen seen;
  device->longest = g_array_new (FALSE, FALSE, sizeof (Stretch));
  if (!loom_device_rows_sweep (job->rows, group, job->context->frame->range, count_stretch, device, &seen,
                               job->context->cancellable))
    return;
  g_array_sort (device->longest, compare_begins);
  for (guint i = 0; i < group->rows->len; i++)
    find_copies (job, &g_array_index (group->rows, LoomDeviceRow, i), device);
}

static double
get_percent (const Device *device)
{
  return device->recorded_ns > 0 ? 100 * (double) device->exposed_ns / (double) device->recorded_ns : 0;
}

/* Returns TRUE if device `a` is worse than device `b`, else FALSE. A device with at least MIN_COPIES copies is worse
 * than a device with fewer. If both devices or neither of them have at least MIN_COPIES copies, the device with the
 * larger share of time in copies is worse. */
static gboolean
is_worse (const Device *a, const Device *b)
{
  gboolean enough = a->n_copies >= MIN_COPIES;
  return enough != (b->n_copies >= MIN_COPIES) ? enough : get_percent (a) > get_percent (b);
}

/* Counts the devices that exceed the threshold. Returns the index of the worst device in job->devices; −1: no device
 * was recorded. */
static int
count_devices (const Job *job, LoomRuleResult *result)
{
  double threshold = loom_rule_value (job->context, result, THRESHOLD);
  int worst = -1;
  for (guint i = 0; i < job->rows->groups->len; i++) {
    const LoomDeviceRowGroup *group = job->rows->groups->pdata[i];
    const Device *device = &job->devices[i];
    if (device->recorded_ns == 0)
      continue;
    g_autofree char *name = loom_rule_dup_device (group->device, group->rank, group->is_process);
    loom_rule_details_set (result->details, name, get_percent (device));
    loom_rule_result_note_value (result, THRESHOLD, get_percent (device), FALSE);
    result->n_datapoints++;
    if (worst < 0 || is_worse (device, &job->devices[worst]))
      worst = (int) i;
    if (!(get_percent (device) > threshold) || device->n_copies < MIN_COPIES)
      continue;
    result->n_violations++;
    result->lost_ns = loom_time_add (result->lost_ns, device->exposed_ns);
  }
  return worst;
}

/* Marks the intervals in device->longest. Returns the name of the copy in the longest interval; NULL: unknown. Owned by
 * the caller. */
static char *
mark_stretches (const Job *job, LoomRuleResult *result, const Device *device)
{
  const Stretch *longest = NULL;
  for (guint i = 0; i < device->longest->len; i++) {
    const Stretch *stretch = &g_array_index (device->longest, Stretch, i);
    LoomRuleOccurrence mark = { stretch->begin_ns, stretch->end_ns, "", "", stretch->copy };
    loom_rule_result_add_mark (result, &mark);
    if (longest == NULL || stretch->end_ns - stretch->begin_ns > longest->end_ns - longest->begin_ns)
      longest = stretch;
  }
  if (longest == NULL || loom_timeline_span_id_is_none (longest->copy))
    return NULL;
  LoomRun *run = loom_timeline_get_run (job->context->frame->timeline);
  LoomTrace *trace = loom_run_get_trace (run, longest->copy.trace);
  guint32 name = loom_trace_get_spans (trace)->name_id[longest->copy.span];
  return loom_ellipsize_middle (loom_trace_get_name (trace, name)->text, NAME_LETTERS);
}

/* Returns a mean over the devices that exceed the threshold: the share of time, in percent, in which they only copy
 * memory. It is the sum of the times in which these devices only copy ÷ the sum of their recorded times. */
static double
get_mean_percent (const Job *job, LoomRuleResult *result)
{
  double threshold = loom_rule_value (job->context, result, THRESHOLD);
  Device sum = { 0 };
  for (guint i = 0; i < job->rows->groups->len; i++)
    if (get_percent (&job->devices[i]) > threshold && job->devices[i].n_copies >= MIN_COPIES) {
      sum.recorded_ns = loom_time_add (sum.recorded_ns, job->devices[i].recorded_ns);
      sum.exposed_ns = loom_time_add (sum.exposed_ns, job->devices[i].exposed_ns);
    }
  return get_percent (&sum);
}

static void
say_fired (const Job *job, LoomRuleResult *result, guint worst)
{
  const LoomDeviceRowGroup *group = job->rows->groups->pdata[worst];
  g_autofree char *name = loom_rule_dup_device (group->device, group->rank, group->is_process);
  g_autofree char *copy = mark_stretches (job, result, &job->devices[worst]);
  result->lost_over = LOOM_RULE_OVER_DEVICES;
  result->n_lost_over = (guint) result->n_violations;
  if (result->n_datapoints <= 1) {
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      /* Translators: the name of a device, a percentage, and the name of the copy that takes longest, such
       * as "Memcpy HtoD" */
      _ ("%s does nothing but copy memory for %.1f %% of its time; the longest of these periods is in “%s”"), name,
      get_percent (&job->devices[worst]), copy != NULL ? copy : "");
    return;
  }
  if (result->n_violations > 1) {
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      /* Translators: two numbers of devices, a percentage, the name of a copy such as "Memcpy HtoD", and a device */
      _ (
        "%u of %u devices do nothing but copy memory for %.1f %% of their time; the longest of these periods is in “%s” on %s"),
      (guint) result->n_violations, (guint) result->n_datapoints, get_mean_percent (job, result),
      copy != NULL ? copy : "", name);
    return;
  }
  loom_rule_result_set_message (
    result, LOOM_RULE_FIRED,
    _ (
      "%s does nothing but copy memory for %.1f %% of its time; the longest of these periods is in “%s”; this affects %u of %u devices"),
    name, get_percent (&job->devices[worst]), copy != NULL ? copy : "", (guint) result->n_violations,
    (guint) result->n_datapoints);
}

static void
judge (const Job *job, LoomRuleResult *result)
{
  int worst = count_devices (job, result);
  if (worst < 0) {
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, _ ("there are no device kernels or device copies"));
    return;
  }
  if (result->n_violations > 0) {
    say_fired (job, result, (guint) worst);
    return;
  }
  const Device *device = &job->devices[worst];
  if (device->n_copies < MIN_COPIES && get_percent (device) > 0) {
    loom_rule_result_set_not_enough (result, device->n_copies, MIN_COPIES, C_ ("rule counts", "copies"));
    return;
  }
  const LoomDeviceRowGroup *group = job->rows->groups->pdata[worst];
  g_autofree char *name = loom_rule_dup_device (group->device, group->rank, group->is_process);
  loom_rule_result_set_message (result, LOOM_RULE_PASSED, _ ("%s does nothing but copy memory for %.1f %% of its time"),
                                name, get_percent (device));
}

void
loom_rule_copy_bound (const LoomRuleContext *context, LoomRuleResult *result)
{
  g_autoptr (LoomDeviceRows) rows = loom_device_rows_new (context->frame->timeline, TRUE, context->cancellable);
  if (rows == NULL)
    return;
  g_autofree Device *devices = g_new0 (Device, MAX (rows->groups->len, 1));
  Job job = { context, rows, devices };
  loom_parallel_for (rows->groups->len, 0, measure_device, &job, NULL);
  if (!g_cancellable_is_cancelled (context->cancellable))
    judge (&job, result);
  for (guint i = 0; i < rows->groups->len; i++)
    g_array_unref (devices[i].longest);
}
