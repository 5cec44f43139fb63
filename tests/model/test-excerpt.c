/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-excerpt.h"

#include "loom-error.h"

#include <string.h>

/* A byte source for bytes in memory that returns only a few of them for each read. */
typedef struct {
  LoomByteSource base;
  const char *bytes;
  gsize length;
} Piecemeal;

static gssize
piecemeal_read (LoomByteSource *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  const Piecemeal *self = (Piecemeal *) text;
  if (self->bytes == NULL) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, "gone");
    return -1;
  }
  gsize n = offset < self->length ? MIN (MIN (n_bytes, 7), self->length - offset) : 0;
  memcpy (buffer, self->bytes + MIN (offset, self->length), n);
  return (gssize) n;
}

static void
piecemeal_finalize (LoomByteSource *text)
{
}

static const LoomByteSourceClass piecemeal_class = { piecemeal_read, piecemeal_finalize };

static LoomByteSource *
new_text (const char *bytes, gsize length)
{
  Piecemeal *text = (Piecemeal *) loom_byte_source_alloc (&piecemeal_class, sizeof *text);
  text->bytes = bytes;
  text->length = length;
  return &text->base;
}

static void
assert_excerpt (const char *bytes, gsize length, guint64 offset, const char *before, const char *after)
{
  g_autoptr (LoomByteSource) text = new_text (bytes, length);
  g_autofree char *expected = g_strconcat (before, after, NULL);
  gsize at = 0;
  g_autofree char *excerpt = loom_excerpt_read (text, offset, &at, NULL);
  g_assert_cmpstr (excerpt, ==, expected);
  g_assert_cmpuint (at, ==, strlen (before));
  g_assert_true (g_utf8_validate (excerpt, -1, NULL));
}

#define ASSERT(text, offset, before, after) assert_excerpt (text, sizeof text - 1, offset, before, after)

static void
test_places (void)
{
  ASSERT ("{\"a\":1}", 0, "", "{\"a\":1}");
  ASSERT ("{\"a\":1}", 5, "{\"a\":", "1}");
  ASSERT ("{\"a\":", 5, "{\"a\":", ""); /* the place is the end of the file, so no text follows it */
  ASSERT ("{\"a\":", 500, "", "");
  ASSERT ("", 0, "", "");
  ASSERT ("one\ntwo three\nfour", 8, "two ", "three\\nfour"); /* the excerpt begins at the begin of the line */
  ASSERT ("one\ntwo", 4, "", "two");
}

static void
test_letters (void)
{
  ASSERT ("a\tb\r\\\001\177\0z", 0, "", "a\\tb\\r\\\\\\x01\\x7f\\x00z");
  ASSERT ("\xff\xc3(", 0, "", "\\xff\\xc3(");
  ASSERT ("ä\xe2\x80\x8b\xe2\x80\xae€", 0, "", "ä\\u200b\\u202e€");
}

static void
test_bounds (void)
{
  g_autofree char *long_line = g_strnfill (1000, 'x');
  g_autofree char *before = g_strdup_printf ("…%.*s", LOOM_EXCERPT_BEFORE, long_line);
  g_autofree char *after = g_strdup_printf ("%.*s…", LOOM_EXCERPT_AFTER, long_line);
  assert_excerpt (long_line, 1000, 500, before, after);
  assert_excerpt (long_line, LOOM_EXCERPT_AFTER, 0, "", long_line + 1000 - LOOM_EXCERPT_AFTER);
}

/* An excerpt contains only whole characters, whose UTF-8 has two or three bytes here, even if its place is inside a
 * character. */
static void
test_never_cuts_letters (void)
{
  GString *bytes = g_string_new (NULL);
  for (guint i = 0; i < 200; i++)
    g_string_append (bytes, i % 3 == 0 ? "€" : "äx");
  g_autoptr (LoomByteSource) text = new_text (bytes->str, bytes->len);
  const char *end = bytes->str + bytes->len;
  for (const char *p = bytes->str; p < end; p = g_utf8_next_char (p)) {
    gsize at;
    g_autofree char *excerpt = loom_excerpt_read (text, (guint64) (p - bytes->str), &at, NULL);
    g_assert_null (strchr (excerpt, '\\'));
    g_assert_true (g_utf8_validate (excerpt, -1, NULL));
    g_assert_true (g_str_has_prefix (p, "€") == g_str_has_prefix (excerpt + at, "€"));
  }
  g_string_free (bytes, TRUE);
}

static void
test_gone (void)
{
  g_autoptr (LoomByteSource) text = new_text (NULL, 0);
  g_autoptr (GError) error = NULL;
  g_assert_null (loom_excerpt_read (text, 3, NULL, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/excerpt/places", test_places);
  g_test_add_func ("/model/excerpt/letters", test_letters);
  g_test_add_func ("/model/excerpt/bounds", test_bounds);
  g_test_add_func ("/model/excerpt/never-cuts-letters", test_never_cuts_letters);
  g_test_add_func ("/model/excerpt/gone", test_gone);
  return g_test_run ();
}
