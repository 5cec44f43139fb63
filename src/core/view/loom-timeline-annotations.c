/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores the marks that analyses set on the timeline, and finds the rows whose keys an analysis has named
 * (loom-timeline-annotations.h).
 */
#include "loom-timeline-annotations.h"

#include <glib/gi18n.h>

/* Marks in the overview. */
typedef struct {
  GArray *places;   /* LoomFindingMark: times at which findings occur, or ranks are late */
  char **sentences; /* array indexed by the number of the finding or of the rank: sentence about it */
} Marks;

struct _LoomTimelineAnnotations {
  Marks findings, late;   /* marks of findings, and of late ranks */
  GArray *bottlenecks_ns; /* gint64: times of bottlenecks, in ns of the timeline's time */
  GArray *stretches;      /* LoomRange: the ranges that are highlighted for the selected finding */
  GArray *rows;           /* guint: indices of the rows whose keys are in `keys` */
  char **keys;
};

static void
init_marks (Marks *marks)
{
  *marks = (Marks) { g_array_new (FALSE, FALSE, sizeof (LoomFindingMark)), g_new0 (char *, 1) };
}

static void
clear_marks (Marks *marks)
{
  g_array_unref (marks->places);
  g_strfreev (marks->sentences);
}

LoomTimelineAnnotations *
loom_timeline_annotations_new (void)
{
  LoomTimelineAnnotations *marks = g_new (LoomTimelineAnnotations, 1);
  init_marks (&marks->findings);
  init_marks (&marks->late);
  marks->bottlenecks_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  marks->stretches = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  marks->rows = g_array_new (FALSE, FALSE, sizeof (guint));
  marks->keys = g_new0 (char *, 1);
  return marks;
}

void
loom_timeline_annotations_free (LoomTimelineAnnotations *marks)
{
  clear_marks (&marks->findings);
  clear_marks (&marks->late);
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
loom_timeline_annotations_set_findings (LoomTimelineAnnotations *marks, const LoomFindingMark *findings, guint n,
                                        char **sentences)
{
  fill (marks->findings.places, findings, n);
  g_strfreev (marks->findings.sentences);
  marks->findings.sentences = sentences != NULL ? sentences : g_new0 (char *, 1);
}

void
loom_timeline_annotations_set_late_ranks (LoomTimelineAnnotations *marks, const LoomRowLateness *late, guint n)
{
  clear_marks (&marks->late);
  marks->late = (Marks) { g_array_new (FALSE, FALSE, sizeof (LoomFindingMark)), g_new0 (char *, n + 1) };
  for (guint i = 0; i < n; i++) {
    marks->late.sentences[i] = g_strdup (late[i].sentence);
    for (guint k = 0; k < late[i].n_ranges; k++) {
      const LoomFindingMark mark = { .range = late[i].ranges[k], .severity = LOOM_RULE_WARNING, .finding = i };
      g_array_append_val (marks->late.places, mark);
    }
  }
}

gboolean
loom_timeline_annotations_shows_late_ranks (const LoomTimelineAnnotations *marks)
{
  return marks->findings.places->len == 0 && marks->late.places->len > 0;
}

/* Returns the marks that the overview shows: those of findings or, if no finding is marked, those of late ranks. */
static const Marks *
get_shown (const LoomTimelineAnnotations *marks)
{
  return loom_timeline_annotations_shows_late_ranks (marks) ? &marks->late : &marks->findings;
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

char *
loom_timeline_annotations_dup_findings (const LoomTimelineAnnotations *marks, LoomRange range)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const Marks *shown = get_shown (marks);
  guint n = 0, last = G_MAXUINT, n_sentences = g_strv_length (shown->sentences);
  for (guint i = 0; i < shown->places->len; i++) {
    const LoomFindingMark *mark = &g_array_index (shown->places, LoomFindingMark, i);
    if (MAX (mark->range.begin_ns, mark->range.end_ns) < range.begin_ns || mark->range.begin_ns > range.end_ns ||
        mark->finding == last || mark->finding >= n_sentences)
      continue;
    last = mark->finding;
    if (n++ < LOOM_ANNOTATIONS_MAX_SENTENCES)
      g_string_append_printf (text, "%s%s", n > 1 ? "\n" : "", shown->sentences[last]);
  }
  guint n_more = n - MIN (n, LOOM_ANNOTATIONS_MAX_SENTENCES);
  if (n_more > 0) {
    g_string_append_c (text, '\n');
    g_string_append_printf (text, ngettext ("and %u more finding", "and %u more findings", n_more), n_more);
  }
  return n > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

guint
loom_timeline_annotations_count_bottlenecks (const LoomTimelineAnnotations *marks, LoomRange range)
{
  guint n = 0;
  for (guint i = 0; i < marks->bottlenecks_ns->len; i++) {
    gint64 time_ns = g_array_index (marks->bottlenecks_ns, gint64, i);
    n += time_ns >= range.begin_ns && time_ns <= range.end_ns;
  }
  return n;
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
  options->findings = (const LoomFindingMark *) (gpointer) get_shown (marks)->places->data;
  options->n_findings = get_shown (marks)->places->len;
  options->bottlenecks_ns = (const gint64 *) (gpointer) marks->bottlenecks_ns->data;
  options->n_bottlenecks = marks->bottlenecks_ns->len;
  options->stretches = (const LoomRange *) (gpointer) marks->stretches->data;
  options->n_stretches = marks->stretches->len;
}
