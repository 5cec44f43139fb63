/* SPDX-License-Identifier: Apache-2.0
 *
 * The promises of LoomText that do not depend on where the bytes come from, on a text that gives them in dribbles.
 */
#include "loom-error.h"
#include "loom-text.h"

#include <errno.h>
#include <string.h>

typedef struct {
  LoomText parent;
  const char *bytes;
  gsize n_bytes;
  guint64 broken_at; /* reading this byte fails */
  gboolean *finalized;
} DribbleText;

static gssize
dribble_read (LoomText *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
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
dribble_finalize (LoomText *text)
{
  *((DribbleText *) text)->finalized = TRUE;
}

static const LoomTextClass dribble_class = { dribble_read, dribble_finalize };

static LoomText *
dribble_new (const char *bytes, guint64 broken_at, gboolean *finalized)
{
  DribbleText *self = (DribbleText *) loom_text_alloc (&dribble_class, sizeof (DribbleText));
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
  LoomText *text = dribble_new ("0123456789", G_MAXUINT64, &finalized);
  g_autofree char *middle = loom_text_dup_range (text, 2, 7, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (middle, ==, "2345678");
  g_autofree char *nothing = loom_text_dup_range (text, 99, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (nothing, ==, "");
  loom_text_unref (loom_text_ref (text));
  g_assert_false (finalized);
  loom_text_unref (text);
  g_assert_true (finalized);
  loom_text_unref (NULL);
}

static void
test_not_there (void)
{
  gboolean finalized = FALSE;
  g_autoptr (LoomText) text = dribble_new ("0123456789", 4, &finalized);
  g_autoptr (GError) short_error = NULL;
  g_assert_null (loom_text_dup_range (text, 8, 3, &short_error));
  g_assert_error (short_error, LOOM_ERROR, LOOM_ERROR_READ);
  g_autoptr (GError) broken_error = NULL;
  g_assert_null (loom_text_dup_range (text, 1, 5, &broken_error));
  g_assert_error (broken_error, LOOM_ERROR, LOOM_ERROR_READ);
  g_assert_nonnull (strstr (broken_error->message, "dribble"));
  g_assert_nonnull (strstr (broken_error->message, g_strerror (EIO)));
  g_autoptr (GError) huge_error = NULL;
  g_assert_null (loom_text_dup_range (text, 0, G_MAXSIZE, &huge_error));
  g_assert_error (huge_error, LOOM_ERROR, LOOM_ERROR_LIMIT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/text/range", test_range);
  g_test_add_func ("/base/text/not-there", test_not_there);
  return g_test_run ();
}
