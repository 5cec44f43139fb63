/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits the memory of a load. When the limit is reached, the load ends with the events that it has read so far;
 * otherwise the kernel would kill the process. The memory that counts is the anonymous memory of the process plus the
 * memory reserved for structures that are still to be built. Any thread. All functions accept NULL as a budget without
 * a limit.
 */
#pragma once

#include <glib.h>

typedef struct _LoomMemoryBudget LoomMemoryBudget;

/* Creates a budget of `n_bytes` of anonymous memory for the whole process. `n_bytes` 0: the limit is the memory that
 * the process uses now, plus LOOM_LIMIT_MEMORY_PERCENT percent of the available memory. */
LoomMemoryBudget *loom_memory_budget_new (guint64 n_bytes);
void loom_memory_budget_free (LoomMemoryBudget *budget);

guint64 loom_memory_budget_get_bytes (const LoomMemoryBudget *budget);

/* Reserves `n_bytes` in addition to the memory that is used now. A negative number releases a reservation, either
 * because the memory has been allocated meanwhile or because it is not needed. */
void loom_memory_budget_reserve (LoomMemoryBudget *budget, gint64 n_bytes);

/* Returns the number of bytes that are left now and are not reserved; G_MAXUINT64 if `budget` is NULL. Asks the
 * kernel. */
guint64 loom_memory_budget_get_room (const LoomMemoryBudget *budget);

/* Returns TRUE if the budget is used up, or was used up at an earlier call. Asks the kernel, which takes about a
 * microsecond. */
gboolean loom_memory_budget_check (LoomMemoryBudget *budget);

/* Returns TRUE if the budget was used up at an earlier call of loom_memory_budget_check(). Does not ask the kernel. */
gboolean loom_memory_budget_is_reached (const LoomMemoryBudget *budget);

/* Returns a translated sentence that says why the load ended, and how the user can load more; owned by the caller. */
char *loom_memory_budget_explain (const LoomMemoryBudget *budget);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMemoryBudget, loom_memory_budget_free)
