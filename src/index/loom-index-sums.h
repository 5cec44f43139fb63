/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/index: writes the section with the sums over the spans of each name (README.md, section 15). No code
 * of this program reads the section. It is for other programs, and for analyses of later versions.
 */
#pragma once

#include "loom-index-bytes.h"
#include "loom-index-content.h"

/* Appends the section to `out`. `names`: for each sum, the number that the index gives to its name. */
void loom_index_sums_write (GByteArray *out, const GArray *sums, const guint32 *names);
