/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/collectives: the names of spans whose time can explain why a rank is late. One thread.
 */
#pragma once

#include "loom-trace.h"

/* Returns an array: [name id] the name, if time spent under it can explain why a rank is late: waits and steps cannot,
 * and are NULL. Names with the same text are the same pointer, the first one that was added to the set `texts`. The texts
 * are borrowed from the trace; the array is owned by the caller. O(names). */
const char **loom_counted_names_list (GHashTable *texts, const LoomTrace *trace, gboolean device);
