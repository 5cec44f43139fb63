/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the stack ids and categories of the events of a rocpd database, in memory. The tables of calls
 * and of kernels refer to events, and each of these two tables is read twice. Without the data in memory, the table of
 * events would be read in each of the four passes.
 */
#pragma once

#include "loom-database.h"

typedef struct _LoomRocpdStacks LoomRocpdStacks;

/* Reads the events in `table`. O(rows). Memory: 8 bytes per row. */
LoomRocpdStacks *loom_rocpd_stacks_new (LoomDatabase *database, const char *table);
void loom_rocpd_stacks_free (LoomRocpdStacks *self);

/* Sets the stack id of an event (0: none) and the id of its category. Returns FALSE if the table does not contain the
 * event; the database may still contain it, because the table omits events whose id, stack id or category is too great.
 * O(1). */
gboolean loom_rocpd_stacks_find (const LoomRocpdStacks *self, gint64 event, gint64 *stack, gint64 *category);
