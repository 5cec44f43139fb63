/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins the names of all traces of a run: names with equal text and category get the same id. Made once for a run, and
 * used for statistics of many ranges. Immutable, ref-counted atomically, any thread.
 */
#pragma once

#include "loom-run.h"

typedef struct _LoomChildTimeCache LoomChildTimeCache;

typedef struct {
  LoomRun *run;
  guint32 n; /* number of different names in the run */
  /* array of `n` names; if a name has different colours in several traces, it has the colour of the first of these
   * traces */
  const LoomName *names;
  guint32 **maps;            /* [trace][name id of the trace] index of the name in `names` */
  LoomChildTimeCache *below; /* cache of child times (loom-name-child-time.h), shared by all statistics of names */
  GArray *joined;            /* private: owns `names` */
  gatomicrefcount refs;
} LoomRunNames;

/* Lists the names of all traces; names with equal text and category are one name. Keeps a reference to the run. O(names
 * of all traces). */
LoomRunNames *loom_run_names_new (LoomRun *run);
LoomRunNames *loom_run_names_ref (LoomRunNames *names);
void loom_run_names_unref (LoomRunNames *names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRunNames, loom_run_names_unref)
