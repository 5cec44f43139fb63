/* SPDX-License-Identifier: Apache-2.0
 *
 * Unfolds the rows of a run of several ranks, in which all groups are folded at first.
 */
#pragma once

#include "loom-row-list.h"

/* Unfolds the ranks, and the processes that do not belong to a rank; groups of system metrics stay folded. */
static inline void
open_ranks (LoomRowList *rows)
{
  for (guint i = 0; i < loom_row_list_get_n_rows (rows); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (rows, i);
    if (row->folded && g_strcmp0 (row->label, "more metrics") != 0) {
      g_autofree char *key = g_strdup (row->key);
      loom_row_list_set_folded (rows, key, FALSE);
    }
  }
}
