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
  guint order;      /* number of the unit; units are numbered in the order of their first files */
  guint64 n_bytes;  /* size of all files on disk */
  LoomTrace *trace;
  GPtrArray *failed; /* char *: path, reason, path, reason … of the files that could not be read */
  GError *error;     /* set if reading was cancelled */
} LoomLoadUnit;

/* Groups files into units (LoomLoadUnit), whose files are read together, and returns the units in the order of their
 * first files. The candidates (LoomCandidate) own the files. Skipped files are added, with the reason, to the run's
 * ignored files. Ends early if cancelled. Owned by the caller. */
GPtrArray *loom_load_groups_new (const GPtrArray *candidates, LoomRun *run, LoomProgress *progress);
