/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import/pickle: reading the files that PyTorch writes as pickles or JSON. Any thread.
 */
#pragma once

#include "loom-importer.h"
#include "loom-pickle.h"

/* A format whose files are pickles or JSON. */
typedef struct {
  gboolean (*recognise) (const LoomPlainValues *values);
  const char *otherwise; /* message about a file that is not recognised, which says what is missing; untranslated */
} LoomPickleFormat;

/* Reads a whole file, unpacked, of at most LOOM_LIMIT_DUMP_BYTES. NULL with `error`. Owned by the caller. */
GByteArray *loom_pickle_file_read (const LoomFoundFile *file, LoomProgress *progress, GError **error);

/* Parses `bytes` as a pickle or, if they are not one, as JSON. Returns the values, whose texts point into `bytes`; NULL
 * with `error`, also if `format` does not recognise them. */
LoomPlainValues *loom_pickle_file_parse (const LoomImporter *import, const GByteArray *bytes,
                                         const LoomPickleFormat *format, LoomPickleEnd *end, GError **error);

/* Logs for a source that its pickle was not read to the end and why, or that bytes follow it. */
void loom_pickle_file_log_end (LoomSource *source, const LoomPickleEnd *end);

/* Returns the number at the end of a file's name, before its suffixes: 12 of "_dump_12", "trace_12.json.gz"; −1 if
 * there is none. */
gint loom_pickle_file_find_rank (const char *path);
