/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a range of a text into a text of its own (a LoomByteSource), for example a member of an archive. Private to
 * src/scan. It may be used on several threads if the whole text may.
 */
#pragma once

#include "loom-byte-source.h"

/* Creates a text that is a part of `whole`: at most `n_bytes` bytes, beginning at `offset`. Takes over the reference to
 * `whole`. */
LoomByteSource *loom_range_source_new (LoomByteSource *whole, guint64 offset, guint64 n_bytes);
