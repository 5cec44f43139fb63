/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-source-fact.h"

const char *
loom_source_fact_find (const LoomSource *source, const char *key)
{
  const char *found = NULL;
  for (guint i = 0; i + 1 < source->facts->len; i += 2)
    if (g_strcmp0 (source->facts->pdata[i], key) == 0)
      found = source->facts->pdata[i + 1];
  return found;
}
