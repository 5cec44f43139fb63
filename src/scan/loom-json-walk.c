/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-json-walk.h"

LoomWalk
loom_walk_nested (const char **p, const char *end)
{
  guint64 kinds[LOOM_JSON_MAX_DEPTH / 64] = { 0 }; /* a bit per level: set for an object */
  gsize depth = 0;
  const char *at = *p;
  for (;;) {
    at = loom_walk_to_structure (at, end);
    if (at >= end)
      return LOOM_WALK_INCOMPLETE;
    if (*at == '"') {
      LoomWalk walk = loom_walk_string (&at, end);
      if (walk != LOOM_WALK_OK)
        return walk;
      continue;
    }
    gboolean object = *at == '{' || *at == '}';
    if (*at == '{' || *at == '[') {
      if (depth < LOOM_JSON_MAX_DEPTH) {
        guint64 bit = G_GUINT64_CONSTANT (1) << (depth % 64);
        kinds[depth / 64] = object ? kinds[depth / 64] | bit : kinds[depth / 64] & ~bit;
      }
      depth++, at++;
      continue;
    }
    depth--, at++;
    if (depth < LOOM_JSON_MAX_DEPTH && (kinds[depth / 64] >> (depth % 64) & 1) != (guint64) object)
      return LOOM_WALK_BAD;
    if (depth == 0) {
      *p = at;
      return LOOM_WALK_OK;
    }
  }
}
