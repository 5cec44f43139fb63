/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores which ranks are late (LoomRowLateness), and finds the lateness of a row.
 */
#include <string.h>

#include "loom-row-list-private.h"

static void
clear_lateness (gpointer data)
{
  LoomRowLateness *late = data;
  g_free ((char *) late->node);
  g_free ((char *) late->label);
  g_free ((char *) late->short_label);
  g_free ((char *) late->sentence);
  g_free ((LoomRange *) late->ranges);
}

GArray *
loom_row_list_new_lateness (void)
{
  GArray *late = g_array_new (FALSE, FALSE, sizeof (LoomRowLateness));
  g_array_set_clear_func (late, clear_lateness);
  return late;
}

const LoomRowLateness *
loom_row_list_find_lateness (const LoomRowList *outline, const LoomRowTreeItem *item)
{
  if (outline->late->len == 0 || item->kind != LOOM_ROW_GROUP || !loom_row_list_is_rank (item))
    return NULL;
  for (guint i = 0; i < outline->late->len; i++) {
    const LoomRowLateness *late = &g_array_index (outline->late, LoomRowLateness, i);
    if (late->rank == item->rank && g_strcmp0 (late->node, item->node) == 0)
      return late;
  }
  return NULL;
}

void
loom_row_list_set_late (LoomRowList *outline, const LoomRowLateness *late, guint n)
{
  g_return_if_fail (outline != NULL && (late != NULL || n == 0));
  if (outline->late->len == 0 && n == 0)
    return;
  g_array_set_size (outline->late, 0);
  for (guint i = 0; i < n; i++) {
    LoomRowLateness copy = late[i];
    copy.node = g_strdup (late[i].node);
    copy.label = g_strdup (late[i].label);
    copy.short_label = g_strdup (late[i].short_label);
    copy.sentence = g_strdup (late[i].sentence);
    copy.ranges = g_memdup2 (late[i].ranges, late[i].n_ranges * sizeof (LoomRange));
    g_array_append_val (outline->late, copy);
  }
  loom_row_list_lay_out (outline);
}
