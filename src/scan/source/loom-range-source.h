/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: LoomByteSource of a stretch of another text. As thread-safe as that one.
 */
#pragma once

#include "loom-byte-source.h"

G_BEGIN_DECLS

/* Bytes from `offset` on, at most `n_bytes` of them; takes over the reference to `whole`. */
LoomByteSource *loom_range_source_new (LoomByteSource *whole, guint64 offset, guint64 n_bytes);

G_END_DECLS
