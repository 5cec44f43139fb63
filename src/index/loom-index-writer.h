/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes an index file (README.md describes every byte). Equal content gives equal bytes. May be used on any thread.
 */
#pragma once

#include "loom-index-about.h"
#include "loom-index-content.h"

/* Returns the bytes of an index, owned by the caller. Omits spans, collectives and samples whose times
 * loom_index_bytes_is_time() rejects; the number of omitted events of each source is written as a problem of the
 * source. Sets `n_left_out` to the number for all sources. O(n · log n) for n written spans. */
GBytes *loom_index_writer_make (const LoomIndexContent *content, const LoomIndexAbout *about, guint64 *n_left_out);
