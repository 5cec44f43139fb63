/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins the names of all traces of a run: names with equal text and category have the same id. Immutable, ref-counted
 * atomically, any thread. Made once for a run and kept while ranges change.
 */
#pragma once

#include "loom-run.h"

typedef struct _LoomChildTimeCache LoomChildTimeCache;
typedef struct _LoomRunNames LoomRunNames;

/* Keeps a reference to the run. O(names of all traces). */
LoomRunNames *loom_run_names_new (LoomRun *run);
LoomRunNames *loom_run_names_ref (LoomRunNames *names);
void loom_run_names_unref (LoomRunNames *names);

LoomRun *loom_run_names_get_run (const LoomRunNames *names);
guint32 loom_run_names_get_n (const LoomRunNames *names);
/* Borrowed. If traces give a name different colours, the colour of the first trace. */
const LoomName *loom_run_names_get (const LoomRunNames *names, guint32 id);
/* The cache of child times that tables of names share (loom-name-child-time.h); borrowed. */
LoomChildTimeCache *loom_run_names_get_below (const LoomRunNames *names);
/* [name id of the trace] → joined id. Borrowed. */
const guint32 *loom_run_names_get_map (const LoomRunNames *names, guint trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRunNames, loom_run_names_unref)
