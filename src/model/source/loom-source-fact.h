/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds a fact that a file states about its run. May be called on any thread.
 */
#pragma once

#include "loom-source.h"

/* Returns the value of the last fact of the source with this key, borrowed from the source; NULL: there is none.
 * O(facts). */
const char *loom_source_fact_find (const LoomSource *source, const char *key);
