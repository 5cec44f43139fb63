/* SPDX-License-Identifier: Apache-2.0
 *
 * LoomByteSource of an uncompressed file. Descriptors are opened when needed and only so many are kept.
 */
#pragma once

#include "loom-byte-source.h"

#include <sys/stat.h>

G_BEGIN_DECLS

/* `status` is what the file was when it was opened for loading. */
LoomByteSource *loom_file_source_new (const char *path, const struct stat *status);

/* Whoever is going to read nearly all of it holds the text in memory, which copies nothing; texts of other kinds, and
 * those beyond some thousands at a time, are left as they are. Release tells whether the file stayed what it was: FALSE with LOOM_ERROR_READ, then what was peeked at may
 * have been zeros. Any thread. */
void loom_file_source_hold (LoomByteSource *text);
gboolean loom_file_source_release (LoomByteSource *text, GError **error);

/* For holders: what stands at `offset` and how much of it follows; NULL when it has to be read. 4096 bytes behind it are
 * zeros. Before the thread peeks at another text it is done with this one. */
const char *loom_file_source_peek (LoomByteSource *text, guint64 offset, gsize *length);

G_END_DECLS
