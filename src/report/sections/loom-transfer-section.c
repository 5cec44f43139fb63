/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the groups of ranks with their transfer times and bandwidths as JSON and as text.
 */
#include "loom-transfer-section.h"

#include <math.h>

#include "loom-report-private.h"

/* Maximum number of groups of ranks in the report as text; the JSON document lists all groups. */
#define N_GROUPS 10

/* Returns the value that describes in JSON where the ranks of a group are: "node" if all ranks are on one node,
 * "network" if each is on a different node, otherwise "mixed". NULL if this is unknown. */
static const char *
get_place (LoomTransferPlace place)
{
  static const char *const places[] = { NULL, "node", "network", "mixed" };
  return places[place];
}

static void
build_group (JsonBuilder *builder, const LoomTransfers *transfers, const LoomTransferGroup *group)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "name", group->name);
  {
    g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "ranks");
    for (guint i = 0; i < group->n_ranks; i++)
      json_builder_add_int_value (builder, g_array_index (transfers->ranks, gint, group->first_rank + i));
  }
  loom_json_util_add_int (builder, "group_size", group->n_stated);
  loom_json_util_add_int (builder, "missing_ranks", group->n_missing);
  loom_json_util_add_text (builder, "place", get_place (group->place));
  loom_json_util_add_int_if (builder, "bytes", group->bytes > 0, group->bytes);
  loom_json_util_add_int (builder, "transfers", group->n);
  loom_json_util_add_int (builder, "total_ns", group->total_ns);
  loom_json_util_add_int (builder, "shortest_ns", group->shortest_ns);
  loom_json_util_add_int (builder, "median_ns", group->median_ns);
  loom_json_util_add_int (builder, "longest_ns", group->longest_ns);
  loom_json_util_add_double (builder, "bytes_per_s", group->bandwidth);
  loom_json_util_add_double (builder, "bus_bytes_per_s", group->bus_bandwidth);
  loom_json_util_add_int_if (builder, "typical_ns", group->typical_ns > 0, group->typical_ns);
  loom_json_util_add_bool (builder, "slow", group->slow);
}

void
loom_transfer_section_build (const LoomTransfers *transfers, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "transfers");
  loom_json_util_add_int (builder, "count", (gint64) transfers->n_transfers);
  loom_json_util_add_int (builder, "unaligned_messages", transfers->n_unaligned);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "groups");
  for (guint i = 0; i < transfers->groups->len; i++)
    build_group (builder, transfers, &g_array_index (transfers->groups, LoomTransferGroup, i));
}

static void
write_group (const LoomTransfers *transfers, const LoomTransferGroup *group, GString *out)
{
  g_autofree char *ranks = loom_transfers_dup_ranks (transfers, group, ", "),
                  *median = loom_time_format_duration (group->median_ns),
                  *typical = loom_time_format_duration (group->typical_ns);
  g_string_append_printf (out, "  %s of ranks %s: %u transfer%s, median %s", group->name, ranks, group->n,
                          loom_report_plural (group->n), median);
  if (isfinite (group->bus_bandwidth))
    g_string_append_printf (out, ", %s%.1f GB/s on the bus", group->n_missing > 0 ? "at least " : "",
                            group->bus_bandwidth / 1e9);
  if (group->n_missing > 0)
    g_string_append_printf (out, "; %u of %u ranks of the group are not open", group->n_missing, group->n_stated);
  if (group->slow)
    g_string_append_printf (out, ": slow, others of its kind take %s", typical);
  g_string_append_c (out, '\n');
}

void
loom_transfer_section_write (const LoomTransfers *transfers, GString *out)
{
  if (transfers->groups->len == 0)
    return;
  g_string_append (out, "\nTransfers of collectives and messages, slow ones first\n");
  for (guint i = 0; i < MIN (transfers->groups->len, N_GROUPS); i++)
    write_group (transfers, &g_array_index (transfers->groups, LoomTransferGroup, i), out);
  if (transfers->groups->len > N_GROUPS)
    g_string_append_printf (out, "  and %u more\n", transfers->groups->len - N_GROUPS);
  if (transfers->n_unaligned > 0)
    g_string_append_printf (
      out,
      "  %u of %u messages are between clocks that are not aligned with each other: their waits are "
      "differences of durations\n",
      transfers->n_unaligned, transfers->n_messages);
}
