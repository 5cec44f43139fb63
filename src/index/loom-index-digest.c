/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-index-digest.h"

#include <fcntl.h>
#include <unistd.h>
#ifdef LOOM_HAVE_NETTLE
#include <nettle/sha2.h>
#endif

#define N_PIECES 64u
#define PIECE_BYTES 4096u

#ifdef LOOM_HAVE_NETTLE
/* Nettle uses the processor's instructions for SHA-256, with which a digest takes a quarter of the time. */
typedef struct sha256_ctx Sum;

static Sum *
sum_new (void)
{
  Sum *sum = g_new (Sum, 1);
  sha256_init (sum);
  return sum;
}

static void
sum_add (Sum *sum, const guint8 *bytes, gsize n_bytes)
{
  sha256_update (sum, n_bytes, bytes);
}

static void
sum_finish (Sum *sum, guint8 digest[LOOM_INDEX_DIGEST_BYTES])
{
  sha256_digest (sum, LOOM_INDEX_DIGEST_BYTES, digest);
}

static void
sum_free (Sum *sum)
{
  g_free (sum);
}
#else
typedef GChecksum Sum;

static Sum *
sum_new (void)
{
  return g_checksum_new (G_CHECKSUM_SHA256);
}

static void
sum_add (Sum *sum, const guint8 *bytes, gsize n_bytes)
{
  g_checksum_update (sum, bytes, (gssize) n_bytes);
}

static void
sum_finish (Sum *sum, guint8 digest[LOOM_INDEX_DIGEST_BYTES])
{
  gsize length = LOOM_INDEX_DIGEST_BYTES;
  g_checksum_get_digest (sum, digest, &length);
}

static void
sum_free (Sum *sum)
{
  g_checksum_free (sum);
}
#endif

static gboolean
add_piece (Sum *sum, int fd, guint64 offset)
{
  guint8 piece[PIECE_BYTES];
  gssize n = pread (fd, piece, PIECE_BYTES, (off_t) offset);
  if (n <= 0)
    return FALSE;
  sum_add (sum, piece, (gsize) n);
  return TRUE;
}

/* Adds N_PIECES pieces at equal distances, or all bytes of a short file. Returns FALSE if the file cannot be read. */
static gboolean
add_pieces (Sum *sum, int fd, guint64 n_bytes)
{
  gboolean is_short = n_bytes <= N_PIECES * PIECE_BYTES;
  guint64 n = is_short ? (n_bytes + PIECE_BYTES - 1) / PIECE_BYTES : N_PIECES;
  guint64 step = is_short ? PIECE_BYTES : (n_bytes - PIECE_BYTES) / (N_PIECES - 1);
  for (guint64 i = 0; i < n; i++)
    if (!add_piece (sum, fd, i * step))
      return FALSE;
  return TRUE;
}

gboolean
loom_index_digest_compute (const char *path, guint64 n_bytes, guint8 digest[LOOM_INDEX_DIGEST_BYTES])
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return FALSE;
  Sum *sum = sum_new ();
  gboolean good = add_pieces (sum, fd, n_bytes);
  if (good)
    sum_finish (sum, digest);
  sum_free (sum);
  close (fd);
  return good;
}
