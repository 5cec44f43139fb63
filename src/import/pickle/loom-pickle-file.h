/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import/pickle: reads files that PyTorch writes either as a pickle or as JSON: memory snapshots and
 * dumps of the flight recorder. The functions may be called on any thread.
 */
#pragma once

#include "loom-importer.h"
#include "loom-pickle.h"

/* A file format that is written as a pickle or as JSON. */
typedef struct {
  gboolean (*recognise) (const LoomPlainValues *values);
  const char *otherwise; /* untranslated error message for a file that `recognise` rejects; says what content is missing
                          * in the file */
} LoomPickleFormat;

/* Reads a whole file, and unpacks it if it is compressed. Content of more than LOOM_LIMIT_DUMP_BYTES gives
 * LOOM_ERROR_LIMIT. Stores in `end` whether the compressed data ended properly. Returns NULL with `error` on failure.
 * Owned by the caller. */
GByteArray *loom_pickle_file_read (const LoomFoundFile *file, LoomProgress *progress, LoomStreamEnd *end,
                                   GError **error);

/* Parses `bytes` as a pickle or, if they are not a pickle, as JSON. Returns the values, whose texts point into `bytes`.
 * Returns NULL with `error` on failure, or if format->recognise() rejects the values. */
LoomPlainValues *loom_pickle_file_parse (const LoomImporter *import, const GByteArray *bytes,
                                         const LoomPickleFormat *format, LoomPickleEnd *end, GError **error);

/* Writes to the log of a source why its pickle was not read to the end, or that bytes follow the pickle. */
void loom_pickle_file_log_end (LoomSource *source, const LoomPickleEnd *end);

/* Returns the rank in the name of a dump: the number at the end of the name, before its suffixes, for example 12 in
 * "_dump_12" and "trace_12.json.gz"; −1 if there is none. */
gint loom_pickle_file_find_rank (const char *path);
