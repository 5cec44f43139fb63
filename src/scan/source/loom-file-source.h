/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of an uncompressed file as a LoomByteSource. Files are opened when they are read, and only a limited number
 * stays open.
 */
#pragma once

#include "loom-byte-source.h"

#include <sys/stat.h>

/* Returns the text of a file. The file is opened when the text is first read. `status`: the status of the file when it
 * was opened for loading; reading fails if the file was replaced or overwritten since. */
LoomByteSource *loom_file_source_new (const char *path, const struct stat *status);

/* For callers that read nearly all of the file: loom_file_source_hold() maps the file into memory until
 * loom_file_source_release(). It maps nothing if `text` was not made by loom_file_source_new(), or if some thousands of
 * files are already mapped. loom_file_source_release() returns FALSE with LOOM_ERROR_READ if the file changed while it
 * was mapped; bytes from loom_file_source_peek() may then have been zeros. Both functions may be called on any
 * thread. */
void loom_file_source_hold (LoomByteSource *text);
gboolean loom_file_source_release (LoomByteSource *text, GError **error);

/* Returns the bytes at `offset` of a mapped text, and sets `length` to the number of bytes up to the end of the text;
 * 4096 zero bytes follow the end. Returns NULL if the text is not mapped, so that the caller must read it. A thread may
 * use the bytes only until it calls this function for another text. */
const char *loom_file_source_peek (LoomByteSource *text, guint64 offset, gsize *length);
