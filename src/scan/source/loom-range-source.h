/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a range of a text into a text of its own (a LoomByteSource), for example a member of an archive. Private to
 * src/scan. As thread-safe as the whole text.
 */
#pragma once

#include "loom-byte-source.h"

/* Creates a text that is the part of `whole` from `offset` on, with at most `n_bytes` bytes. Takes over the reference
 * to `whole`. */
LoomByteSource *loom_range_source_new (LoomByteSource *whole, guint64 offset, guint64 n_bytes);
