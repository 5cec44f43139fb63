/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-timeline-annotations.h"

struct _LoomTimelineAnnotations {
  GArray *findings;       /* LoomFindingMark */
  GArray *bottlenecks_ns; /* gint64 */
  GArray *stretches;      /* LoomRange */
  GArray *rows;           /* guint: current rows of the keys */
  char **keys;
};

LoomTimelineAnnotations *
loom_timeline_annotations_new (void)
{
  LoomTimelineAnnotations *marks = g_new (LoomTimelineAnnotations, 1);
  marks->findings = g_array_new (FALSE, FALSE, sizeof (LoomFindingMark));
  marks->bottlenecks_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  marks->stretches = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  marks->rows = g_array_new (FALSE, FALSE, sizeof (guint));
  marks->keys = g_new0 (char *, 1);
  return marks;
}

void
loom_timeline_annotations_free (LoomTimelineAnnotations *marks)
{
  g_array_unref (marks->findings);
  g_array_unref (marks->bottlenecks_ns);
  g_array_unref (marks->stretches);
  g_array_unref (marks->rows);
  g_strfreev (marks->keys);
  g_free (marks);
}

static void
fill (GArray *array, gconstpointer values, guint n)
{
  g_array_set_size (array, 0);
  if (n > 0)
    g_array_append_vals (array, values, n);
}

void
loom_timeline_annotations_set_findings (LoomTimelineAnnotations *marks, const LoomFindingMark *findings, guint n)
{
  fill (marks->findings, findings, n);
}

void
loom_timeline_annotations_set_bottlenecks (LoomTimelineAnnotations *marks, const gint64 *times_ns, guint n)
{
  fill (marks->bottlenecks_ns, times_ns, n);
}

guint
loom_timeline_annotations_get_n_bottlenecks (const LoomTimelineAnnotations *marks)
{
  return marks->bottlenecks_ns->len;
}

void
loom_timeline_annotations_count (const LoomTimelineAnnotations *marks, LoomRange range, guint *n_findings,
                                 guint *n_bottlenecks)
{
  *n_findings = *n_bottlenecks = 0;
  for (guint i = 0; i < marks->findings->len; i++) {
    LoomRange place = g_array_index (marks->findings, LoomFindingMark, i).range;
    *n_findings += MAX (place.begin_ns, place.end_ns) >= range.begin_ns && place.begin_ns <= range.end_ns;
  }
  for (guint i = 0; i < marks->bottlenecks_ns->len; i++) {
    gint64 time_ns = g_array_index (marks->bottlenecks_ns, gint64, i);
    *n_bottlenecks += time_ns >= range.begin_ns && time_ns <= range.end_ns;
  }
}

gboolean
loom_timeline_annotations_set_stretches (LoomTimelineAnnotations *marks, const LoomRange *stretches, guint n)
{
  gboolean changed = marks->stretches->len > 0 || n > 0;
  fill (marks->stretches, stretches, n);
  return changed;
}

guint
loom_timeline_annotations_get_n_stretches (const LoomTimelineAnnotations *marks)
{
  return marks->stretches->len;
}

gboolean
loom_timeline_annotations_set_rows (LoomTimelineAnnotations *marks, const char *const *keys)
{
  char **before = marks->keys;
  marks->keys = keys != NULL ? g_strdupv ((char **) keys) : g_new0 (char *, 1);
  gboolean changed = before[0] != NULL || marks->keys[0] != NULL;
  g_strfreev (before);
  return changed;
}

const char *const *
loom_timeline_annotations_get_rows (const LoomTimelineAnnotations *marks)
{
  return (const char *const *) marks->keys;
}

void
loom_timeline_annotations_fill_options (LoomTimelineAnnotations *marks, const LoomRowList *outline,
                                        LoomPaintOptions *options)
{
  g_array_set_size (marks->rows, 0);
  for (guint i = 0; marks->keys[i] != NULL; i++) {
    guint row = loom_row_list_find (outline, marks->keys[i]);
    if (row != G_MAXUINT)
      g_array_append_val (marks->rows, row);
  }
  options->marked_rows = (const guint *) (gpointer) marks->rows->data;
  options->n_marked_rows = marks->rows->len;
  options->findings = (const LoomFindingMark *) (gpointer) marks->findings->data;
  options->n_findings = marks->findings->len;
  options->bottlenecks_ns = (const gint64 *) (gpointer) marks->bottlenecks_ns->data;
  options->n_bottlenecks = marks->bottlenecks_ns->len;
  options->stretches = (const LoomRange *) (gpointer) marks->stretches->data;
  options->n_stretches = marks->stretches->len;
}
