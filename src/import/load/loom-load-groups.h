/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: groups the files that one importer reads together into one trace. Such files were made one
 * after the other by one writer: for example one file per interval of steps, rotated files, or one file per epoch of a
 * rank.
 */
#pragma once

#include "loom-progress.h"
#include "loom-run.h"
#include "loom-sniff.h"

typedef struct _LoomLoadUnit LoomLoadUnit;

struct _LoomLoadUnit {
  LoomFileFormat kind;
  gboolean lines;
  GPtrArray *files; /* LoomFoundFile *: the files in the order in which they are read; borrowed */
  guint order;      /* number of the unit; units are numbered in the order of their first files */
  guint64 n_bytes;  /* size of all files on disk */
  LoomTrace *trace;
  GPtrArray *failed; /* char *: for each file that could not be read, two elements: its path and the reason */
  GError *error;     /* set only if reading was cancelled */
  /* LoomLoadUnit *: files that should contain the same trace (loom_duplicate_files_find_repeated()), and are read only
   * if this unit gives no complete trace; NULL: none */
  GPtrArray *duplicates;
  /* TRUE: the unit needs no more work, because its trace was made, or because the caller of the load does not want the
   * trace */
  gboolean is_loaded;
};

/* Groups files into units (LoomLoadUnit); the files of a unit are read together. Returns the units in the order of
 * their first files; owned by the caller. The candidates (LoomCandidate) own the files. Files that are skipped, except
 * duplicates, are added, with the reason, to the ignored files of the run. Ends early if cancelled. */
GPtrArray *loom_load_groups_new (const GPtrArray *candidates, LoomRun *run, LoomProgress *progress);
