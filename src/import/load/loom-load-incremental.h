/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what a run that is open has read already. Files that are as they were then need not be read again,
 * and those that are gone need not vanish. Any thread once made.
 */
#pragma once

#include "loom-load-groups.h"

G_BEGIN_DECLS

typedef struct _LoomLoadIncremental LoomLoadIncremental;

/* `run` may be NULL: nothing is known. A reference is taken. */
LoomLoadIncremental *loom_load_incremental_new (const LoomRun *run);
void loom_load_incremental_free (LoomLoadIncremental *known);

/* What the files of a unit are right now, as they were found: name, place on the disk, size, time; and how they are read
 * (`how`, may be NULL). NULL where that cannot be told. Owned by the caller. */
char *loom_load_incremental_stamp_new (const LoomLoadUnit *unit, const char *how);

/* The trace that was read from just these; a new reference, NULL: none. */
LoomTrace *loom_load_incremental_find (const LoomLoadIncremental *known, const char *stamp);

/* Traces none of whose files stands anywhere any more, under its own name or, as `candidates` tell, under another. Borrowed
 * from the run. Asks the disk for each file that is known. */
GPtrArray *loom_load_incremental_list_gone (const LoomLoadIncremental *known, const GPtrArray *candidates);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomLoadIncremental, loom_load_incremental_free)

G_END_DECLS
