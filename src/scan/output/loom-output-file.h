/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes output files so that a file at the target path is always complete. The data is written to a temporary file in
 * the same folder, synced, and renamed on commit; without a successful commit, the temporary file is deleted. A file in
 * use as input (loom-input-files.h) is never overwritten: opening it for writing fails. Files whose names end in ".gz"
 * are compressed. "-" is standard output. The first error is stored: callers can append without checking for errors,
 * and check the result of commit. Only one thread at a time may use an object.
 *
 * The part of an uncompressed file beyond 64 MB bypasses the page cache if the file system allows it
 * (loom-direct-io.h). For files whose commit does not wait for the disk, the limit is 8 MB, or a share of the memory if
 * the disk is slower than the caller.
 */
#pragma once

#include <gio/gio.h>

#include "loom-input-files.h"

typedef struct _LoomOutputFile LoomOutputFile;

/* Opens an output file. Returns NULL with LOOM_ERROR_WRITE if the target cannot be written. */
LoomOutputFile *loom_output_file_new (const char *path, GError **error);

/* Declares that the output can be made again from other files. Must be called before data is appended. Commit then does
 * not wait until the data is on disk, unless it replaces an existing file. The system writes the data within about half
 * a minute; if the machine loses power before, the data is lost. */
void loom_output_file_set_remakable (LoomOutputFile *output);

void loom_output_file_append (LoomOutputFile *output, const char *bytes, gsize length);

/* The following functions let several threads share the compression of a compressed file: each thread compresses a
 * range of the text with loom_parallel_deflate_append(), and loom_output_file_append_packed() appends the results in
 * the order of the text. `checksum` and `length` describe the uncompressed range. */
gboolean loom_output_file_is_compressed (const LoomOutputFile *output);
void loom_output_file_append_packed (LoomOutputFile *output, const GByteArray *packed, guint32 checksum, gsize length);

/* Returns FALSE if writing has failed; the caller should then stop appending. */
gboolean loom_output_file_is_good (LoomOutputFile *output);

guint64 loom_output_file_get_n_bytes (LoomOutputFile *output); /* returns the number of bytes that were appended, before
                                                                * compression */

/* Flushes, syncs and closes the file. Nothing can be appended afterwards, and commit then only renames the file. Call
 * this function if something must be done when the data is complete, but before the file gets its final name. Returns
 * FALSE on failure; commit then returns the error. */
gboolean loom_output_file_complete (LoomOutputFile *output);

/* Flushes the file, syncs it unless loom_output_file_set_remakable() has made this unnecessary, and renames it to its
 * final name. If a step fails, deletes the temporary file and returns FALSE; otherwise returns TRUE. Frees `output` in
 * both cases. */
gboolean loom_output_file_commit (LoomOutputFile *output, GError **error);

/* Frees `output` and deletes the temporary file. */
void loom_output_file_abort (LoomOutputFile *output);

/* Writes a whole file. If this fails, an existing file at `path` stays unchanged. */
gboolean loom_output_file_write (const char *path, GBytes *bytes, GError **error);
/* Does the same as loom_output_file_write(), but may also replace an open input file of the kind `writer`. For example,
 * saving a session may replace the file of an open session. */
gboolean loom_output_file_write_of_kind (const char *path, GBytes *bytes, LoomInputFilesKind writer, GError **error);
