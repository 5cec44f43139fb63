/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the functions of LoomByteSource that do not depend on the kind of source. The source of the test returns only a
 * few bytes for each read, or an error.
 */
#include "loom-byte-source.h"
#include "loom-error.h"

#include <errno.h>
#include <string.h>

typedef struct {
  LoomByteSource parent;
  const char *bytes;
  gsize n_bytes;
  guint64 broken_at; /* offset of the byte whose reading fails */
  gboolean *finalized;
} DribbleText;

static gssize
dribble_read (LoomByteSource *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  DribbleText *self = (DribbleText *) text;
  if (offset >= self->n_bytes)
    return 0;
  if (offset == self->broken_at) {
    loom_error_set_from_errno (error, LOOM_ERROR_READ, EIO, "Cannot read “%s”", "dribble");
    return -1;
  }
  gsize n = MIN (MIN (n_bytes, 3), self->n_bytes - (gsize) offset);
  memcpy (buffer, self->bytes + offset, n);
  return (gssize) n;
}

static void
dribble_finalize (LoomByteSource *text)
{
  *((DribbleText *) text)->finalized = TRUE;
}

static const LoomByteSourceClass dribble_class = { dribble_read, dribble_finalize };

static LoomByteSource *
dribble_new (const char *bytes, guint64 broken_at, gboolean *finalized)
{
  DribbleText *self = (DribbleText *) loom_byte_source_alloc (&dribble_class, sizeof (DribbleText));
  self->bytes = bytes;
  self->n_bytes = strlen (bytes);
  self->broken_at = broken_at;
  self->finalized = finalized;
  return &self->parent;
}

static void
test_range (void)
{
  gboolean finalized = FALSE;
  g_autoptr (GError) error = NULL;
  LoomByteSource *text = dribble_new ("0123456789", G_MAXUINT64, &finalized);
  g_autofree char *middle = loom_byte_source_dup_range (text, 2, 7, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (middle, ==, "2345678");
  g_autofree char *nothing = loom_byte_source_dup_range (text, 99, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (nothing, ==, "");
  loom_byte_source_unref (loom_byte_source_ref (text));
  g_assert_false (finalized);
  loom_byte_source_unref (text);
  g_assert_true (finalized);
  loom_byte_source_unref (NULL);
}

static void
test_not_there (void)
{
  gboolean finalized = FALSE;
  g_autoptr (LoomByteSource) text = dribble_new ("0123456789", 4, &finalized);
  g_autoptr (GError) short_error = NULL;
  g_assert_null (loom_byte_source_dup_range (text, 8, 3, &short_error));
  g_assert_error (short_error, LOOM_ERROR, LOOM_ERROR_READ);
  g_autoptr (GError) broken_error = NULL;
  g_assert_null (loom_byte_source_dup_range (text, 1, 5, &broken_error));
  g_assert_error (broken_error, LOOM_ERROR, LOOM_ERROR_READ);
  g_assert_nonnull (strstr (broken_error->message, "dribble"));
  g_assert_nonnull (strstr (broken_error->message, g_strerror (EIO)));
  g_autoptr (GError) huge_error = NULL;
  g_assert_null (loom_byte_source_dup_range (text, 0, G_MAXSIZE, &huge_error));
  g_assert_error (huge_error, LOOM_ERROR, LOOM_ERROR_LIMIT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/byte-source/range", test_range);
  g_test_add_func ("/base/byte-source/not-there", test_not_there);
  return g_test_run ();
}
