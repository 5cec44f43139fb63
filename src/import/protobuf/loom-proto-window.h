/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads a protobuf file through a window: a part of the file that is in memory and moves as the
 * file is read, so that the file may be larger than the memory. Only one thread at a time may use a window.
 */
#pragma once

#include "loom-byte-source.h"
#include "loom-proto.h"

typedef struct _LoomProtoWindow LoomProtoWindow;

/* Returns a new window on the bytes of `file`. Takes over the caller's reference to `file`. */
LoomProtoWindow *loom_proto_window_new (LoomByteSource *file);
/* Returns a new window on the same file, which another thread may use. */
LoomProtoWindow *loom_proto_window_dup (const LoomProtoWindow *self);
void loom_proto_window_free (LoomProtoWindow *self);
/* Must be called before a long part of the file is read in order: another thread then reads the bytes after the window
 * while the caller uses the window, and ends when the window is freed. This takes another 320 KiB of memory. */
void loom_proto_window_read_ahead (LoomProtoWindow *self);

/* Returns `n_bytes` bytes at `offset`, which are valid until the next call of a function with `self`. Returns NULL if
 * the file has fewer bytes, if it cannot be read, or if `n_bytes` is more than 64 MiB. */
const guint8 *loom_proto_window_get (LoomProtoWindow *self, guint64 offset, gsize n_bytes);

/* Returns how many bytes from `offset` on are in the window, and sets `bytes` to the first of them. Does not move the
 * window. The bytes are valid until another function of this header is called with `self`. */
gsize loom_proto_window_peek (const LoomProtoWindow *self, guint64 offset, const guint8 **bytes);

/* Returns how many bytes must be read to move the window to a field and back again; 0 if the field is in the window.
 * `offset`: offset of the field; `end`: end of the message that contains the field. */
gsize loom_proto_window_find_cost (const LoomProtoWindow *self, guint64 offset, guint64 end);

/* Reads the field at `*at` of a message that ends at `end`, and moves `*at` to the end of the field. Does not read the
 * content of a byte field, but sets `content` to its offset. Returns FALSE at the end of the message (`*at` then equals
 * `end`), and at damage (`*at` then differs from `end`). */
gboolean loom_proto_window_next (LoomProtoWindow *self, guint64 *at, guint64 end, LoomProtoField *field,
                                 guint64 *content);
/* Reads a field like loom_proto_window_next(). If a byte field extends beyond `end`, shortens the field and sets
 * `*is_cut` to TRUE; otherwise does not change `*is_cut`. */
gboolean loom_proto_window_next_cut (LoomProtoWindow *self, guint64 *at, guint64 end, LoomProtoField *field,
                                     guint64 *content, gboolean *is_cut);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProtoWindow, loom_proto_window_free)
