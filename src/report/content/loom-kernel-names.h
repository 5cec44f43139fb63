/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels of kernels for the first column of a table. The names of kernels are longer than the column, and many of them
 * begin and end with the same text. The functions may be called on any thread.
 */
#pragma once

#include "loom-result-table.h"

/* Returns labels of kernels: name → label. A name in the first column gets a label if it is the name of a kernel with a
 * functor (loom-kernel-label.h), and its short form is longer than `most` characters. If several names would have the
 * same label, a word that distinguishes them is added at the end. The names are borrowed from the table. The result is
 * owned by the caller, and valid as long as the table. O(characters of the column) if few kernels have equal labels. */
GHashTable *loom_kernel_names_find (const LoomResultTable *table, glong most);
