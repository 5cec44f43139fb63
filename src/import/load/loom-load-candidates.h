/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the files that were found, archives replaced by what is in them, with what each of them is.
 */
#pragma once

#include "loom-file-discovery.h"
#include "loom-progress.h"
#include "loom-run.h"
#include "loom-sniff.h"

G_BEGIN_DECLS

typedef struct {
  LoomFoundFile *file; /* owned */
  LoomSniff sniff;
} LoomCandidate;

/* LoomCandidate * in the natural order of their paths; the files of `found` are taken over. What cannot be read of archives is
 * noted in `notes`. `suffixes` (may be NULL) hold for members as for files. `n_threads`: 0 for as many as processors. Not all are
 * looked at when cancelled. */
GPtrArray *loom_load_candidates_new (LoomFileDiscovery *found, const char *const *suffixes, guint n_threads,
                                     LoomRun *notes, LoomProgress *progress);

G_END_DECLS
