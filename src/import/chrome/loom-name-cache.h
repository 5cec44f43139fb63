/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: from the raw literals of name, cat and cname to the builder's name id, decoding each
 * combination once.
 */
#pragma once

#include "loom-event.h"
#include "loom-trace-builder.h"

G_BEGIN_DECLS

typedef struct _LoomNameCache LoomNameCache;

LoomNameCache *loom_name_cache_new (LoomTraceBuilder *builder);
void loom_name_cache_free (LoomNameCache *cache);

typedef enum {
  LOOM_NAME_CUT = 1 << 0,   /* it was too long */
  LOOM_NAME_PLAIN = 1 << 1, /* written anew, name and cat come out byte for byte as they stand; no cname */
} LoomNameTraits;

/* The name id of an event. */
guint32 loom_name_cache_get (LoomNameCache *cache, const LoomEvent *event, LoomNameTraits *traits);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNameCache, loom_name_cache_free)

G_END_DECLS
