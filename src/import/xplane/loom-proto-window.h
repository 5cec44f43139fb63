/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: a part of a protobuf file in memory, which moves as the file is read. One thread at a time.
 */
#pragma once

#include "loom-byte-source.h"
#include "loom-proto.h"

typedef struct _LoomProtoWindow LoomProtoWindow;

/* Takes over the reference. */
LoomProtoWindow *loom_proto_window_new (LoomByteSource *file);
void loom_proto_window_free (LoomProtoWindow *self);

/* Returns `n_bytes` bytes at `offset`, borrowed until the next call; NULL if the file ends before, or cannot be read, or
 * for more than 64 MiB. */
const guint8 *loom_proto_window_get (LoomProtoWindow *self, guint64 offset, gsize n_bytes);

/* Reads the field at `*at` of a message that ends at `end`, and moves `*at` behind it. Bytes are not read: `content` is
 * their offset. Returns FALSE at the end of the message and at damage; `*at` then differs from `end`. */
gboolean loom_proto_window_next (LoomProtoWindow *self, guint64 *at, guint64 end, LoomProtoField *field,
                                 guint64 *content);
/* Like loom_proto_window_next(), but of bytes that extend beyond `end` returns those before it; `*is_cut` becomes TRUE
 * then, and else stays. */
gboolean loom_proto_window_next_cut (LoomProtoWindow *self, guint64 *at, guint64 end, LoomProtoField *field,
                                     guint64 *content, gboolean *is_cut);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProtoWindow, loom_proto_window_free)
