/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes where the bytes of an input are stored if the input is not an ordinary file: in a range of an archive, in a
 * range of an archive's unpacked text, in a range of a temporary file, or in a copy elsewhere on the disk. The
 * interface is described in loom-source-location.h.
 */
#include "loom-source-location.h"

#include "loom-file-source.h"
#include "loom-range-source.h"

LoomSourceLocation *
loom_source_location_new (const char *path, const struct stat *status, LoomByteSource *text)
{
  LoomSourceLocation *origin = g_new0 (LoomSourceLocation, 1);
  g_atomic_ref_count_init (&origin->refs);
  origin->path = g_strdup (path);
  if (status != NULL)
    origin->status = *status;
  origin->text = text != NULL ? loom_byte_source_ref (text) : NULL;
  origin->n_bytes = origin->n_unpacked = G_MAXUINT64;
  return origin;
}

LoomSourceLocation *
loom_source_location_ref (LoomSourceLocation *origin)
{
  g_atomic_ref_count_inc (&origin->refs);
  return origin;
}

void
loom_source_location_unref (LoomSourceLocation *origin)
{
  if (origin == NULL || !g_atomic_ref_count_dec (&origin->refs))
    return;
  loom_byte_source_unref (origin->text);
  g_free (origin->path);
  g_free (origin);
}

LoomByteSource *
loom_source_location_dup_text (const LoomSourceLocation *origin)
{
  LoomByteSource *whole =
    origin->text != NULL ? loom_byte_source_ref (origin->text) : loom_file_source_new (origin->path, &origin->status);
  return loom_range_source_new (whole, origin->offset, origin->n_bytes);
}
