/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-markers.h: a sorted array of marks.
 */
#include "loom-markers.h"

static LoomMarker *
mark_of (const GArray *marks, guint i)
{
  return &g_array_index (marks, LoomMarker, i);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const LoomMarker *) a)->time_ns, y = ((const LoomMarker *) b)->time_ns;
  return (x > y) - (x < y);
}

static void
insert (GArray *marks, LoomMarker mark)
{
  g_array_append_val (marks, mark);
  g_array_sort (marks, compare);
}

static void
remove_temporary (GArray *marks)
{
  for (guint i = marks->len; i > 0; i--)
    if (mark_of (marks, i - 1)->temporary)
      g_array_remove_index (marks, i - 1);
}

static LoomMarker *
mark_at (const GArray *marks, gint64 time_ns)
{
  for (guint i = 0; i < marks->len; i++)
    if (mark_of (marks, i)->time_ns == time_ns)
      return mark_of (marks, i);
  return NULL;
}

/* Adds a mark, or removes the mark that is already at this time. Exception: if the existing mark is temporary and
 * `temporary` is FALSE, makes this mark permanent instead of removing it. */
void
loom_markers_toggle (GArray *marks, gint64 time_ns, gboolean temporary)
{
  LoomMarker *there = mark_at (marks, time_ns);
  if (there != NULL && there->temporary && !temporary) {
    there->temporary = FALSE;
    return;
  }
  if (loom_markers_remove (marks, (LoomRange) { time_ns, time_ns }))
    return;
  if (temporary)
    remove_temporary (marks);
  insert (marks, (LoomMarker) { .time_ns = time_ns, .temporary = temporary });
}

/* Adds a mark at one end of a range. If the end already has a mark, the mark keeps its label, and a permanent mark
 * stays permanent even if `temporary` is TRUE. */
static void
mark_end (GArray *marks, gint64 time_ns, gboolean temporary)
{
  LoomMarker *there = mark_at (marks, time_ns);
  if (there != NULL)
    there->temporary &= temporary;
  else
    insert (marks, (LoomMarker) { .time_ns = time_ns, .temporary = temporary });
}

void
loom_markers_toggle_ends (GArray *marks, LoomRange range, gboolean temporary)
{
  if (mark_at (marks, range.begin_ns) != NULL && mark_at (marks, range.end_ns) != NULL) {
    loom_markers_remove (marks, (LoomRange) { range.begin_ns, range.begin_ns });
    loom_markers_remove (marks, (LoomRange) { range.end_ns, range.end_ns });
    return;
  }
  if (temporary)
    remove_temporary (marks);
  mark_end (marks, range.begin_ns, temporary);
  mark_end (marks, range.end_ns, temporary);
}

gboolean
loom_markers_add (GArray *marks, gint64 time_ns, const char *label)
{
  for (guint i = 0; i < marks->len; i++)
    if (mark_of (marks, i)->time_ns == time_ns && !mark_of (marks, i)->temporary)
      return FALSE;
  insert (marks, (LoomMarker) { .time_ns = time_ns, .label = g_intern_string (label) });
  return TRUE;
}

gboolean
loom_markers_remove (GArray *marks, LoomRange range)
{
  guint before = marks->len;
  for (guint i = before; i > 0; i--) {
    gint64 time_ns = mark_of (marks, i - 1)->time_ns;
    if (time_ns >= range.begin_ns && time_ns <= range.end_ns)
      g_array_remove_index (marks, i - 1);
  }
  return marks->len != before;
}

gboolean
loom_markers_set_label (GArray *marks, gint64 time_ns, const char *label)
{
  for (guint i = 0; i < marks->len; i++) {
    LoomMarker *mark = mark_of (marks, i);
    if (mark->time_ns != time_ns)
      continue;
    mark->label = label != NULL && *label != '\0' ? g_intern_string (label) : NULL;
    mark->temporary = mark->temporary && mark->label == NULL;
    return TRUE;
  }
  return FALSE;
}

static gint64
distance (const LoomMarker *mark, gint64 time_ns)
{
  return mark->time_ns > time_ns ? loom_time_sub (mark->time_ns, time_ns) : loom_time_sub (time_ns, mark->time_ns);
}

const LoomMarker *
loom_markers_nearest (const GArray *marks, gint64 time_ns, gint64 within_ns)
{
  const LoomMarker *nearest = NULL;
  for (guint i = 0; i < marks->len; i++)
    if (nearest == NULL || distance (mark_of (marks, i), time_ns) < distance (nearest, time_ns))
      nearest = mark_of (marks, i);
  return nearest != NULL && distance (nearest, time_ns) <= within_ns ? nearest : NULL;
}
