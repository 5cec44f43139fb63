/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/collectives: lists the names of spans that count when the work before a late arrival is
 * compared. One thread.
 */
#pragma once

#include "loom-trace.h"

/* Returns an array with an element for each name id of the trace: the name, or NULL for names of waits and steps,
 * because time spent in these cannot explain why a rank is late. `device`: TRUE for names of spans on devices. Equal
 * texts of different traces are represented by one pointer, which the set `texts` keeps. The texts are borrowed from
 * the trace; the array is owned by the caller. O(names). */
const char **loom_counted_names_list (GHashTable *texts, const LoomTrace *trace, gboolean device);
