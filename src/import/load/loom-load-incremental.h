/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the traces of an open run. Unchanged files are not read again, and traces whose files are gone
 * are kept. Any thread once created.
 */
#pragma once

#include "loom-load-groups.h"

typedef struct _LoomLoadIncremental LoomLoadIncremental;

/* `run` may be NULL: no traces. A reference is taken. */
LoomLoadIncremental *loom_load_incremental_new (const LoomRun *run);
void loom_load_incremental_free (LoomLoadIncremental *known);

/* Returns a stamp of the current state of a unit's files: name, location, size, time; and of how they are read (`how`,
 * may be NULL). NULL if their state is unknown. Owned by the caller. */
char *loom_load_incremental_stamp_new (const LoomLoadUnit *unit, const char *how);

/* Returns the trace that was read from files with this stamp; a new reference, NULL if there is none. */
LoomTrace *loom_load_incremental_find (const LoomLoadIncremental *known, const char *stamp);

/* Returns the traces none of whose files exists any more, under its own name or, according to `candidates`, under
 * another. Borrowed from the run. Asks the file system about every known file. */
GPtrArray *loom_load_incremental_list_gone (const LoomLoadIncremental *known, const GPtrArray *candidates);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomLoadIncremental, loom_load_incremental_free)
