/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: lists the files that may be loaded, with their formats. An archive is replaced by its members.
 */
#pragma once

#include "loom-file-discovery.h"
#include "loom-progress.h"
#include "loom-run.h"
#include "loom-sniff.h"

typedef struct {
  LoomFoundFile *file; /* the file, or the member of an archive; owned */
  LoomSniff sniff;
} LoomCandidate;

/* Returns the files that may be loaded (LoomCandidate *), in the natural order of their paths. Takes ownership of
 * the files of `found`. Adds problems of archives to `notes`. `suffixes` (may be NULL) apply to files and to members
 * of archives. `n_threads` 0: one thread per processor. If cancelled, the result may be incomplete. */
GPtrArray *loom_load_candidates_new (LoomFileDiscovery *found, const char *const *suffixes, guint n_threads,
                                     LoomRun *notes, LoomProgress *progress);
