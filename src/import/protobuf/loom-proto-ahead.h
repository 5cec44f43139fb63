/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads a part of a file on another thread, while the caller uses the part before it. One
 * caller at a time may use an object.
 */
#pragma once

#include "loom-byte-source.h"

typedef struct _LoomProtoAhead LoomProtoAhead;

/* Returns an object that reads `file`, which must outlive it; NULL if no thread could be started. */
LoomProtoAhead *loom_proto_ahead_new (LoomByteSource *file);
/* Waits for the end of a reading that was started. */
void loom_proto_ahead_free (LoomProtoAhead *self);

/* Starts reading up to `n_bytes` at `offset` to `buffer`, which the caller must not use until loom_proto_ahead_wait()
 * returns. */
void loom_proto_ahead_start (LoomProtoAhead *self, guint64 offset, guint8 *buffer, gsize n_bytes);
/* Waits for the end of the reading that was started last. Returns the number of bytes, which is smaller than wanted at
 * the end of the file, and if the file cannot be read. */
gsize loom_proto_ahead_wait (LoomProtoAhead *self);

/* Reads up to `n_bytes` at `offset` of a file on this thread. Returns their number, as loom_proto_ahead_wait() does. */
gsize loom_proto_ahead_read (LoomByteSource *file, guint64 offset, guint8 *buffer, gsize n_bytes);
