/* SPDX-License-Identifier: Apache-2.0
 *
 * Random access to the (unpacked) text of a source after it was loaded. Spans remember byte offsets into it; the
 * details pane, the export and the dump read them back here. The implementations live in src/scan.
 *
 * Ref-counted atomically. Reading is safe from any thread. A text never shows bytes of another file: when the file
 * behind it changed since it was opened, reading fails with LOOM_ERROR_READ.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LoomText LoomText;

typedef struct {
  /* Reads up to `n_bytes` at `offset`; returns the number read, 0 at the end, −1 with `error`. */
  gssize (*read) (LoomText *text, guint64 offset, void *buffer, gsize n_bytes, GError **error);
  /* Frees what the implementation added to its own struct; not the struct. */
  void (*finalize) (LoomText *text);
} LoomTextClass;

/* First member of every implementation's struct. */
struct _LoomText {
  const LoomTextClass *klass;
  gatomicrefcount refs;
};

/* For implementations: allocates `struct_size` zeroed bytes, holding one reference. */
LoomText *loom_text_alloc (const LoomTextClass *klass, gsize struct_size);

/* A text that is in memory: of sources whose files are no text. */
LoomText *loom_text_new_bytes (GBytes *bytes);

LoomText *loom_text_ref (LoomText *text);
void loom_text_unref (LoomText *text);

gssize loom_text_read (LoomText *text, guint64 offset, void *buffer, gsize n_bytes, GError **error);

/* Reads exactly the range; NULL with `error` when it is not there whole. NUL-terminated beyond its length. */
char *loom_text_dup_range (LoomText *text, guint64 offset, gsize n_bytes, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomText, loom_text_unref)

G_END_DECLS
