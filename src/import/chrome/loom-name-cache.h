/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds the id that the trace builder has assigned to the name, cat and cname of an event. The
 * literals are compared with those of earlier events, so that each combination of the three is decoded only once.
 */
#pragma once

#include "loom-event.h"
#include "loom-trace-builder.h"

typedef struct _LoomNameCache LoomNameCache;

LoomNameCache *loom_name_cache_new (LoomTraceBuilder *builder);
void loom_name_cache_free (LoomNameCache *cache);

typedef enum {
  LOOM_NAME_CUT = 1 << 0, /* set if the name was too long and was truncated */
  /* the name and the category need no escapes, so the literals in the file can be restored from their decoded texts;
   * the event has no cname */
  LOOM_NAME_PLAIN = 1 << 1,
} LoomNameTraits;

/* Returns the name id of an event. Sets `traits` to the properties of the literals of the name. */
guint32 loom_name_cache_get (LoomNameCache *cache, const LoomEvent *event, LoomNameTraits *traits);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNameCache, loom_name_cache_free)
