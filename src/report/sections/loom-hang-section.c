/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints suspects, waits and process groups of a hang as JSON and as text.
 */
#include "loom-hang-section.h"

#include "loom-report-private.h"

static const LoomHangRank *
get_rank (const LoomHang *hang, guint i)
{
  return &g_array_index (hang->ranks, LoomHangRank, i);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void
build_signs (guint signs, JsonBuilder *builder)
{
  static const char *const names[] = { "awaited", "completes_less", "silent", "missing", "incomplete" };
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "signs");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if ((signs & 1u << i) != 0)
      json_builder_add_string_value (builder, names[i]);
}

static void
build_ranks (const LoomHang *hang, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "ranks");
  for (guint i = 0; i < hang->ranks->len; i++) {
    const LoomHangRank *rank = get_rank (hang, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_int (builder, "rank", rank->rank);
    loom_json_util_add_bool (builder, "suspect", rank->is_suspect);
    build_signs (rank->signs, builder);
    loom_json_util_add_int_if (builder, "source", rank->source != G_MAXUINT, rank->source);
    loom_json_util_add_int (builder, "open", rank->n_open);
    loom_json_util_add_int (builder, "waiting_for_it", rank->n_waiting);
    loom_json_util_add_int (builder, "groups_behind", rank->n_behind);
  }
}

static void
build_waits (const LoomHang *hang, JsonBuilder *builder)
{
  const LoomHangWait *waits = (const LoomHangWait *) (gconstpointer) hang->waits->data;
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "waits");
  for (guint i = 0; i < hang->waits->len;) {
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    guint rank = waits[i].rank;
    loom_json_util_add_int (builder, "rank", get_rank (hang, rank)->rank);
    g_auto (LoomJsonScope) awaited = loom_json_util_open_array (builder, "for");
    for (; i < hang->waits->len && waits[i].rank == rank; i++)
      json_builder_add_int_value (builder, get_rank (hang, waits[i].awaited)->rank);
  }
}

static void
build_entry (const LoomFlightEntry *entry, JsonBuilder *builder)
{
  loom_json_util_add_text (builder, "name", entry->name);
  loom_json_util_add_int (builder, "sequence", entry->sequence);
  loom_json_util_add_text (builder, "sizes", entry->sizes);
}

static void
build_member (const LoomHang *hang, const LoomHangMember *member, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_int (builder, "rank", get_rank (hang, member->rank)->rank);
  loom_json_util_add_int_if (builder, "enqueued", member->enqueued != LOOM_FLIGHT_UNKNOWN, member->enqueued);
  loom_json_util_add_int_if (builder, "completed", member->completed != LOOM_FLIGHT_UNKNOWN, member->completed);
  loom_json_util_add_int (builder, "open", member->n_open);
  if (member->oldest == NULL)
    return;
  loom_json_util_begin_object (builder, "oldest");
  build_entry (member->oldest, builder);
  json_builder_end_object (builder);
}

static void
build_groups (const LoomHang *hang, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "groups");
  for (guint i = 0; i < hang->groups->len; i++) {
    const LoomHangGroup *group = &g_array_index (hang->groups, LoomHangGroup, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "purpose", group->purpose);
    g_auto (LoomJsonScope) members = loom_json_util_open_array (builder, "members");
    for (guint k = 0; k < group->n; k++)
      build_member (hang, &g_array_index (hang->members, LoomHangMember, group->first + k), builder);
  }
}

static void
build_stuck (const LoomHang *hang, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "stuck");
  for (guint i = 0; i < hang->stuck->len; i++) {
    const LoomHangStuck *stuck = &g_array_index (hang->stuck, LoomHangStuck, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_int (builder, "group", stuck->group);
    build_entry (stuck->entry, builder);
  }
}

static void
build_mismatches (const LoomHang *hang, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "mismatches");
  for (guint i = 0; i < hang->mismatches->len; i++) {
    const LoomHangMismatch *mismatch = &g_array_index (hang->mismatches, LoomHangMismatch, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_int (builder, "group", mismatch->group);
    g_auto (LoomJsonScope) calls = loom_json_util_open_array (builder, "calls");
    for (guint k = 0; k < 2; k++) {
      g_auto (LoomJsonScope) call = loom_json_util_open_object (builder, NULL);
      loom_json_util_add_int (builder, "rank", get_rank (hang, mismatch->ranks[k])->rank);
      build_entry (mismatch->entries[k], builder);
    }
  }
}

void
loom_hang_section_build (const LoomHang *hang, JsonBuilder *builder)
{
  if (hang->ranks->len == 0)
    return;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "hang");
  loom_json_util_add_int (builder, "dumps", hang->n_dumps);
  loom_json_util_add_int (builder, "older_dumps", hang->n_older);
  loom_json_util_add_int (builder, "missing", hang->n_missing);
  loom_json_util_add_int (builder, "incomplete", hang->n_incomplete);
  loom_json_util_add_int (builder, "waiting", hang->n_waiting);
  build_ranks (hang, builder);
  build_waits (hang, builder);
  build_groups (hang, builder);
  build_stuck (hang, builder);
  build_mismatches (hang, builder);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void
write_rank (const LoomHang *hang, const LoomHangRank *rank, GString *out)
{
  g_string_append_printf (out, "  rank %d: ", rank->rank);
  if ((rank->signs & LOOM_HANG_MISSING) != 0)
    g_string_append (out, "there is no dump of it; ");
  if ((rank->signs & LOOM_HANG_SILENT) != 0)
    g_string_append (out, "it has called nothing that is still open; ");
  if ((rank->signs & LOOM_HANG_COMPLETES_LESS) != 0)
    g_string_append_printf (out, "it has completed less than others in %u group%s; ", rank->n_behind,
                            loom_report_plural (rank->n_behind));
  g_string_append_printf (out, "%u rank%s wait%s for it", rank->n_waiting, loom_report_plural (rank->n_waiting),
                          rank->n_waiting == 1 ? "s" : "");
  if (rank->group != G_MAXUINT && rank->behind > 0)
    g_string_append_printf (out, ", %" G_GINT64_FORMAT " collectives behind in %s", rank->behind,
                            g_array_index (hang->groups, LoomHangGroup, rank->group).purpose);
  g_string_append_c (out, '\n');
}

static void
write_stuck (const LoomHang *hang, const LoomHangStuck *stuck, GString *out)
{
  const LoomHangGroup *group = &g_array_index (hang->groups, LoomHangGroup, stuck->group);
  g_string_append_printf (
    out, "  %u rank%s of %s: all in collective number %" G_GINT64_FORMAT ", %s; none completed it\n", group->n,
    loom_report_plural (group->n), group->purpose, stuck->entry->sequence, stuck->entry->name);
}

void
loom_hang_section_write (const LoomHang *hang, GString *out)
{
  if (hang->ranks->len == 0)
    return;
  g_string_append_printf (out, "\nWho hangs: %u dump%s of flight recorders, %u rank%s without one\n", hang->n_dumps,
                          loom_report_plural (hang->n_dumps), hang->n_missing, loom_report_plural (hang->n_missing));
  if (hang->mismatches->len > 0)
    g_string_append_printf (
      out,
      "  %u collective%s differ between ranks: the program calls them in different orders or with "
      "different sizes\n",
      hang->mismatches->len, loom_report_plural (hang->mismatches->len));
  for (guint i = 0; i < hang->ranks->len; i++)
    if (get_rank (hang, i)->is_suspect)
      write_rank (hang, get_rank (hang, i), out);
  if (hang->n_incomplete > 0)
    g_string_append_printf (out, "  %u dump%s incomplete\n", hang->n_incomplete,
                            hang->n_incomplete == 1 ? " is" : "s are");
  for (guint i = 0; i < hang->stuck->len; i++)
    write_stuck (hang, &g_array_index (hang->stuck, LoomHangStuck, i), out);
  if (hang->n_suspects == 0 && hang->stuck->len == 0 && hang->n_incomplete == 0)
    g_string_append (out, hang->n_waiting > 0 ? "  Every rank that others wait for waits itself\n"
                                              : "  No rank waits for another\n");
}
