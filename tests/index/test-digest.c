/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the digest of a file. Indexes contain it, so it must stay the same in all builds: built twice, with and without
 * Nettle.
 */
#include "loom-index-digest.h"

#include <glib/gstdio.h>
#include <string.h>

#define PIECE 4096

/* Writes a file of `n_bytes` in which all pieces differ. Returns its content; sets `path`. Both owned by the caller. */
static guint8 *
make_file (gsize n_bytes, char **path)
{
  g_autoptr (GError) error = NULL;
  guint8 *bytes = g_malloc (n_bytes + 1);
  for (gsize i = 0; i < n_bytes; i++)
    bytes[i] = (guint8) (i * 7 + i / PIECE);
  *path = g_build_filename (g_get_tmp_dir (), "loom-digest-XXXXXX", NULL);
  g_close (g_mkstemp (*path), NULL);
  g_file_set_contents (*path, (const char *) bytes, (gssize) n_bytes, &error);
  g_assert_no_error (error);
  return bytes;
}

/* `step`: distance of the pieces that the digest covers. */
static void
check_digest (gsize n_bytes, guint n_pieces, gsize step)
{
  g_autofree char *path = NULL;
  g_autofree guint8 *bytes = make_file (n_bytes, &path);
  guint8 digest[LOOM_INDEX_DIGEST_BYTES], expected[LOOM_INDEX_DIGEST_BYTES];
  gsize n = sizeof expected;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  for (guint i = 0; i < n_pieces; i++)
    g_checksum_update (sum, bytes + i * step, (gssize) MIN (PIECE, n_bytes - i * step));
  g_checksum_get_digest (sum, expected, &n);
  g_assert_true (loom_index_digest_compute (path, n_bytes, digest));
  g_assert_cmpmem (digest, sizeof digest, expected, sizeof expected);
  g_unlink (path);
}

static void
test_whole_file (void)
{
  check_digest (0, 0, PIECE);
  check_digest (100, 1, PIECE);
  check_digest (64 * PIECE - 1, 64, PIECE);
  check_digest (64 * PIECE, 64, PIECE);
}

static void
test_pieces (void)
{
  check_digest (64 * PIECE + 63, 64, PIECE + 1);
  check_digest (1000000, 64, (1000000 - PIECE) / 63);
}

static void
test_unreadable (void)
{
  guint8 digest[LOOM_INDEX_DIGEST_BYTES] = { 1 };
  g_autofree char *path = NULL;
  g_autofree guint8 *bytes = make_file (PIECE, &path);
  g_assert_false (loom_index_digest_compute (path, 1000000, digest));
  g_unlink (path);
  g_assert_false (loom_index_digest_compute (path, PIECE, digest));
  g_assert_cmpuint (digest[0], ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index/digest/whole-file", test_whole_file);
  g_test_add_func ("/index/digest/pieces", test_pieces);
  g_test_add_func ("/index/digest/unreadable", test_unreadable);
  return g_test_run ();
}
