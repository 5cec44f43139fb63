/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: which files are read together. Those of one writer make one trace: intervals, rotated files, the
 * epochs of a rank.
 */
#pragma once

#include "loom-progress.h"
#include "loom-run.h"
#include "loom-sniff.h"

G_BEGIN_DECLS

typedef struct {
  LoomFileFormat kind;
  gboolean lines;
  GPtrArray *files; /* LoomFoundFile *, borrowed */
  guint order;      /* of the first file */
  guint64 n_bytes;  /* of all files, on disk */
  LoomTrace *trace;
  GPtrArray *failed; /* path, reason … */
  GError *error;     /* cancelled */
} LoomLoadUnit;

/* LoomLoadUnit, in the order of their first files; the candidates (LoomCandidate) own the files. What is left out and why goes
 * into the run's ignored files. Ends early when cancelled. Owned by the caller. */
GPtrArray *loom_load_groups_new (const GPtrArray *candidates, LoomRun *run, LoomProgress *progress);

G_END_DECLS
