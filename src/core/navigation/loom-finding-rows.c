/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-finding-rows.h: looks up the rows of spans, devices and nodes in the row list.
 */
#include "loom-finding-rows.h"

#include <string.h>

/* Returns TRUE if `mark`, a place where a rule found a problem, refers to the track. This is the case if the device
 * mark->device of the node mark->host is the track itself, or the process that contains the track. */
static gboolean
is_meant (const LoomTrack *track, const LoomRuleOccurrence *mark)
{
  if (mark->host[0] != '\0' && g_strcmp0 (track->node, mark->host) != 0)
    return FALSE;
  return strcmp (track->name, mark->device) == 0 || strcmp (track->process, mark->device) == 0;
}

static gboolean
find_track (const LoomRowList *outline, const LoomRuleOccurrence *mark, guint *row)
{
  LoomRun *run = loom_timeline_get_run (loom_row_list_get_timeline (outline));
  *row = G_MAXUINT;
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++)
      if (is_meant (loom_trace_get_track (trace, k), mark)) {
        loom_row_list_find_track (outline, (LoomTrackId) { i, k }, row);
        if (*row != G_MAXUINT)
          return TRUE;
      }
  }
  return FALSE;
}

/* Returns the first row that shows the device of `mark` as a counter; pinned rows come first. G_MAXUINT: no row shows
 * the device. */
static guint
find_plot (const LoomRowList *outline, const LoomRuleOccurrence *mark)
{
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (outline, i);
    if (row->kind != LOOM_ROW_COUNTER || (mark->host[0] != '\0' && g_strcmp0 (row->node, mark->host) != 0))
      continue;
    for (guint k = 0; k < row->n_series; k++)
      if (strcmp (row->series[k].label, mark->device) == 0)
        return i;
  }
  return G_MAXUINT;
}

/* Returns the row of the group that contains the rows of a node; G_MAXUINT: the row list has no such group. */
static guint
find_node (const LoomRowList *outline, const char *host)
{
  for (guint i = loom_row_list_get_n_pinned (outline); host[0] != '\0' && i < loom_row_list_get_n_rows (outline); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (outline, i);
    if (row->kind == LOOM_ROW_GROUP && g_strcmp0 (row->node, host) == 0)
      return i;
  }
  return G_MAXUINT;
}

static guint
row_of (const LoomRowList *outline, const LoomRuleOccurrence *mark)
{
  guint row = G_MAXUINT, strip;
  if (!loom_timeline_span_id_is_none (mark->span)) {
    loom_row_list_find_span (outline, mark->span, &row, &strip);
    return row;
  }
  if (mark->device[0] != '\0')
    row = find_plot (outline, mark);
  if (row == G_MAXUINT && mark->device[0] != '\0')
    find_track (outline, mark, &row);
  return row != G_MAXUINT ? row : find_node (outline, mark->host);
}

char **
loom_finding_rows_find (const LoomRowList *outline, const LoomRuleOccurrence *marks, guint n_marks)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; loom_row_list_get_timeline (outline) != NULL && i < n_marks && keys->len < LOOM_FINDING_ROWS_MAX;
       i++) {
    g_autofree char *place = g_strdup_printf ("%s\n%s", marks[i].host, marks[i].device);
    if (loom_timeline_span_id_is_none (marks[i].span) && !g_hash_table_add (asked, g_steal_pointer (&place)))
      continue;
    guint row = row_of (outline, &marks[i]);
    const char *key = row < loom_row_list_get_n_rows (outline) ? loom_row_list_get_row (outline, row)->key : NULL;
    if (key != NULL && !g_ptr_array_find_with_equal_func (keys, key, g_str_equal, NULL))
      g_ptr_array_add (keys, g_strdup (key));
  }
  g_ptr_array_add (keys, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&keys), FALSE);
}

/* Returns the group that contains the row. If the row is a group itself, or is in no group, returns the row. */
static guint
find_group (const LoomRowList *outline, guint row)
{
  guint level = loom_row_list_get_row (outline, row)->level;
  for (guint i = row + 1; i-- > loom_row_list_get_n_pinned (outline);) {
    const LoomTimelineRow *group = loom_row_list_get_row (outline, i);
    if (group->kind == LOOM_ROW_GROUP && (i == row || group->level < level))
      return i;
  }
  return row;
}

/* Returns the outermost group with the rank of the row; if the row is in no such group, returns the row itself. */
static guint
find_rank_group (const LoomRowList *outline, guint row)
{
  gint rank = loom_row_list_get_row (outline, row)->rank;
  guint found = row;
  for (guint i = row + 1; i-- > loom_row_list_get_n_pinned (outline);) {
    const LoomTimelineRow *group = loom_row_list_get_row (outline, i);
    if (group->rank != rank)
      break;
    if (group->kind == LOOM_ROW_GROUP)
      found = i;
  }
  return found;
}

char *
loom_finding_rows_dup_group (const LoomRowList *outline, LoomSpanId span)
{
  guint found = G_MAXUINT, strip;
  loom_row_list_find_span (outline, span, &found, &strip);
  if (found >= loom_row_list_get_n_rows (outline))
    return NULL;
  guint rank =
    loom_row_list_get_row (outline, found)->rank < 0 ? find_group (outline, found) : find_rank_group (outline, found);
  return g_strdup (loom_row_list_get_row (outline, rank)->key);
}
