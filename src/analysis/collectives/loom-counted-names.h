/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/collectives: the names of spans whose time can explain why a rank is late. One thread.
 */
#pragma once

#include "loom-trace.h"

/* Returns an array with an element for each name id of the trace: the name, or NULL for the names of waits and steps,
 * because time spent in these cannot explain why a rank is late. `device`: the names are those of spans on devices.
 * Equal texts are represented by one pointer: that of the first one which was added to the set `texts`. The texts are
 * borrowed from the trace; the array is owned by the caller. O(names). */
const char **loom_counted_names_list (GHashTable *texts, const LoomTrace *trace, gboolean device);
