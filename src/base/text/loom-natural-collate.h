/* SPDX-License-Identifier: Apache-2.0
 *
 * Natural order of labels: runs of digits compare as numbers, so "rank 2" sorts before "rank 10".
 */
#pragma once

#include <glib.h>

/* Compares two texts like strcmp(), except that runs of digits are compared as numbers. Never returns 0 for texts whose
 * bytes differ. NULL sorts as "". */
int loom_natural_collate_compare (const char *a, const char *b);
