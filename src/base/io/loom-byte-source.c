/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads any part of the unpacked text of a loaded file. The interface is described in loom-byte-source.h.
 */
#include "loom-byte-source.h"

#include "loom-error.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

typedef struct {
  LoomByteSource text;
  GBytes *bytes;
} BytesText;

LoomByteSource *
loom_byte_source_alloc (const LoomByteSourceClass *klass, gsize struct_size)
{
  g_assert (struct_size >= sizeof (LoomByteSource));
  LoomByteSource *text = g_malloc0 (struct_size);
  text->klass = klass;
  g_atomic_ref_count_init (&text->refs);
  return text;
}

static gssize
bytes_text_read (LoomByteSource *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  gsize length;
  const char *bytes = g_bytes_get_data (((BytesText *) text)->bytes, &length);
  gsize n = offset < length ? MIN (n_bytes, length - (gsize) offset) : 0;
  if (n > 0)
    memcpy (buffer, bytes + offset, n);
  return (gssize) n;
}

static void
bytes_text_finalize (LoomByteSource *text)
{
  g_bytes_unref (((BytesText *) text)->bytes);
}

LoomByteSource *
loom_byte_source_new_bytes (GBytes *bytes)
{
  static const LoomByteSourceClass klass = { bytes_text_read, bytes_text_finalize };
  BytesText *text = (BytesText *) loom_byte_source_alloc (&klass, sizeof (BytesText));
  text->bytes = g_bytes_ref (bytes);
  return &text->text;
}

LoomByteSource *
loom_byte_source_ref (LoomByteSource *text)
{
  g_atomic_ref_count_inc (&text->refs);
  return text;
}

void
loom_byte_source_unref (LoomByteSource *text)
{
  if (text == NULL || !g_atomic_ref_count_dec (&text->refs))
    return;
  text->klass->finalize (text);
  g_free (text);
}

gssize
loom_byte_source_read (LoomByteSource *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  return text->klass->read (text, offset, buffer, n_bytes, error);
}

char *
loom_byte_source_dup_range (LoomByteSource *text, guint64 offset, gsize n_bytes, GError **error)
{
  g_autofree char *bytes = g_try_malloc (n_bytes + 1);
  if (bytes == NULL) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT, _ ("Not enough memory for %zu bytes of text"), n_bytes);
    return NULL;
  }
  for (gsize done = 0; done < n_bytes;) {
    gssize n = loom_byte_source_read (text, offset + done, bytes + done, n_bytes - done, error);
    if (n < 0)
      return NULL;
    if (n == 0) {
      g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ,
                   _ ("The file ends at byte %" PRIu64 ", but it should reach to byte %" PRIu64
                      ". The file may have changed since it was opened"),
                   offset + done, offset + n_bytes);
      return NULL;
    }
    done += (gsize) n;
  }
  bytes[n_bytes] = '\0';
  return g_steal_pointer (&bytes);
}
