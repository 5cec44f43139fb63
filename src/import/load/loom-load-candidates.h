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
  LoomFoundFile *file; /* file on disk, or member of an archive; owned */
  LoomSniff sniff;
} LoomCandidate;

/* Returns the files that may be loaded (LoomCandidate *), in the natural order of their paths. Takes ownership of
 * the files of `found`. Adds problems of archives to `notes`. `suffixes` (may be NULL) apply to files and to members
 * of archives. `n_threads` 0: one thread per processor. If cancelled, the result may be incomplete. */
GPtrArray *loom_load_candidates_new (LoomFileDiscovery *found, const char *const *suffixes, guint n_threads,
                                     LoomRun *notes, LoomProgress *progress);

/* Besides the files that an importer reads, it also uses files that accompany them, for example in the same folder. The
 * next functions return the files among which importers look for such files. The results are owned by the caller, and
 * their elements are borrowed from the candidates (LoomCandidate *). loom_load_candidates_list_members() returns the
 * paths (const char *) of the members of archives, because listing a folder on disk does not find them. */
GPtrArray *loom_load_candidates_list_members (const GPtrArray *candidates);
/* Returns a table of the profiler configurations that are in archives or were fetched from a remote location: canonical
 * path → LoomFoundFile. */
GHashTable *loom_load_candidates_list_configs (const GPtrArray *candidates);
/* Returns the files of all candidates (LoomFoundFile *). */
GPtrArray *loom_load_candidates_list_files (const GPtrArray *candidates);
