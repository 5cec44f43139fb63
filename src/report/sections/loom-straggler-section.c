/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the waits of ranks, and the collectives that were delayed most, as JSON and as text.
 */
#include "loom-straggler-section.h"

#include <math.h>

#include "loom-archive-path.h"
#include "loom-json-util.h"
#include "loom-missing-ranks.h"
#include "loom-report-private.h"

/* Maximum number of ranks in the report as text. */
#define N_RANKS 16

static const char missing[] = "No collectives of several ranks were found.";

static void
build_rank (JsonBuilder *builder, guint element, gconstpointer user_data)
{
  const LoomStragglers *stragglers = user_data;
  const LoomStraggler *rank = &stragglers->ranks[element];
  guint source = loom_run_get_first_source (loom_timeline_get_run (stragglers->collectives->timeline), rank->trace);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_int_if (builder, "rank", rank->rank >= 0, rank->rank);
  if (rank->node != NULL)
    loom_json_util_add_text (builder, "node", rank->node);
  loom_json_util_add_int (builder, "source", source);
  loom_json_util_add_int (builder, "collectives", rank->n);
  loom_json_util_add_int (builder, "others_wait_ns", rank->others_ns);
  loom_json_util_add_int (builder, "latest_ns", rank->latest_ns);
  loom_json_util_add_int (builder, "last", rank->n_last);
  loom_json_util_add_int (builder, "late_ns", rank->late_ns);
  loom_json_util_add_int (builder, "late_median_ns", rank->late_median_ns);
  loom_json_util_add_int (builder, "late_max_ns", rank->late_max_ns);
  loom_json_util_add_int (builder, "wait_ns", rank->wait_ns);
  loom_json_util_add_int (builder, "transfer_ns", rank->transfer_ns);
  if (rank->before != NULL) {
    loom_json_util_add_text (builder, "before", rank->before);
    loom_json_util_add_text (builder, "before_on", rank->on_host ? "host" : "device");
    loom_json_util_add_int (builder, "before_ns", rank->before_ns);
    loom_json_util_add_int (builder, "behind_ns", rank->behind_ns);
    loom_json_util_add_int_if (builder, "devices_ns", rank->n_names > 0, rank->devices_ns);
  }
  loom_json_util_add_double (builder, "correlation", rank->correlation);
}

/* The collectives in which ranks waited longest. */
typedef struct {
  LoomCollectives *collectives; /* borrowed */
  GPtrArray *order;             /* const LoomCollective *, the longest wait first */
} HeldUp;

static void
free_held_up (gpointer data)
{
  HeldUp *held_up = data;
  g_ptr_array_unref (held_up->order);
  g_free (held_up);
}

static void
build_member (JsonBuilder *builder, guint element, gconstpointer user_data)
{
  const LoomCollectiveMember *member = (const LoomCollectiveMember *) user_data + element;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_int_if (builder, "rank", member->rank >= 0, member->rank);
  loom_json_util_add_int (builder, "arrival_ns", member->arrival_ns);
  loom_json_util_add_int (builder, "end_ns", member->end_ns);
  loom_json_util_add_int (builder, "wait_ns", member->wait_ns);
}

static void
build_collective (JsonBuilder *builder, guint element, gconstpointer user_data)
{
  LoomCollectives *collectives = ((const HeldUp *) user_data)->collectives;
  const LoomCollective *collective = ((const HeldUp *) user_data)->order->pdata[element];
  const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "name", collective->name);
  loom_json_util_add_text (builder, "group", collective->group);
  loom_json_util_add_int_if (builder, "sequence", collective->sequence != LOOM_SEQUENCE_NONE, collective->sequence);
  loom_json_util_add_int (builder, "last_arrival_ns", collective->arrival_ns);
  loom_json_util_add_int (builder, "end_ns", collective->end_ns);
  loom_json_util_add_int (builder, "transfer_ns", collective->transfer_ns);
  loom_json_util_add_int (builder, "late_by_ns", collective->late_by_ns);
  loom_json_util_add_list (builder, "members", collective->n, build_member, (gpointer) members, NULL);
}

static int
compare_held_up (gconstpointer x, gconstpointer y, gpointer user_data)
{
  LoomCollectives *collectives = user_data;
  const LoomCollective *a = *(const LoomCollective *const *) x, *b = *(const LoomCollective *const *) y;
  gint64 wait_a = loom_collectives_get_members (collectives, a)->wait_ns,
         wait_b = loom_collectives_get_members (collectives, b)->wait_ns;
  if (wait_a != wait_b)
    return wait_a > wait_b ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void
build_held_up (JsonBuilder *builder, LoomCollectives *collectives)
{
  HeldUp *held_up = g_new (HeldUp, 1);
  *held_up = (HeldUp) { collectives, g_ptr_array_sized_new (collectives->n) };
  for (guint i = 0; i < collectives->n; i++)
    g_ptr_array_add (held_up->order, (gpointer) &collectives->all[i]);
  g_ptr_array_sort_with_data (held_up->order, compare_held_up, collectives);
  loom_json_util_add_list (builder, "held_up", MIN (collectives->n, LOOM_HELD_UP_TOLD), build_collective, held_up,
                           free_held_up);
}

static guint
count_missing (const LoomCollectives *collectives)
{
  g_autoptr (LoomMissingRanks) ranks = loom_missing_ranks_new (loom_timeline_get_run (collectives->timeline));
  return loom_missing_ranks_count (ranks);
}

void
loom_straggler_section_build (const LoomStragglers *stragglers, JsonBuilder *builder)
{
  LoomCollectives *collectives = stragglers->collectives;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "collectives");
  if (collectives->n == 0)
    loom_json_util_add_text (builder, "missing", missing);
  loom_json_util_add_int (builder, "count", collectives->n);
  loom_json_util_add_int (builder, "missing_ranks", count_missing (collectives));
  loom_json_util_add_int (builder, "wait_ns", stragglers->wait_ns);
  loom_json_util_add_int (builder, "transfer_ns", stragglers->transfer_ns);
  loom_json_util_add_list (builder, "ranks", stragglers->n_ranks, build_rank, (gpointer) stragglers, NULL);
  build_held_up (builder, collectives);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* Returns TRUE if the work of a rank may be the reason why it is late. `delay`: the hosts that are the reason; NULL:
 * none. If the slowdown fits and no host is the reason, only the work of slow ranks may be: the others are late because
 * they wait for a slow rank or for a slow link, or by chance. */
static gboolean
is_cause (const LoomHostDelay *delay, const LoomSlowdown *slowdown, const LoomStraggler *rank)
{
  if (!loom_slowdown_fits (slowdown) || delay != NULL)
    return TRUE;
  const LoomSlowdownWorker *worker = loom_slowdown_find_worker (slowdown, rank->node, rank->rank);
  return worker != NULL && loom_slowdown_is_straggler (slowdown, worker);
}

/* Writes what the rank does before it arrives, and how much of its delay this explains. */
static void
write_before (const LoomStraggler *rank, GString *out)
{
  if (rank->before != NULL) {
    g_autofree char *name = loom_archive_path_dup_printable (rank->before),
                    *longer = loom_time_format_duration (rank->before_ns);
    g_string_append_printf (
      out, "; before that it spends %s longer in %s%s than the median rank, summed over its late arrivals", longer,
      name, rank->on_host ? " (host)" : "");
  }
  if (rank->n_names > 0) {
    g_autofree char *all = loom_time_format_duration (rank->devices_ns);
    g_string_append_printf (out, "; all %u kernels with more time together: %s", rank->n_names, all);
  }
  if (rank->before != NULL && rank->behind_ns > 0)
    g_string_append_printf (out, ", which explains %.0f %% of its delay",
                            100 * (double) (rank->n_names > 0 ? rank->devices_ns : rank->before_ns) /
                              (double) rank->behind_ns);
  if (!isnan (rank->correlation))
    g_string_append_printf (out, ", correlation %.2f", rank->correlation);
}

static void
write_rank (const LoomRun *run, const LoomStraggler *rank, const LoomHostDelay *delay, const LoomSlowdown *slowdown,
            GString *out)
{
  guint source = loom_run_get_first_source (run, rank->trace);
  g_autofree char *who =
    loom_report_dup_who (run, rank->rank, loom_report_is_process (run, rank->rank, source), source);
  g_autofree char *others = loom_time_format_duration (rank->others_ns);
  g_autofree char *late = loom_time_format_duration (rank->late_ns),
                  *waited = loom_time_format_duration (rank->wait_ns);
  g_string_append_printf (out, "  %-20s others wait %s for it; last in %u of %u, by %s in all; waits %s itself", who,
                          others, rank->n_last, rank->n, late, waited);
  if (is_cause (delay, slowdown, rank))
    write_before (rank, out);
  else if (slowdown->stragglers->len > 0)
    g_string_append (out, "; it is not a slow rank itself");
  g_string_append_c (out, '\n');
}

void
loom_straggler_section_write (const LoomStragglers *stragglers, const LoomSlowdown *slowdown, GString *out)
{
  LoomCollectives *collectives = stragglers->collectives;
  const LoomStraggler *ranks = stragglers->ranks;
  g_string_append (out, "\nCollectives across ranks, the rank that is waited for longest first\n");
  if (collectives->n == 0) {
    g_string_append_printf (out, "  %s\n", missing);
    return;
  }
  g_autoptr (LoomHostDelay) delay = loom_slowdown_find_uncovered (slowdown, stragglers);
  g_autofree char *wait = loom_time_format_duration (stragglers->wait_ns);
  g_autofree char *transfer = loom_time_format_duration (stragglers->transfer_ns);
  g_string_append_printf (
    out, "  %u collective%s; all ranks together waited %s and transferred for %s, not counting messages\n",
    collectives->n, loom_report_plural (collectives->n), wait, transfer);
  guint n_missing = count_missing (collectives);
  if (n_missing > 0)
    g_string_append_printf (out,
                            "  waits for %u rank%s of the job that %s not open are unknown and count as transfer\n",
                            n_missing, loom_report_plural (n_missing), n_missing == 1 ? "is" : "are");
  for (guint i = 0; i < MIN (stragglers->n_ranks, N_RANKS); i++)
    write_rank (loom_timeline_get_run (collectives->timeline), &ranks[i], delay, slowdown, out);
  if (stragglers->n_ranks > N_RANKS)
    g_string_append_printf (out, "  and %u more rank%s\n", stragglers->n_ranks - N_RANKS,
                            loom_report_plural (stragglers->n_ranks - N_RANKS));
}
