/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: LoomText of a stretch of another text. As thread-safe as that one.
 */
#pragma once

#include "loom-text.h"

G_BEGIN_DECLS

/* Bytes from `offset` on, at most `n_bytes` of them; takes over the reference to `whole`. */
LoomText *loom_range_text_new (LoomText *whole, guint64 offset, guint64 n_bytes);

G_END_DECLS
