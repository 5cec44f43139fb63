/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests ranges of files that are mapped into memory: their contents, and files that shrink while they are mapped, which
 * causes bus errors.
 */
#include "loom-error.h"
#include "loom-file-source.h"
#include "loom-mapped-file.h"
#include "loom-shared-block-cache.h"
#include "loom-stream-reader.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define N_BYTES 50000

static char *path;

static int
make_file (void)
{
  g_autofree char *bytes = g_malloc (N_BYTES);
  for (guint i = 0; i < N_BYTES; i++)
    bytes[i] = (char) (i % 251);
  g_assert_true (g_file_set_contents (path, bytes, N_BYTES, NULL));
  return open (path, O_RDWR);
}

static void
test_content (void)
{
  int fd = make_file ();
  for (guint64 offset = 0; offset < N_BYTES; offset += 777) {
    LoomMappedFile mapped;
    gsize length = MIN (5000, N_BYTES - offset);
    g_assert_true (loom_mapped_file_open (&mapped, fd, offset, length));
    g_assert_cmpuint (mapped.length, ==, length);
    for (gsize i = 0; i < length; i++)
      g_assert_cmpint (mapped.text[i], ==, (char) ((offset + i) % 251));
    g_assert_true (loom_mapped_file_close (&mapped));
  }
  close (fd);
}

static void
test_shrinks (void)
{
  int fd = make_file ();
  LoomMappedFile mapped;
  g_assert_true (loom_mapped_file_open (&mapped, fd, 100, N_BYTES - 100));
  g_assert_cmpint (ftruncate (fd, 5000), ==, 0);
  g_assert_cmpint (mapped.text[4000], ==, (char) (4100 % 251));
  g_assert_cmpint (mapped.text[N_BYTES - 101], ==, 0);
  g_assert_cmpint (mapped.text[20000], ==, 0);
  g_assert_false (loom_mapped_file_close (&mapped));
  g_assert_true (loom_mapped_file_open (&mapped, fd, 0, 5000)); /* the previous range failed, but the next one can be
                                                                 * read */
  g_assert_cmpint (mapped.text[4999], ==, (char) (4999 % 251));
  g_assert_true (loom_mapped_file_close (&mapped));
  close (fd);
}

static void
test_other_bus_errors (void)
{
  if (g_test_subprocess ()) {
    int fd = make_file ();
    LoomMappedFile mapped;
    g_assert_true (loom_mapped_file_open (&mapped, fd, 0, N_BYTES));
    g_assert_true (loom_mapped_file_close (&mapped));
    raise (SIGBUS);
    raise (SIGBUS);
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_assert_false (g_test_trap_has_passed ());
}

static gboolean
shrink_at_first (const LoomEvent *event, gpointer user_data)
{
  guint *n = user_data;
  if ((*n)++ == 0)
    g_assert_cmpint (truncate (path, 10000), ==, 0);
  return TRUE;
}

/* A file is truncated while it is read: the part before the end is returned, then reading fails with an error that
 * names the file. */
static void
test_reader (void)
{
  g_autoptr (GString) text = g_string_new ("[");
  while (text->len < 3 * 1024 * 1024)
    g_string_append (text, "{\"ph\":\"X\",\"ts\":1,\"name\":\"a\"},\n");
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  guint n = 0;
  const LoomScanHandler handler = { shrink_at_first, NULL, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomEventScanner) scanner = loom_event_scanner_new (&handler, &n, FALSE);
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new (path, NULL, &error);
  g_assert_no_error (error);
  g_setenv ("LOOM_MAP_BYTES", "16777216", TRUE); /* the size of mapped ranges; the reader itself chooses between mapping
                                                  * and copying */
  g_assert_false (loom_stream_reader_scan (reader, scanner, 0, &error));
  g_unsetenv ("LOOM_MAP_BYTES");
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
  g_assert_nonnull (strstr (error->message, path));
  g_assert_cmpuint (n, >=, 10000 / 35);
}

/* --- byte sources --- */

static LoomByteSource *
make_text (void)
{
  struct stat status;
  close (make_file ());
  g_assert_cmpint (stat (path, &status), ==, 0);
  return loom_file_source_new (path, &status);
}

static void
check_peek (LoomByteSource *text, guint64 offset)
{
  gsize length;
  const char *at = loom_file_source_peek (text, offset, &length);
  g_assert_nonnull (at);
  g_assert_cmpuint (length, ==, N_BYTES - offset);
  for (gsize i = 0; i < length; i++)
    g_assert_cmpint (at[i], ==, (char) ((offset + i) % 251));
  for (gsize i = 0; i < 4096; i++)
    g_assert_cmpint (at[length + i], ==, 0);
}

/* Bytes stay mapped as long as a caller holds them. */
static void
test_text_held (void)
{
  g_autoptr (LoomByteSource) text = make_text ();
  g_autoptr (GError) error = NULL;
  gsize length;
  g_assert_null (loom_file_source_peek (text, 0, &length));
  loom_file_source_hold (text);
  loom_file_source_hold (text);
  check_peek (text, 0);
  check_peek (text, N_BYTES - 1);
  g_assert_null (loom_file_source_peek (text, N_BYTES, &length));
  g_assert_true (loom_file_source_release (text, &error));
  check_peek (text, 4097);
  g_assert_true (loom_file_source_release (text, &error));
  g_assert_no_error (error);
  g_assert_null (loom_file_source_peek (text, 0, &length));
}

static gpointer
look_beyond (gpointer data)
{
  gsize length;
  const char *at = loom_file_source_peek (data, 20000, &length);
  return GINT_TO_POINTER (at[length - 1]);
}

/* The file shrinks by whole pages, which all threads that read them notice, or by a few bytes, which no thread
 * notices. */
static void
test_text_shrinks (void)
{
  for (int left = 5000; left < N_BYTES; left += N_BYTES - 5000 - 10) {
    g_autoptr (LoomByteSource) text = make_text ();
    g_autoptr (GError) error = NULL;
    GThread *threads[4];
    loom_file_source_hold (text);
    check_peek (text, 0);
    g_assert_cmpint (truncate (path, left), ==, 0);
    for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
      threads[i] = g_thread_new ("look", look_beyond, text);
    for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
      g_assert_null (g_thread_join (threads[i]));
    g_assert_false (loom_file_source_release (text, &error));
    g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
    g_assert_nonnull (strstr (error->message, path));
  }
}

static gpointer
release (gpointer text)
{
  return GINT_TO_POINTER (loom_file_source_release (text, NULL));
}

static void
leave (int number)
{
  _exit (0);
}

/* Another thread closes the range that this thread used last. A bus error that is not caused by a mapped range must
 * then be passed to the handler that was installed before. */
static void
test_text_closed_elsewhere (void)
{
  if (g_test_subprocess ()) {
    signal (SIGBUS, leave);
    g_autoptr (LoomByteSource) text = make_text ();
    loom_file_source_hold (text);
    check_peek (text, 0);
    g_assert_nonnull (g_thread_join (g_thread_new ("release", release, text)));
    raise (SIGBUS);
    raise (SIGBUS);
    _exit (1);
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

/* Many mapped texts do not use up the limited number of mappings of a process, some of which malloc needs. */
static void
test_many_texts (void)
{
  enum { N_TEXTS = 33000 };
  static LoomByteSource *texts[N_TEXTS];
  struct stat status;
  guint n_peeked = 0;
  gsize length;
  close (make_file ());
  g_assert_cmpint (stat (path, &status), ==, 0);
  for (guint i = 0; i < N_TEXTS; i++) {
    texts[i] = loom_file_source_new (path, &status);
    loom_file_source_hold (texts[i]);
    n_peeked += loom_file_source_peek (texts[i], 0, &length) != NULL;
  }
  g_assert_cmpuint (n_peeked, >, 1000);
  g_assert_cmpuint (n_peeked, <, N_TEXTS / 2);
  g_autofree char *bytes = loom_byte_source_dup_range (texts[N_TEXTS - 1], 1, 2, NULL);
  g_assert_cmpmem (bytes, 2, "\1\2", 2);
  for (guint i = 0; i < N_TEXTS; i++)
    g_assert_true (loom_file_source_release (texts[i], NULL));
  loom_file_source_hold (texts[N_TEXTS - 1]);
  check_peek (texts[N_TEXTS - 1], 0);
  g_assert_true (loom_file_source_release (texts[N_TEXTS - 1], NULL));
  for (guint i = 0; i < N_TEXTS; i++)
    loom_byte_source_unref (texts[i]);
}

/* --- choice between mapping and copying --- */

static void
write_pattern (gsize n_bytes)
{
  g_autofree char *bytes = g_malloc (n_bytes);
  for (gsize i = 0; i < n_bytes; i++)
    bytes[i] = (char) (i % 251);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) n_bytes, NULL));
}

/* The environment variable decides between mapping and copying. Without it, the speed of both is measured once, but not
 * with a file that is too short. */
static void
test_verdict (void)
{
  g_setenv ("LOOM_MAP_BYTES", "0", TRUE);
  g_assert_true (loom_mapped_file_is_slow (-1));
  g_setenv ("LOOM_MAP_BYTES", "4096", TRUE);
  g_assert_false (loom_mapped_file_is_slow (-1));
  g_unsetenv ("LOOM_MAP_BYTES");
  int fd = make_file ();
  g_assert_false (loom_mapped_file_is_slow (fd));
  close (fd);
  write_pattern (1 << 20);
  fd = open (path, O_RDONLY);
  gboolean is_slow = loom_mapped_file_is_slow (fd);
  close (fd);
  g_assert_cmpint (loom_mapped_file_is_slow (-1), ==, is_slow);
}

typedef struct {
  guint n_texts;
  guint64 step;      /* distance between two events in the file, in bytes */
  gboolean is_whole; /* TRUE if all blocks were mapped completely */
} Reading;

#define MOST_TEXTS 65

/* Blocks contain the same bytes whether they are mapped or copied. */
static void
test_blocks (gconstpointer data)
{
  const Reading *reading = data;
  const gsize n_bytes = 8 << 20;
  struct stat status;
  write_pattern (n_bytes);
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_autoptr (LoomByteSource) text = loom_file_source_new (path, &status);
  LoomByteSource *const texts[MOST_TEXTS] = { NULL, text };
  LoomSharedBlockCache *blocks = loom_shared_block_cache_new (texts, reading->n_texts);
  LoomSharedBlockWindow *window = loom_shared_block_cache_new_window ();
  guint64 offset = 0;
  gsize length;
  for (guint i = 0; i < 20000; i++, offset = (offset + reading->step) % n_bytes) {
    const char *bytes =
      loom_shared_block_cache_get_block (loom_shared_block_cache_want (blocks, window, 1, offset), offset, &length);
    for (guint k = 0; k < MIN (length, 100); k++)
      g_assert_cmpint (bytes[k], ==, (char) ((offset + k) % 251));
    bytes = loom_shared_block_cache_get_window (window, text, offset, &length);
    g_assert_cmpint (bytes[0], ==, (char) (offset % 251));
    if (i % 300 == 0)
      loom_shared_block_cache_clear (window);
  }
  g_assert_cmpint (loom_file_source_peek (text, 0, &length) != NULL, ==, reading->is_whole);
  loom_shared_block_cache_free_window (window);
  g_assert_true (loom_shared_block_cache_release (blocks, 0, NULL));
  g_assert_true (loom_shared_block_cache_release (blocks, 1, NULL));
  g_assert_null (loom_file_source_peek (text, 0, &length));
  loom_shared_block_cache_free (blocks);
}

static const Reading in_order = { 64, 239, FALSE }, in_no_order = { 2, 5000011, TRUE },
                     of_many = { MOST_TEXTS, 239, TRUE };

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_autofree char *folder = g_dir_make_tmp ("loom-mapped-XXXXXX", NULL);
  path = g_build_filename (folder, "file.json", NULL);
  g_test_add_func ("/scan/mapped-file/content", test_content);
  g_test_add_func ("/scan/mapped-file/shrinks", test_shrinks);
  g_test_add_func ("/scan/mapped-file/other-bus-errors", test_other_bus_errors);
  g_test_add_func ("/scan/mapped-file/reader", test_reader);
  g_test_add_func ("/scan/mapped-file/verdict", test_verdict);
  g_test_add_data_func ("/scan/mapped-file/blocks-in-order", &in_order, test_blocks);
  g_test_add_data_func ("/scan/mapped-file/blocks-in-no-order", &in_no_order, test_blocks);
  g_test_add_data_func ("/scan/mapped-file/blocks-of-many", &of_many, test_blocks);
  g_test_add_func ("/scan/mapped-file/text-held", test_text_held);
  g_test_add_func ("/scan/mapped-file/text-shrinks", test_text_shrinks);
  g_test_add_func ("/scan/mapped-file/text-closed-elsewhere", test_text_closed_elsewhere);
  g_test_add_func ("/scan/mapped-file/many-texts", test_many_texts);
  int status = g_test_run ();
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  return status;
}
