/* SPDX-License-Identifier: Apache-2.0 */
#include "rows-fixture.h"

#include <string.h>

#include "fake-run.h"
#include "open-ranks.h"

char *
rows_fixture_draw (const LoomRowList *outline)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (outline, i);
    g_string_append_printf (text, "%s%*s%s%s\n", row->pinned ? "!" : "", (int) row->level, "",
                            !row->foldable ? ""
                            : row->folded  ? "> "
                                           : "v ",
                            row->label);
  }
  return g_string_free (text, FALSE);
}

LoomRowList *
rows_fixture_new (guint n_nodes, guint ranks_per_node, gboolean metrics)
{
  FakeShape shape = { n_nodes, ranks_per_node, 3, 3, 4, metrics };
  g_autoptr (LoomTimeline) timeline = fake_run_new (&shape);
  LoomRowList *outline = loom_row_list_new ();
  loom_row_list_set_timeline (outline, timeline);
  return outline;
}

LoomRowList *
rows_fixture_new_open (guint n_nodes, guint ranks_per_node, gboolean metrics)
{
  LoomRowList *outline = rows_fixture_new (n_nodes, ranks_per_node, metrics);
  open_ranks (outline);
  return outline;
}

const LoomTimelineRow *
rows_fixture_find (const LoomRowList *outline, const char *label)
{
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++)
    if (strcmp (loom_row_list_get_row (outline, i)->label, label) == 0)
      return loom_row_list_get_row (outline, i);
  return NULL;
}

char *
rows_fixture_dup_key (const LoomRowList *outline, const char *label)
{
  const LoomTimelineRow *row = rows_fixture_find (outline, label);
  g_assert_nonnull (row);
  return g_strdup (row->key);
}

void
rows_fixture_assert (const LoomRowList *outline, const char *expected)
{
  g_autofree char *rows = rows_fixture_draw (outline);
  g_assert_cmpstr (rows, ==, expected);
}

guint32
rows_fixture_add_thread (LoomTraceBuilder *builder, guint32 process, const char *key, const char *label)
{
  guint32 thread = loom_trace_builder_thread (builder, process, key, strlen (key));
  loom_trace_builder_thread_set_label (builder, thread, label);
  return thread;
}

void
rows_fixture_add_span (LoomTraceBuilder *builder, guint32 thread, gint64 begin_ns, gint64 duration_ns)
{
  guint32 name = loom_trace_builder_name (builder, "work", 4, "", 0, "", 0);
  loom_trace_builder_span (builder, thread, begin_ns, duration_ns, name, loom_source_ref_make (0, 0, 0));
}
