/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-utilization-overlay.h: chooses one counter per node.
 */
#include "loom-utilization-overlay.h"

#include <string.h>

/* Returns TRUE if the counter of the row is a percentage. Counters of plain Chrome traces have no unit, so their names
 * are checked instead. */
static gboolean
is_share (const LoomTimelineRow *row)
{
  g_autofree char *label = g_utf8_casefold (row->label, -1);
  return g_str_equal (row->unit, "%") || strstr (label, "utiliz") != NULL || strstr (label, "utilis") != NULL;
}

/* Returns TRUE if the row is the first counter row of its node that shows percentages; notes the node in `nodes`. The
 * rows of a node are sorted so that its GPU utilization, if it has one, comes before its other percentages. Only one
 * counter per node is drawn, because several would hide the spans; the user can add more in the menu of a row. */
static gboolean
is_for_overlay (const LoomTimelineRow *row, GHashTable *nodes)
{
  if (row->kind != LOOM_ROW_COUNTER || !is_share (row))
    return FALSE;
  return g_hash_table_add (nodes, g_strdup (row->node != NULL ? row->node : ""));
}

void
loom_utilization_overlay_set (LoomTimelineState *state, gboolean overlays)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  g_autoptr (GHashTable) nodes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (outline, i);
    if (overlays ? is_for_overlay (row, nodes) : row->overlay)
      g_ptr_array_add (keys, g_strdup (row->key));
  }
  for (guint i = 0; i < keys->len; i++)
    loom_row_list_set_overlay (outline, keys->pdata[i], overlays);
  loom_timeline_state_rows_changed (state);
}

gboolean
loom_utilization_overlay_are_on (LoomTimelineState *state)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++)
    if (loom_row_list_get_row (outline, i)->overlay)
      return TRUE;
  return FALSE;
}
