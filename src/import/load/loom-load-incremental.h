/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the traces of an open run. Unchanged files are not read again, and traces whose files are gone
 * are kept. Any thread once created.
 */
#pragma once

#include "loom-load-groups.h"

typedef struct _LoomLoadIncremental LoomLoadIncremental;

/* Makes a table of the traces of a run, so that a later load can use those whose files are unchanged. Takes a reference
 * of `run`; NULL: no traces. */
LoomLoadIncremental *loom_load_incremental_new (const LoomRun *run);
void loom_load_incremental_free (LoomLoadIncremental *known);

/* Returns a stamp of the current state of a unit's files: name, location, size, time; and of how they are read (`how`,
 * may be NULL). NULL if their state is unknown. Owned by the caller. */
char *loom_load_incremental_stamp_new (const LoomLoadUnit *unit, const char *how);

/* Returns the trace that was read from files with this stamp; a new reference, NULL if there is none. */
LoomTrace *loom_load_incremental_find (const LoomLoadIncremental *known, const char *stamp);

/* Returns the traces of which no file exists any more, neither under its own name nor, according to `candidates`, under
 * another name. Borrowed from the run. Asks the file system about every known file. */
GPtrArray *loom_load_incremental_list_gone (const LoomLoadIncremental *known, const GPtrArray *candidates);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomLoadIncremental, loom_load_incremental_free)
