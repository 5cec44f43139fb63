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

/* Returns LoomCandidate * in the natural order of their paths; takes over the files of `found`. Problems with archives
 * are added to `notes`. `suffixes` (may be NULL) apply to members as well as files. `n_threads`: 0 for the number of
 * processors. If cancelled, not all files are examined. */
GPtrArray *loom_load_candidates_new (LoomFileDiscovery *found, const char *const *suffixes, guint n_threads,
                                     LoomRun *notes, LoomProgress *progress);
