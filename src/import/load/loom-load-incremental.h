/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: a table of the traces of an open run, which are used again when the run is loaded again.
 * Unchanged files are not read again, and traces whose files were deleted are kept. Once the table is made, any thread
 * may use it.
 */
#pragma once

#include "loom-load-groups.h"

typedef struct _LoomLoadIncremental LoomLoadIncremental;

/* Makes a table of the traces of a run, from which a later load takes those traces whose files have not changed. Takes
 * a reference to `run`; NULL: the table is empty. */
LoomLoadIncremental *loom_load_incremental_new (const LoomRun *run);
void loom_load_incremental_free (LoomLoadIncremental *known);

/* Returns a stamp: a text that becomes different when a file of the unit changes (in name, location, size or time), or
 * when the files are read in another way (`how`, may be NULL). Returns NULL if changes of a file could not be detected.
 * Owned by the caller. */
char *loom_load_incremental_stamp_new (const LoomLoadUnit *unit, const char *how);

/* Returns the trace that was read from files with this stamp; a new reference, NULL if there is none. */
LoomTrace *loom_load_incremental_find (const LoomLoadIncremental *known, const char *stamp);

/* Returns those traces of which no file remains. A file remains if it exists at its path, or if `candidates` contains a
 * renamed, compressed or unpacked form of it. The traces are borrowed from the run. Accesses the disk for each file of
 * these traces. */
GPtrArray *loom_load_incremental_list_gone (const LoomLoadIncremental *known, const GPtrArray *candidates);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomLoadIncremental, loom_load_incremental_free)
