/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: counters. A counter and its series are found by comparing literals with those of the previous
 * event, so that a sample costs only parsing its number, and nothing is decoded or allocated twice.
 */
#pragma once

#include "loom-chrome-importer.h"

typedef struct _LoomCounterCache LoomCounterCache;

LoomCounterCache *loom_chrome_counters_cache_new (void);
void loom_chrome_counters_cache_free (LoomCounterCache *cache);

/* Adds the samples of a counter event (phase C); `time_ns`: anchored time (see loom-declared-clock.h). */
void loom_chrome_counters_parse (LoomChromeImporter *chrome, const LoomEvent *event, guint32 process, gint64 time_ns,
                                 LoomRef ref);
