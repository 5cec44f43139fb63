/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: maps the raw literals of name, cat and cname to the builder's name id; each combination is
 * decoded once.
 */
#pragma once

#include "loom-event.h"
#include "loom-trace-builder.h"

typedef struct _LoomNameCache LoomNameCache;

LoomNameCache *loom_name_cache_new (LoomTraceBuilder *builder);
void loom_name_cache_free (LoomNameCache *cache);

typedef enum {
  LOOM_NAME_CUT = 1 << 0, /* set if the name was too long and was truncated */
  /* name and cat have literals that encoding their texts gives again, and cname is absent */
  LOOM_NAME_PLAIN = 1 << 1,
} LoomNameTraits;

/* Returns the name id of an event; sets `traits` to what is known about the name's literals. */
guint32 loom_name_cache_get (LoomNameCache *cache, const LoomEvent *event, LoomNameTraits *traits);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNameCache, loom_name_cache_free)
