/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the files that were found, with their formats; archives are replaced by their members.
 */
#pragma once

#include "loom-file-discovery.h"
#include "loom-progress.h"
#include "loom-run.h"
#include "loom-sniff.h"

typedef struct {
  LoomFoundFile *file; /* owned */
  LoomSniff sniff;
} LoomCandidate;

/* Returns the files to load (LoomCandidate *) in the natural order of their paths; takes ownership of the files of
 * `found`. Problems with archives are added to `notes`. `suffixes` (may be NULL) are applied to members of archives as
 * well as files. `n_threads` 0: the number of processors. If cancelled, some files may be missing. */
GPtrArray *loom_load_candidates_new (LoomFileDiscovery *found, const char *const *suffixes, guint n_threads,
                                     LoomRun *notes, LoomProgress *progress);
