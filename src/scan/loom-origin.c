/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-origin.h"

#include "loom-file-text.h"
#include "loom-range-text.h"

LoomOrigin *
loom_origin_new (const char *path, const struct stat *status, LoomText *text)
{
  LoomOrigin *origin = g_new0 (LoomOrigin, 1);
  g_atomic_ref_count_init (&origin->refs);
  origin->path = g_strdup (path);
  if (status != NULL)
    origin->status = *status;
  origin->text = text != NULL ? loom_text_ref (text) : NULL;
  origin->n_bytes = origin->n_unpacked = G_MAXUINT64;
  return origin;
}

LoomOrigin *
loom_origin_ref (LoomOrigin *origin)
{
  g_atomic_ref_count_inc (&origin->refs);
  return origin;
}

void
loom_origin_unref (LoomOrigin *origin)
{
  if (origin == NULL || !g_atomic_ref_count_dec (&origin->refs))
    return;
  loom_text_unref (origin->text);
  g_free (origin->path);
  g_free (origin);
}

LoomText *
loom_origin_dup_text (const LoomOrigin *origin)
{
  LoomText *whole = origin->text != NULL ? loom_text_ref (origin->text) : loom_file_text_new (origin->path, &origin->status);
  return loom_range_text_new (whole, origin->offset, origin->n_bytes);
}
