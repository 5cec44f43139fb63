/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads any part of the unpacked text of a loaded file. Spans store byte offsets in this text. The details pane, the
 * export and the command `dump` read the text at these offsets again. The implementations are in src/scan.
 *
 * Ref-counted atomically. Reading is safe from any thread. If the file has changed after it was opened, reading fails
 * with LOOM_ERROR_READ, so no bytes of another file are returned.
 */
#pragma once

#include <glib.h>

typedef struct _LoomByteSource LoomByteSource;

typedef struct {
  /* Reads at most `n_bytes` bytes at `offset`. Returns the number of bytes read; 0 at the end; −1 on error, and sets
   * `error`. */
  gssize (*read) (LoomByteSource *text, guint64 offset, void *buffer, gsize n_bytes, GError **error);
  /* Frees the members that the implementation has added to the struct, but not the struct itself. */
  void (*finalize) (LoomByteSource *text);
} LoomByteSourceClass;

/* The base struct of all byte sources: it must be the first member of the struct of every implementation. */
struct _LoomByteSource {
  const LoomByteSourceClass *klass;
  gatomicrefcount refs;
};

/* For implementations: allocates a struct of `struct_size` bytes. It has one reference, and its members after the
 * LoomByteSource are zeros. */
LoomByteSource *loom_byte_source_alloc (const LoomByteSourceClass *klass, gsize struct_size);

/* Makes a byte source from bytes in memory. Used if the file of a source is not text. */
LoomByteSource *loom_byte_source_new_bytes (GBytes *bytes);

LoomByteSource *loom_byte_source_ref (LoomByteSource *text);
void loom_byte_source_unref (LoomByteSource *text);

gssize loom_byte_source_read (LoomByteSource *text, guint64 offset, void *buffer, gsize n_bytes, GError **error);

/* Returns a copy of exactly this range, followed by a NUL byte. Returns NULL and sets `error` if the range cannot be
 * read completely. */
char *loom_byte_source_dup_range (LoomByteSource *text, guint64 offset, gsize n_bytes, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomByteSource, loom_byte_source_unref)
