/* SPDX-License-Identifier: Apache-2.0
 *
 * What was computed, for people: a line per rank, kind and kernel.
 */
#include "loom-span-analysis.h"

#include "loom-archive-path.h"
#include "loom-report-private.h"
#include "loom-straggler-section.h"

/* The text lists this many kernels; the JSON document lists all. */
#define N_KERNELS 10
#define NAME_WIDTH 60

static void
write_place (const LoomSpanAnalysis *computed, GString *out, const char *node, gint rank, gboolean is_process,
             const guint *sources)
{
  g_autofree char *who = loom_report_dup_who (loom_timeline_get_run (computed->timeline), rank, is_process, sources[0]);
  g_autofree char *host = node != NULL ? loom_archive_path_dup_printable (node) : NULL;
  g_autofree char *place = host != NULL ? g_strdup_printf ("%s, %s", host, who) : g_strdup (who);
  g_string_append_printf (out, "  %-20s ", place);
}

/* Makes a name printable and cuts off long arguments. */
static char *
dup_name (const char *name)
{
  g_autofree char *printable = loom_archive_path_dup_printable (name);
  if (g_utf8_strlen (printable, -1) <= NAME_WIDTH)
    return g_steal_pointer (&printable);
  g_autofree char *head = g_utf8_substring (printable, 0, NAME_WIDTH - 1);
  return g_strconcat (head, "…", NULL);
}

static double
percent (gint64 part_ns, gint64 whole_ns)
{
  return whole_ns > 0 ? 100 * (double) part_ns / (double) whole_ns : 0;
}

static void
write_ranks (const LoomSpanAnalysis *computed, GString *out)
{
  guint n;
  const LoomRankBreakdown *breakdown = computed->ranks;
  const LoomRankTime *ranks = loom_rank_breakdown_get (breakdown, &n);
  g_string_append (out, "Devices by rank, computed from kernels and copies\n");
  if (n == 0)
    g_string_append_printf (out, "  %s\n", loom_rank_breakdown_get_missing (breakdown));
  for (guint i = 0; i < n; i++) {
    const LoomRankTime *rank = &ranks[i];
    g_autofree char *recorded = loom_time_format_duration (rank->recorded_ns);
    write_place (computed, out, rank->node, rank->rank, FALSE, rank->sources);
    g_string_append_printf (
      out, "%s: computing %.1f %%, communicating alone %.1f %%, copying alone %.1f %%, idle %.1f %%", recorded,
      percent (rank->compute_ns, rank->recorded_ns), percent (rank->exposed_communication_ns, rank->recorded_ns),
      percent (rank->exposed_copy_ns, rank->recorded_ns), percent (rank->idle_ns, rank->recorded_ns));
    if (rank->communication_ns > 0)
      g_string_append_printf (out, "; %.1f %% of communication under computation",
                              percent (rank->overlap_ns, rank->communication_ns));
    g_string_append_c (out, '\n');
  }
}

static void
write_work (const LoomSpanAnalysis *computed, GString *out)
{
  guint n;
  const LoomKindTime *times = loom_time_by_work_kind_get (computed->times, &n);
  g_string_append (out, "\nTime by kind of work\n");
  if (n == 0)
    g_string_append_printf (out, "  %s\n", loom_time_by_work_kind_get_missing (computed->times));
  for (guint i = 0; i < n; i++) {
    g_autofree char *self = loom_time_format_duration (times[i].self_ns);
    gboolean device = times[i].work < LOOM_N_DEVICE_WORK;
    g_string_append_printf (out, "  %-20s %s in %" G_GUINT64_FORMAT " span%s, %.1f %% of the %s\n",
                            loom_work_kind_to_string (times[i].work), self, times[i].count,
                            loom_report_plural (times[i].count), 100 * times[i].share,
                            device ? "devices' time" : "hosts' time");
  }
}

static void
write_kernels (const LoomSpanAnalysis *computed, GString *out)
{
  guint n;
  const LoomKernel *kernels = loom_time_by_work_kind_get_kernels (computed->times, &n);
  g_string_append (out, "\nKernels and copies, longest in total first\n");
  if (n == 0)
    g_string_append_printf (out, "  %s\n", loom_time_by_work_kind_get_missing_kernels (computed->times));
  for (guint i = 0; i < MIN (n, N_KERNELS); i++) {
    g_autofree char *name = dup_name (kernels[i].stats.name);
    g_autofree char *total = loom_time_format_duration (kernels[i].stats.in_range_ns);
    g_autofree char *median = loom_time_format_duration (kernels[i].stats.p50_ns);
    g_string_append_printf (out, "  %5.1f %%  %s in %" G_GUINT64_FORMAT ", median %s: %s\n",
                            100 * kernels[i].stats.share, total, kernels[i].stats.count, median, name);
  }
  if (n > N_KERNELS)
    g_string_append_printf (out, "  and %u more name%s\n", n - N_KERNELS, loom_report_plural (n - N_KERNELS));
}

static void
write_waits (const LoomSpanAnalysis *computed, GString *out)
{
  guint n;
  const LoomDataRank *ranks = loom_data_waits_get (computed->waits, &n);
  g_string_append (out, "\nWaits for data\n");
  if (n == 0)
    g_string_append_printf (out, "  %s\n", loom_data_waits_get_missing (computed->waits));
  for (guint i = 0; i < n; i++) {
    g_autofree char *total = loom_time_format_duration (ranks[i].in_range_ns);
    g_autofree char *median = loom_time_format_duration ((gint64) ranks[i].median_ns);
    g_autofree char *longest = loom_time_format_duration (ranks[i].max_ns);
    write_place (computed, out, ranks[i].node, ranks[i].rank, ranks[i].is_process, ranks[i].sources);
    g_string_append_printf (out, "%s in %u wait%s, median %s, longest %s, %u longer than twice the median", total,
                            ranks[i].n_waits, loom_report_plural (ranks[i].n_waits), median, longest,
                            ranks[i].n_outliers);
    if (ranks[i].in_steps_ns > 0)
      g_string_append_printf (out, "; %.1f %% of their steps", percent (ranks[i].in_steps_ns, ranks[i].steps_ns));
    else if (ranks[i].n_steps > 0)
      g_string_append (out, "; all between steps");
    g_string_append_c (out, '\n');
  }
}

void
loom_span_analysis_write (const LoomSpanAnalysis *computed, GString *out)
{
  write_ranks (computed, out);
  write_work (computed, out);
  write_kernels (computed, out);
  write_waits (computed, out);
  loom_straggler_section_write (computed->stragglers, out);
}
