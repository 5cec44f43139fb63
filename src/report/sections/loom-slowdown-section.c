/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the cost of slow ranks, stages, operations and steps as JSON and as text.
 */
#include "loom-slowdown-section.h"

#include <math.h>

#include "loom-archive-path.h"
#include "loom-late-ranks.h"
#include "loom-report-private.h"

/* Maximum number of ranks, and of operations, in the report as text; the JSON document lists all of them. Also the
 * maximum number of kernels in the cause of a straggler. */
#define N_LISTED 8

static void
build_kernel (JsonBuilder *builder, guint element, gconstpointer user_data)
{
  const LoomSlowdownCauseName *name =
    &g_array_index (((const LoomSlowdownCause *) user_data)->names, LoomSlowdownCauseName, element);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "name", name->name);
  loom_json_util_add_int (builder, "calls", (gint64) name->calls);
  loom_json_util_add_int (builder, "time_ns", name->time_ns);
  loom_json_util_add_int (builder, "longer_ns", name->longer_ns);
  loom_json_util_add_double (builder, "factor", name->factor);
}

/* Writes the member "inputs"; nothing if the shapes of inputs are not recorded or explain nothing. */
static void
build_inputs (JsonBuilder *builder, const LoomSlowdownCause *cause)
{
  static const char *const names[] = { [LOOM_SLOWDOWN_INPUTS_SAME] = "same", [LOOM_SLOWDOWN_INPUTS_LARGER] = "larger" };
  if (cause->inputs == LOOM_SLOWDOWN_INPUTS_UNKNOWN)
    return;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "inputs");
  loom_json_util_add_text (builder, "shapes", names[cause->inputs]);
  if (cause->inputs != LOOM_SLOWDOWN_INPUTS_LARGER)
    return;
  loom_json_util_add_text (builder, "operator", cause->larger_name);
  loom_json_util_add_double (builder, "elements_factor", cause->larger);
}

/* Writes the member "cause" of a straggler; nothing if it was compared with no other rank. */
static void
build_cause (JsonBuilder *builder, const LoomSlowdownCause *cause)
{
  static const char *const kinds[] = { [LOOM_SLOWDOWN_CAUSE_UNKNOWN] = "unknown",
                                       [LOOM_SLOWDOWN_CAUSE_DEVICE] = "device",
                                       [LOOM_SLOWDOWN_CAUSE_MOST_KERNELS] = "most_kernels",
                                       [LOOM_SLOWDOWN_CAUSE_KERNELS] = "kernels",
                                       [LOOM_SLOWDOWN_CAUSE_CALLS] = "calls",
                                       [LOOM_SLOWDOWN_CAUSE_OTHER] = "other",
                                       [LOOM_SLOWDOWN_CAUSE_IDLE] = "idle" };
  if (cause == NULL || cause->n_compared == 0)
    return;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "cause");
  loom_json_util_add_text (builder, "kind", kinds[cause->kind]);
  loom_json_util_add_int (builder, "slow_steps", cause->n_steps);
  loom_json_util_add_double (builder, "factor", cause->factor);
  loom_json_util_add_double (builder, "alike_share", cause->alike);
  loom_json_util_add_double (builder, "alike_factor", cause->alike_factor);
  loom_json_util_add_double (builder, "calls_factor", cause->calls);
  loom_json_util_add_int (builder, "longer_ns", cause->longer_ns);
  loom_json_util_add_int (builder, "more_ns", cause->more_ns);
  loom_json_util_add_int (builder, "idle_ns", cause->idle_ns);
  build_inputs (builder, cause);
  loom_json_util_add_list (builder, "kernels", MIN (cause->names->len, N_LISTED), build_kernel, (gpointer) cause, NULL);
}

static void
build_worker (JsonBuilder *builder, const LoomSlowdown *slowdown, guint number)
{
  const LoomSlowdownWorker *worker = &g_array_index (slowdown->workers, LoomSlowdownWorker, number);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_int_if (builder, "rank", worker->rank >= 0, worker->rank);
  loom_json_util_add_text (builder, "node", worker->node);
  loom_json_util_add_int_if (builder, "row", worker->row >= 0, worker->row);
  loom_json_util_add_int_if (builder, "stage", worker->stage >= 0, worker->stage);
  loom_json_util_add_double (builder, "slowdown", worker->slowdown);
  loom_json_util_add_int (builder, "excess_ns", worker->excess_ns);
  gboolean is_known = worker->saved_ns != G_MININT64;
  loom_json_util_add_int_if (builder, "saved_ns", is_known, worker->saved_ns);
  loom_json_util_add_int_if (builder, "saved_of_replayed_step_ns", is_known, worker->saved_of_length_ns);
  loom_json_util_add_int_if (builder, "caused_ns", worker->waits_ns != G_MININT64, worker->waits_ns);
  loom_json_util_add_doubles (builder, "steps", slowdown->cells + (gsize) number * slowdown->steps->len,
                              slowdown->steps->len);
  build_cause (builder, loom_slowdown_find_cause (slowdown, worker));
}

/* Writes the member "stragglers", which identifies the stragglers by their indices in "ranks". */
static void
build_stragglers (JsonBuilder *builder, const LoomSlowdown *slowdown)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "stragglers");
  loom_json_util_add_int (builder, "saved_ns", slowdown->saved_ns);
  loom_json_util_add_int (builder, "caused_ns", slowdown->caused_ns);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "ranks");
  for (guint i = 0; i < slowdown->stragglers->len; i++)
    json_builder_add_int_value (builder, g_array_index (slowdown->stragglers, guint, i));
}

static void
build_parts (JsonBuilder *builder, const char *name, const GArray *parts, const double *steps, guint n_steps)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, name);
  for (guint i = 0; i < parts->len; i++) {
    const LoomSlowdownPart *part = &g_array_index (parts, LoomSlowdownPart, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    if (part->name != NULL)
      loom_json_util_add_text (builder, "name", part->name);
    else
      loom_json_util_add_int (builder, "number", part->number);
    loom_json_util_add_double (builder, "slowdown", part->slowdown);
    if (steps != NULL)
      loom_json_util_add_doubles (builder, "steps", steps + (gsize) i * n_steps, n_steps);
  }
}

static void
build_steps (JsonBuilder *builder, const LoomSlowdown *slowdown)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "steps");
  for (guint i = 0; i < slowdown->steps->len; i++) {
    const LoomSlowdownStep *step = &g_array_index (slowdown->steps, LoomSlowdownStep, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_int_if (builder, "step", step->number >= 0, step->number);
    loom_json_util_add_int (builder, "start_ns", step->range.begin_ns);
    loom_json_util_add_int (builder, "measured_ns", step->measured_ns);
    loom_json_util_add_int (builder, "replayed_ns", step->replayed_ns);
    loom_json_util_add_int (builder, "ideal_ns", step->ideal_ns);
    loom_json_util_add_double (builder, "slowdown", step->slowdown);
  }
}

void
loom_slowdown_section_build (const LoomSlowdown *slowdown, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "slowdown");
  loom_report_add_missing (builder, slowdown->missing);
  if (slowdown->missing != NULL)
    return;
  loom_json_util_add_text (builder, "computed_from",
                           slowdown->source == LOOM_SLOWDOWN_OF_KERNELS ? "kernels" : "operations");
  loom_json_util_add_double (builder, "slowdown", slowdown->slowdown);
  loom_json_util_add_double (builder, "fit", slowdown->fit);
  loom_json_util_add_int (builder, "step_ns", slowdown->measured_ns);
  loom_json_util_add_int (builder, "mean_step_ns", loom_slowdown_get_pace (slowdown));
  loom_json_util_add_int (builder, "replayed_step_ns", slowdown->replayed_ns);
  loom_json_util_add_int (builder, "ideal_step_ns", slowdown->ideal_ns);
  loom_json_util_add_int (builder, "typical_step_ns", slowdown->typical_ns);
  loom_json_util_add_double (builder, "worst_workers", slowdown->worst_workers);
  loom_json_util_add_int (builder, "worst_workers_count", slowdown->n_worst);
  loom_json_util_add_double (builder, "last_stage", slowdown->last_stage);
  loom_json_util_add_int (builder, "waits_ns", slowdown->waits_ns);
  build_stragglers (builder, slowdown);
  {
    g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "ranks");
    for (guint i = 0; i < slowdown->workers->len; i++)
      build_worker (builder, slowdown, i);
  }
  build_parts (builder, "rows", slowdown->rows, slowdown->row_steps, slowdown->steps->len);
  build_parts (builder, "stages", slowdown->stages, slowdown->stage_steps, slowdown->steps->len);
  build_parts (builder, "operations", slowdown->kinds, NULL, 0);
  build_steps (builder, slowdown);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static double
get_ratio (gint64 ns, gint64 of_ns)
{
  return of_ns > 0 ? (double) ns / (double) of_ns : NAN;
}

static int
compare_saved (gconstpointer a, gconstpointer b)
{
  gint64 x = (*(const LoomSlowdownWorker *const *) a)->saved_ns, y = (*(const LoomSlowdownWorker *const *) b)->saved_ns;
  return x > y ? -1 : x < y;
}

/* Writes how many more kernels a rank runs, or how long additional kernels take. */
static void
write_more (GString *out, const LoomSlowdownCause *cause)
{
  g_autofree char *time = loom_time_format_duration (loom_slowdown_cause_get_more_time (cause));
  if (cause->calls > 1)
    g_string_append_printf (out, "    it runs %.0f %% more kernels than the median of the other ranks\n",
                            100 * (cause->calls - 1));
  else if (cause->has_more)
    g_string_append_printf (out, "    it runs additional or other kernels, which take %s longer per step\n", time);
}

static void
write_inputs (GString *out, const LoomSlowdownCause *cause)
{
  if (cause->inputs == LOOM_SLOWDOWN_INPUTS_SAME)
    g_string_append (out, "    the inputs of its operators have the same shapes as on other ranks\n");
  if (cause->inputs != LOOM_SLOWDOWN_INPUTS_LARGER)
    return;
  g_autofree char *printable = loom_archive_path_dup_printable (cause->larger_name);
  g_string_append_printf (out,
                          "    its inputs are larger: those of %s have %.0f %% more elements than on other ranks\n",
                          printable, 100 * (cause->larger - 1));
}

static void
write_cause (GString *out, const LoomSlowdownCause *cause)
{
  if (cause->kind == LOOM_SLOWDOWN_CAUSE_DEVICE)
    g_string_append_printf (out, "    nearly all its kernels take about %.0f %% longer than on the other ranks\n",
                            100 * (cause->factor - 1));
  else if (cause->kind == LOOM_SLOWDOWN_CAUSE_MOST_KERNELS)
    g_string_append_printf (
      out, "    most of its kernels (%.0f %% of their time) take about %.0f %% longer than on the other ranks\n",
      100 * cause->alike, 100 * (cause->alike_factor - 1));
  else if (cause->kind == LOOM_SLOWDOWN_CAUSE_KERNELS) {
    g_autofree char *names = loom_slowdown_cause_dup_names (cause),
                    *printable = loom_archive_path_dup_printable (names);
    g_string_append_printf (out, "    kernels that take longer than on the other ranks: %s\n", printable);
  }
  write_inputs (out, cause);
  write_more (out, cause);
}

static void
write_worker (GString *out, const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker)
{
  g_autofree char *saved = loom_time_format_duration (worker->saved_ns);
  if (worker->rank >= 0)
    g_string_append_printf (out, "  rank %d", worker->rank);
  else
    g_string_append_printf (out, "  data-parallel rank %d, stage %d", worker->row, worker->stage);
  g_string_append_printf (out,
                          ": if it computed as fast as is typical of its stage, a step would be %s shorter (%.1f %%)\n",
                          saved, 100 * loom_slowdown_get_saving (slowdown, worker));
  const LoomSlowdownCause *cause = loom_slowdown_find_cause (slowdown, worker);
  if (cause != NULL && loom_slowdown_is_straggler (slowdown, worker))
    write_cause (out, cause);
}

static void
write_workers (GString *out, const LoomSlowdown *slowdown)
{
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  for (guint i = 0; i < slowdown->workers->len; i++)
    if (loom_slowdown_get_saving (slowdown, &g_array_index (slowdown->workers, LoomSlowdownWorker, i)) >= 0.001)
      g_ptr_array_add (order, &g_array_index (slowdown->workers, LoomSlowdownWorker, i));
  g_ptr_array_sort (order, compare_saved);
  for (guint i = 0; i < MIN (order->len, N_LISTED); i++)
    write_worker (out, slowdown, order->pdata[i]);
}

/* Writes a line that names slow links as the cause of the slowdown. It is written only if this cause is likely: the
 * slowdown is high, no rank is a straggler, and the transfers are not equally fast. */
static void
write_links (GString *out, const LoomSlowdown *slowdown)
{
  const LoomSlowdownPart *part = loom_slowdown_find_unequal_transfers (slowdown);
  if (part == NULL || slowdown->stragglers->len > 0 || slowdown->slowdown < LOOM_SLOWDOWN_STRAGGLING)
    return;
  g_autofree char *name = loom_archive_path_dup_printable (part->name != NULL ? part->name : "transfers"),
                  *saved = loom_time_format_duration (slowdown->transfer_loss_ns);
  g_string_append_printf (
    out,
    "  slow links, not slow ranks: if each %s were typical, a step would be up to %s shorter (%.1f %%); see Transfers\n",
    name, saved, 100 * get_ratio (slowdown->transfer_loss_ns, loom_slowdown_get_pace (slowdown)));
}

/* Writes a line about the ranks that are late because of work on their hosts. The computed slowdown does not include
 * this delay: the slowdown is computed by simulating the job with other durations of device work, but with the measured
 * times of hosts. Returns FALSE if there are no such ranks. */
static gboolean
write_uncovered (GString *out, const LoomSlowdown *slowdown, const LoomStragglers *stragglers)
{
  g_autoptr (LoomHostDelay) delay = loom_slowdown_find_uncovered (slowdown, stragglers);
  if (delay == NULL)
    return FALSE;
  g_autofree char *name = loom_archive_path_dup_printable (delay->before), *ranks = loom_host_delay_dup_ranks (delay),
                  *longer = loom_time_format_duration (delay->before_ns),
                  *saved = loom_time_format_duration (delay->saved_ns);
  g_string_append_printf (
    out, "  not covered: rank%s %s: up to %s longer in %s on the host, without which up to %s would be saved\n",
    loom_report_plural (delay->n), ranks, longer, name, saved);
  return TRUE;
}

/* Writes lines about the rank for which the others wait because its kernels and idle times together take longer. */
static void
write_unequal (GString *out, const LoomSlowdown *slowdown, const LoomStragglers *stragglers)
{
  const LoomSlowdownCause *cause;
  const LoomStraggler *rank = stragglers != NULL ? loom_late_ranks_find_unequal (slowdown, stragglers, &cause) : NULL;
  if (rank == NULL)
    return;
  g_autofree char *idle = loom_time_format_duration (cause->idle_ns),
                  *late = loom_time_format_duration (cause->late_ns);
  if (cause->kind == LOOM_SLOWDOWN_CAUSE_CALLS)
    g_string_append_printf (
      out, "  not covered: rank %d: its kernels take as long as on the other ranks, but it runs %.0f %% more of them\n",
      rank->rank, 100 * (cause->calls - 1));
  else if (cause->kind == LOOM_SLOWDOWN_CAUSE_IDLE)
    g_string_append_printf (
      out,
      "  not covered: rank %d: its kernels take as long as on the other ranks, but its devices are idle %s longer per step on average\n",
      rank->rank, idle);
  else {
    g_string_append_printf (
      out,
      "  not covered: rank %d: its kernels and idle times together take %s longer per step than on the other ranks\n",
      rank->rank, late);
    write_cause (out, cause);
  }
}

void
loom_slowdown_section_write (const LoomSlowdown *slowdown, const LoomStragglers *stragglers, GString *out)
{
  if (slowdown->missing != NULL)
    return;
  g_autofree char *step = loom_time_format_duration (slowdown->replayed_pace_ns),
                  *ideal = loom_time_format_duration (slowdown->ideal_pace_ns);
  g_string_append (out, "\nWhat slow ranks and operations cost\n");
  if (!loom_slowdown_fits (slowdown)) {
    g_string_append_printf (out, "  the waits that are known do not explain the steps (measured ÷ replayed %.2f)\n",
                            slowdown->fit);
    return;
  }
  g_string_append_printf (
    out,
    "  a step takes %s, with equally fast operations %s: %.3f times as long; from its first start to its last end, %.3f times\n",
    step, ideal, get_ratio (slowdown->replayed_pace_ns, slowdown->ideal_pace_ns), slowdown->slowdown);
  if (isfinite (slowdown->worst_workers) && slowdown->slowdown >= LOOM_SLOWDOWN_STRAGGLING)
    g_string_append_printf (out, "  the worst %u of %u explain %.0f %% of that\n", slowdown->n_worst,
                            slowdown->workers->len, 100 * slowdown->worst_workers);
  write_links (out, slowdown);
  write_workers (out, slowdown);
  if (!write_uncovered (out, slowdown, stragglers))
    write_unequal (out, slowdown, stragglers);
}
