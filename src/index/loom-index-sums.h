/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/index: writes and checks the section with the sums over the spans of each name (README.md,
 * section 15).
 */
#pragma once

#include "loom-index-bytes.h"
#include "loom-index-content.h"

/* Appends the section to `out`. `names`: the number in the index of the name of each sum. */
void loom_index_sums_write (GByteArray *out, const GArray *sums, const guint32 *names);

/* Reads the section without keeping its values, to detect damage; sets `failed` of `in`. The index has `n_names` names.
 * `are_rows`: the section has the form of versions up to 6. */
void loom_index_sums_check (LoomIndexBytes *in, guint32 n_names, gboolean are_rows);
