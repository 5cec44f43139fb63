/* SPDX-License-Identifier: Apache-2.0
 *
 * How much memory a load may take: it ends by itself, with what it has, before the kernel ends it. What counts is what
 * the process holds, and the room reserved for what is still to be made
 * of that.
 * Any thread; every function accepts a NULL budget, which is never reached.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LoomBudget LoomBudget;

/* `n_bytes` of anonymous memory, all of the process together. 0: what it holds now and LOOM_LIMIT_MEMORY_PERCENT
 * of what is available. */
LoomBudget *loom_budget_new (guint64 n_bytes);
void loom_budget_free (LoomBudget *budget);

guint64 loom_budget_get_bytes (const LoomBudget *budget);

/* Room that will be needed besides what is held; negative when it was taken, or is not needed after all. */
void loom_budget_reserve (LoomBudget *budget, gint64 n_bytes);

/* What is left now, room reserved not counted; G_MAXUINT64 without a budget. Asks the kernel. */
guint64 loom_budget_get_room (const LoomBudget *budget);

/* Asks the kernel, which takes about a microsecond. Once TRUE always TRUE. */
gboolean loom_budget_check (LoomBudget *budget);

/* What the checks found so far. */
gboolean loom_budget_is_reached (const LoomBudget *budget);

/* A sentence for people: why, and what to do. */
char *loom_budget_explain (const LoomBudget *budget);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomBudget, loom_budget_free)

G_END_DECLS
