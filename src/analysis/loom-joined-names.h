/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of a run, whatever trace they stand in: equal text and category, one id. Immutable, ref-counted atomically,
 * any thread. Made once for a run and kept while ranges change.
 */
#pragma once

#include "loom-below-blocks.h"
#include "loom-run.h"

G_BEGIN_DECLS

typedef struct _LoomJoinedNames LoomJoinedNames;

/* Keeps the run. O(names of all traces). */
LoomJoinedNames *loom_joined_names_new (LoomRun *run);
LoomJoinedNames *loom_joined_names_ref (LoomJoinedNames *names);
void loom_joined_names_unref (LoomJoinedNames *names);

LoomRun *loom_joined_names_get_run (const LoomJoinedNames *names);
guint32 loom_joined_names_get_n (const LoomJoinedNames *names);
/* Borrowed. Where traces give a name different colours it is the first one's. */
const LoomName *loom_joined_names_get (const LoomJoinedNames *names, guint32 id);
/* What tables of names remember of the run; borrowed. */
LoomBelowBlocks *loom_joined_names_get_below (const LoomJoinedNames *names);
/* By name id of the trace: the joined id. Borrowed. */
const guint32 *loom_joined_names_get_map (const LoomJoinedNames *names, guint trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomJoinedNames, loom_joined_names_unref)

G_END_DECLS
