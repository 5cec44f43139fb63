/* SPDX-License-Identifier: Apache-2.0
 *
 * LoomByteSource of an uncompressed file. Descriptors are opened on demand; only a bounded number stays open.
 */
#pragma once

#include "loom-byte-source.h"

#include <sys/stat.h>

/* `status` describes the file when it was opened for loading. */
LoomByteSource *loom_file_source_new (const char *path, const struct stat *status);

/* hold keeps the text in memory without copying it, for callers that read nearly all of it. It has no effect on texts
 * of other kinds, and on texts beyond some thousands at a time. release ends this and returns FALSE with
 * LOOM_ERROR_READ if the file changed meanwhile; peeked bytes may then have been zeros. Any thread. */
void loom_file_source_hold (LoomByteSource *text);
gboolean loom_file_source_release (LoomByteSource *text, GError **error);

/* Returns the bytes at `offset` of a held text and sets `length` to the number of bytes that follow; NULL if the
 * text must be read instead. 4096 zero bytes follow the end. A thread may use the bytes only until it peeks at
 * another text. */
const char *loom_file_source_peek (LoomByteSource *text, guint64 offset, gsize *length);
