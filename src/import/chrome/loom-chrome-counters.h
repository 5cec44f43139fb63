/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads counter events. The literals of an event are compared with those of earlier events to
 * find the counter and its series. Therefore a sample normally costs only the parsing of its number, without decoding
 * or allocating.
 */
#pragma once

#include "loom-chrome-importer.h"

typedef struct _LoomCounterCache LoomCounterCache;

LoomCounterCache *loom_chrome_counters_cache_new (void);
void loom_chrome_counters_cache_free (LoomCounterCache *cache);

/* Adds the samples of a counter event (phase C). `time_ns`: time of the event in local time, that is, with
 * LoomChromeImporter.base_ns added (loom-declared-clock.h). */
void loom_chrome_counters_parse (LoomChromeImporter *chrome, const LoomEvent *event, guint32 process, gint64 time_ns,
                                 LoomRef ref);
