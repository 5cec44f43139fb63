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

typedef struct _LoomMemoryBudget LoomMemoryBudget;

/* `n_bytes` of anonymous memory, all of the process together. 0: what it holds now and LOOM_LIMIT_MEMORY_PERCENT
 * of what is available. */
LoomMemoryBudget *loom_memory_budget_new (guint64 n_bytes);
void loom_memory_budget_free (LoomMemoryBudget *budget);

guint64 loom_memory_budget_get_bytes (const LoomMemoryBudget *budget);

/* Room that will be needed besides what is held; negative when it was taken, or is not needed after all. */
void loom_memory_budget_reserve (LoomMemoryBudget *budget, gint64 n_bytes);

/* What is left now, room reserved not counted; G_MAXUINT64 without a budget. Asks the kernel. */
guint64 loom_memory_budget_get_room (const LoomMemoryBudget *budget);

/* Asks the kernel, which takes about a microsecond. Once TRUE always TRUE. */
gboolean loom_memory_budget_check (LoomMemoryBudget *budget);

/* What the checks found so far. */
gboolean loom_memory_budget_is_reached (const LoomMemoryBudget *budget);

/* A sentence for people: why, and what to do. */
char *loom_memory_budget_explain (const LoomMemoryBudget *budget);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMemoryBudget, loom_memory_budget_free)

G_END_DECLS
