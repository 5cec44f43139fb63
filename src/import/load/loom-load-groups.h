/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: groups files that are read together. Files of one writer form one trace: intervals, rotated
 * files, the epochs of a rank.
 */
#pragma once

#include "loom-progress.h"
#include "loom-run.h"
#include "loom-sniff.h"

typedef struct _LoomLoadUnit LoomLoadUnit;

struct _LoomLoadUnit {
  LoomFileFormat kind;
  gboolean lines;
  GPtrArray *files; /* LoomFoundFile *, borrowed */
  guint order;      /* number of the unit; units are numbered in the order of their first files */
  guint64 n_bytes;  /* size of all files on disk */
  LoomTrace *trace;
  GPtrArray *failed; /* char *: for each file that could not be read, two elements: its path and the reason */
  GError *error;     /* set only if reading was cancelled */
  /* LoomLoadUnit *: files that should contain the same trace (loom_duplicate_files_find_repeated()), and are read only
   * if this unit gives no complete trace; NULL: none */
  GPtrArray *duplicates;
  gboolean is_loaded; /* TRUE: the trace was made or is not wanted */
};

/* Groups files into units (LoomLoadUnit); the files of a unit are read together. Returns the units in the order of
 * their first files; owned by the caller. The candidates (LoomCandidate) own the files. Files that are skipped, except
 * duplicates, are added, with the reason, to the ignored files of the run. Ends early if cancelled. */
GPtrArray *loom_load_groups_new (const GPtrArray *candidates, LoomRun *run, LoomProgress *progress);
