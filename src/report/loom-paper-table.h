/* SPDX-License-Identifier: Apache-2.0
 *
 * A table on paper, over as many pages as it takes. Private to src/report.
 */
#pragma once

#include "loom-paper.h"
#include "loom-table.h"

G_BEGIN_DECLS

/* From paper->y on; rows behind `max_rows` are counted only. */
void loom_paper_table (LoomPaper *paper, const LoomTable *table, guint max_rows);

G_END_DECLS
