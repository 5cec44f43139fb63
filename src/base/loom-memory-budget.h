/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits the memory of a load. When the limit is reached, the load ends, and the events that it has read are kept.
 * (Without a limit, the kernel could kill the process.) The memory in use is the anonymous memory of the process plus
 * the memory reserved for structures that will be built later. Any thread. All functions accept NULL as a budget
 * without a limit.
 */
#pragma once

#include <glib.h>

typedef struct _LoomMemoryBudget LoomMemoryBudget;

/* Creates a budget of `n_bytes` bytes of anonymous memory for the whole process. If `n_bytes` is 0, the budget is
 * the memory that the process uses now plus LOOM_LIMIT_MEMORY_PERCENT percent of the available memory. */
LoomMemoryBudget *loom_memory_budget_new (guint64 n_bytes);
void loom_memory_budget_free (LoomMemoryBudget *budget);

guint64 loom_memory_budget_get_bytes (const LoomMemoryBudget *budget);

/* Reserves `n_bytes` bytes for structures that will be built later. A negative number releases a reservation, when
 * the memory has been allocated or is not needed. */
void loom_memory_budget_reserve (LoomMemoryBudget *budget, gint64 n_bytes);

/* Returns the number of bytes that are neither used nor reserved; G_MAXUINT64 if `budget` is NULL. Reads the used
 * memory from the kernel. */
guint64 loom_memory_budget_get_room (const LoomMemoryBudget *budget);

/* Returns TRUE if the budget is used up now, or was used up in an earlier call of this function. Reads the used memory
 * from the kernel, which takes about a microsecond. */
gboolean loom_memory_budget_check (LoomMemoryBudget *budget);

/* Returns TRUE if the budget was used up in an earlier call of loom_memory_budget_check(). Does not read the used
 * memory from the kernel. */
gboolean loom_memory_budget_is_reached (const LoomMemoryBudget *budget);

/* Returns a translated text that says why the load ended, and what the user can do to load more. Owned by the
 * caller. */
char *loom_memory_budget_explain (const LoomMemoryBudget *budget);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMemoryBudget, loom_memory_budget_free)
