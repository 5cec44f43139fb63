/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: groups files that are read together. Files of one writer form one trace: intervals, rotated
 * files, the epochs of a rank.
 */
#pragma once

#include "loom-progress.h"
#include "loom-run.h"
#include "loom-sniff.h"

typedef struct {
  LoomFileFormat kind;
  gboolean lines;
  GPtrArray *files; /* LoomFoundFile *, borrowed */
  guint order;      /* index of the unit in the order of the units' first files */
  guint64 n_bytes;  /* size of all files on disk */
  LoomTrace *trace;
  GPtrArray *failed; /* pairs of path and reason */
  GError *error;     /* set if reading was cancelled */
} LoomLoadUnit;

/* Returns LoomLoadUnit, in the order of their first files; the candidates (LoomCandidate) own the files. Skipped files
 * are added, with the reason, to the run's ignored files. Ends early if cancelled. Owned by the caller. */
GPtrArray *loom_load_groups_new (const GPtrArray *candidates, LoomRun *run, LoomProgress *progress);
