/* SPDX-License-Identifier: Apache-2.0
 *
 * Natural order of texts: runs of digits are compared as numbers, so "rank 2" comes before "rank 10". Any thread.
 */
#pragma once

#include <glib.h>

/* Compares two texts like strcmp(), but runs of digits as numbers. Returns 0 only if the texts have equal bytes.
 * NULL is treated as "". */
int loom_natural_collate_compare (const char *a, const char *b);
