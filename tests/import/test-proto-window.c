/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the window through which protobuf files are read: it has the bytes of the file, wherever it moves, also while
 * another thread reads ahead, and if the file becomes shorter or reading fails.
 */
#include <string.h>

#include "loom-proto-window.h"

#define FILE_BYTES (20u * 1024 * 1024 + 77)

/* A file whose bytes are computed from their offsets. Reading fails from `end` on, which may be changed. */
typedef struct {
  LoomByteSource base;
  gint *end;
  gint *n_reading; /* number of threads other than that of the test that have read */
  GThread *owner;
} MadeFile;

static guint8
byte_at (guint64 offset)
{
  return (guint8) (offset * 2654435761u >> 13);
}

static gssize
made_read (LoomByteSource *base, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  MadeFile *file = (MadeFile *) base;
  guint64 end = (guint64) g_atomic_int_get (file->end);
  gsize n = (gsize) MIN (n_bytes, end - MIN (offset, end));
  for (gsize i = 0; i < n; i++)
    ((guint8 *) buffer)[i] = byte_at (offset + i);
  if (g_thread_self () != file->owner)
    g_atomic_int_inc (file->n_reading);
  return (gssize) n;
}

static void
made_finalize (LoomByteSource *base)
{
}

static LoomProtoWindow *
new_window (gint *end, gint *n_reading)
{
  static const LoomByteSourceClass klass = { made_read, made_finalize };
  MadeFile *file = (MadeFile *) loom_byte_source_alloc (&klass, sizeof (MadeFile));
  file->end = end;
  file->n_reading = n_reading;
  file->owner = g_thread_self ();
  LoomProtoWindow *window = loom_proto_window_new (&file->base);
  loom_proto_window_read_ahead (window);
  return window;
}

/* Checks the first and the last of `n_bytes` bytes at an offset, and some between them. */
static void
check_bytes (LoomProtoWindow *window, guint64 offset, gsize n_bytes)
{
  const guint8 *bytes = loom_proto_window_get (window, offset, n_bytes);
  g_assert_nonnull (bytes);
  for (gsize i = 0; i < n_bytes; i += 1 + n_bytes / 7)
    g_assert_cmpuint (bytes[i], ==, byte_at (offset + i));
  g_assert_cmpuint (bytes[n_bytes - 1], ==, byte_at (offset + n_bytes - 1));
}

/* Reads parts of random length in order up to `end`, and returns the offset behind the last of them. */
static guint64
read_in_order (LoomProtoWindow *window, guint64 end, guint most)
{
  guint64 at = 0;
  gsize n = (gsize) g_test_rand_int_range (1, (gint32) most);
  for (; at + n <= end; n = (gsize) g_test_rand_int_range (1, (gint32) most)) {
    check_bytes (window, at, n);
    at += n;
  }
  return at;
}

/* Parts longer than the end of a window that is kept, and longer than a window, are read, too. */
static void
test_in_order (void)
{
  static const guint lengths[] = { 200, 40000, 200000, 600000 };
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    gint end = FILE_BYTES, n_reading = 0;
    g_autoptr (LoomProtoWindow) window = new_window (&end, &n_reading);
    guint64 at = read_in_order (window, FILE_BYTES, lengths[i]);
    g_assert_null (loom_proto_window_get (window, at, FILE_BYTES - at + 1));
    g_assert_true (lengths[i] > 250000 || g_atomic_int_get (&n_reading) > 0);
  }
}

/* A window that jumps has the right bytes, although bytes after its former place are read at that time. */
static void
test_jumps (void)
{
  gint end = FILE_BYTES, n_reading = 0;
  g_autoptr (LoomProtoWindow) window = new_window (&end, &n_reading);
  read_in_order (window, 8 * 1024 * 1024, 1000);
  for (guint i = 0; i < 200; i++) {
    guint64 at = (guint64) g_test_rand_int_range (0, FILE_BYTES - 400000);
    for (guint k = 0; k < (i % 10 == 0 ? 800 : 3); k++, at = MIN (at + 5000, FILE_BYTES - 5000))
      check_bytes (window, at, 5000);
  }
  g_assert_cmpint (g_atomic_int_get (&n_reading), >, 0);
}

/* The file becomes shorter while it is read. */
static void
test_shrinks (void)
{
  gint end = FILE_BYTES, n_reading = 0;
  g_autoptr (LoomProtoWindow) window = new_window (&end, &n_reading);
  guint64 at = 0;
  for (; at < 6 * 1024 * 1024; at += 999)
    check_bytes (window, at, 999);
  g_atomic_int_set (&end, 7 * 1024 * 1024);
  for (; loom_proto_window_get (window, at, 999) != NULL; at += 999)
    check_bytes (window, at, 999);
  g_assert_cmpuint (at + 999, >, 7 * 1024 * 1024);
  g_assert_cmpuint (at, <, 8 * 1024 * 1024);
}

/* The window may be freed while bytes are read ahead. */
static void
test_free (void)
{
  gint end = FILE_BYTES, n_reading = 0;
  for (guint64 most = 4 * 1024 * 1024; most < 6 * 1024 * 1024; most += 100000) {
    g_autoptr (LoomProtoWindow) window = new_window (&end, &n_reading);
    for (guint64 at = 0; at < most; at += 50000)
      check_bytes (window, at, 50000);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proto-window/in-order", test_in_order);
  g_test_add_func ("/proto-window/jumps", test_jumps);
  g_test_add_func ("/proto-window/shrinks", test_shrinks);
  g_test_add_func ("/proto-window/free", test_free);
  return g_test_run ();
}
