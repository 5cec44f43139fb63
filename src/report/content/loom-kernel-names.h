/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels of kernels in the first column of a table: their names are longer than the column, and many of them begin and
 * end alike. Any thread.
 */
#pragma once

#include "loom-result-table.h"

/* Returns the labels of the names in the first column that are kernels with a functor and whose short form is longer
 * than `most` characters (loom-kernel-label.h): name → label. Labels that would be equal end with a word in which the
 * names differ. The names are borrowed from the table. Owned by the caller, and valid as long as the table. O(characters
 * of the column) if few kernels have equal labels. */
GHashTable *loom_kernel_names_find (const LoomResultTable *table, glong most);
