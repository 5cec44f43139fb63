/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import/pickle: reading the files that PyTorch writes as pickles or JSON. Any thread.
 */
#pragma once

#include "loom-importer.h"
#include "loom-plain-values.h"

/* Where a pickle ends. */
typedef struct {
  guint64 damage;  /* offset of the cut; G_MAXUINT64: none */
  guint64 n_after; /* bytes after the pickle */
} LoomPickleEnd;

/* Reads a whole file, unpacked, of at most LOOM_LIMIT_PROFILE_BYTES. NULL with `error`. Owned by the caller. */
GByteArray *loom_pickle_file_read (const LoomFoundFile *file, LoomProgress *progress, GError **error);

/* Returns the values of a pickle, else of JSON; texts in them point into `bytes`. NULL with `error`. */
LoomPlainValues *loom_pickle_file_parse (const GByteArray *bytes, LoomPickleEnd *end, GError **error);

/* Notes in the log of a source that its pickle is cut off, or that bytes follow it. */
void loom_pickle_file_log_end (LoomSource *source, const LoomPickleEnd *end);

/* Returns the number at the end of a file's name, before its suffixes: 12 of "_dump_12", "trace_12.json.gz"; −1 if
 * there is none. */
gint loom_pickle_file_find_rank (const char *path);
