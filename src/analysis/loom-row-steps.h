/* SPDX-License-Identifier: Apache-2.0
 *
 * The step a row belongs to when it does not say: the one whose time strictly encloses it. formats/analysis.md §11.
 * Steps of the row's own writer; as written those of all, from the earliest begin to the latest end of each number.
 * Where several enclose it the lowest number counts. Any thread; O((rows + steps) · log steps).
 */
#pragma once

#include "loom-frame.h"

G_BEGIN_DECLS

/* By row of the frame, owned; −1 where none was found. `n_without` counts those (may be NULL). */
gint32 *loom_row_steps_dup (const LoomFrame *frame, guint32 *n_without);

G_END_DECLS
