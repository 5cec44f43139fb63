/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what a run that is open has read already. Files that are as they were then need not be read again,
 * and those that are gone need not vanish. Any thread once made.
 */
#pragma once

#include "loom-load-units.h"

G_BEGIN_DECLS

typedef struct _LoomLoadKnown LoomLoadKnown;

/* `run` may be NULL: nothing is known. A reference is taken. */
LoomLoadKnown *loom_load_known_new (const LoomRun *run);
void loom_load_known_free (LoomLoadKnown *known);

/* What the files of a unit are right now, as they were found: name, place on the disk, size, time; and how they are read
 * (`how`, may be NULL). NULL where that cannot be told. Owned by the caller. */
char *loom_load_stamp_new (const LoomLoadUnit *unit, const char *how);

/* The trace that was read from just these; a new reference, NULL: none. */
LoomTrace *loom_load_known_find (const LoomLoadKnown *known, const char *stamp);

/* Traces none of whose files stands anywhere any more, under its own name or, as `candidates` tell, under another. Borrowed
 * from the run. Asks the disk for each file that is known. */
GPtrArray *loom_load_known_list_gone (const LoomLoadKnown *known, const GPtrArray *candidates);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomLoadKnown, loom_load_known_free)

G_END_DECLS
