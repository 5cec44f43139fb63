/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of a run, whatever trace they stand in: equal text and category, one id. Immutable, ref-counted atomically,
 * any thread. Made once for a run and kept while ranges change.
 */
#pragma once

#include "loom-child-time-cache.h"
#include "loom-run.h"

G_BEGIN_DECLS

typedef struct _LoomRunNames LoomRunNames;

/* Keeps the run. O(names of all traces). */
LoomRunNames *loom_run_names_new (LoomRun *run);
LoomRunNames *loom_run_names_ref (LoomRunNames *names);
void loom_run_names_unref (LoomRunNames *names);

LoomRun *loom_run_names_get_run (const LoomRunNames *names);
guint32 loom_run_names_get_n (const LoomRunNames *names);
/* Borrowed. Where traces give a name different colours it is the first one's. */
const LoomName *loom_run_names_get (const LoomRunNames *names, guint32 id);
/* What tables of names remember of the run; borrowed. */
LoomChildTimeCache *loom_run_names_get_below (const LoomRunNames *names);
/* By name id of the trace: the joined id. Borrowed. */
const guint32 *loom_run_names_get_map (const LoomRunNames *names, guint trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRunNames, loom_run_names_unref)

G_END_DECLS
