/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/index: writes the section with the sums over the spans of each name (README.md, section 15). No code
 * reads it: it is for other programs, and because analyses of later versions may need it.
 */
#pragma once

#include "loom-index-bytes.h"
#include "loom-index-content.h"

/* Appends the section to `out`. `names`: the number in the index of the name of each sum. */
void loom_index_sums_write (GByteArray *out, const GArray *sums, const guint32 *names);
