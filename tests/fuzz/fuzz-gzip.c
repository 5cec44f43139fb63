/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes reading of compressed files, in sequence and then at random places, and compares with zlib. The code is built
 * with small distances between restart points and with small ring buffers, so that small inputs test the code for large
 * files.
 *
 * An input that begins with the two magic bytes of gzip is used as the file. Any other input is compressed to make the
 * file. The last byte of the input selects the number of gzip members and whether the file is truncated, has a flipped
 * bit, or has zeros or garbage at the end; the compression levels are pseudo-random.
 */
#include "fuzz.h"

#include "loom-gzip-index.h"
#include "loom-stream-reader.h"

#include <string.h>
#include <zlib.h>

#define MOST_TEXT (256u * 1024)
#define N_READS 60

typedef struct {
  GByteArray *text;
  gboolean damaged, garbage;
  gboolean fussy; /* zlib refuses the file for reasons that ISA-L may not check: reserved flags, incomplete code sets */
} Unpacked;

/* --- decompression with zlib --- */

static void
unpack_by_zlib (const guint8 *data, gsize size, Unpacked *out)
{
  z_stream stream = { .next_in = (Bytef *) data, .avail_in = (uInt) size };
  guint8 block[4096];
  gboolean ended = FALSE;
  inflateInit2 (&stream, 15 + 16);
  while (out->text->len < MOST_TEXT && !ended) {
    stream.next_out = block;
    stream.avail_out = sizeof block;
    int result = inflate (&stream, Z_NO_FLUSH);
    g_byte_array_append (out->text, block, (guint) (sizeof block - stream.avail_out));
    if (result == Z_STREAM_END) {
      ended = stream.avail_in < 2 || stream.next_in[0] != 0x1F || stream.next_in[1] != 0x8B;
      inflateReset2 (&stream, 15 + 16);
    } else if (result != Z_OK) {
      out->damaged = ended = TRUE;
      out->fussy = stream.msg != NULL && FUZZ_IS_ISAL;
    }
  }
  for (uInt i = 0; i < stream.avail_in && !out->damaged; i++)
    out->garbage |= stream.next_in[i] != 0;
  inflateEnd (&stream);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void
append_member (GByteArray *file, const guint8 *text, gsize size, FuzzDice *dice)
{
  guint8 block[1024];
  z_stream stream = { .next_in = (Bytef *) text, .avail_in = (uInt) size };
  deflateInit2 (&stream, (int) fuzz_below (dice, 10), Z_DEFLATED, 15 + 16, 1 + (int) fuzz_below (dice, 9),
                (int) fuzz_below (dice, 5));
  gz_header header = { .text = 1,
                       .time = 1,
                       .extra = (Bytef *) "ab\1\0x",
                       .extra_len = 5,
                       .name = (Bytef *) "name",
                       .comment = (Bytef *) "comment",
                       .hcrc = (int) fuzz_below (dice, 2) };
  if (fuzz_below (dice, 4) == 0)
    deflateSetHeader (&stream, &header);
  int result;
  do {
    stream.next_out = block;
    stream.avail_out = sizeof block;
    result = deflate (&stream, Z_FINISH);
    g_byte_array_append (file, block, (guint) (sizeof block - stream.avail_out));
  } while (result == Z_OK || result == Z_BUF_ERROR);
  deflateEnd (&stream);
}

/* Makes a text by repeating parts of the input, so that deflate refers far back. */
static GByteArray *
make_text (const guint8 *data, gsize size, FuzzDice *dice)
{
  GByteArray *text = g_byte_array_new ();
  g_byte_array_append (text, data, (guint) size);
  for (guint n = fuzz_below (dice, 12); n > 0 && text->len > 0 && text->len < MOST_TEXT / 4; n--) {
    guint from = fuzz_below (dice, text->len), length = 1 + fuzz_below (dice, text->len - from);
    g_autofree guint8 *again = g_memdup2 (text->data + from, length);
    g_byte_array_append (text, again, length);
  }
  return text;
}

static GByteArray *
make_file (const guint8 *data, gsize size)
{
  FuzzDice dice = fuzz_dice (data, size);
  GByteArray *file = g_byte_array_new ();
  g_autoptr (GByteArray) text = make_text (data, size, &dice);
  guint how = size > 0 ? data[size - 1] : 0, done = 0, n_members = 1 + (how & 7) * 3;
  for (guint i = 0; i < n_members; i++) {
    guint n = i + 1 == n_members ? text->len - done : fuzz_below (&dice, text->len - done + 1);
    append_member (file, n > 0 ? text->data + done : (const guint8 *) "", n, &dice);
    done += n;
  }
  if ((how & 0x18) == 0x08)
    g_byte_array_set_size (file, fuzz_below (&dice, file->len));
  else if ((how & 0x18) == 0x10)
    file->data[fuzz_below (&dice, file->len)] ^= (guint8) (1 << fuzz_below (&dice, 8));
  if ((how & 0x60) == 0x20)
    g_byte_array_append (file, (const guint8 *) "\0\0\0\0\0", 5);
  else if ((how & 0x60) == 0x40)
    g_byte_array_append (file, (const guint8 *) "garbage", 7);
  return file;
}

/* --- decompression with our reader --- */

/* Reads the whole text; before each read, the buffer is filled with `fill`. */
static GByteArray *
read_all (LoomStreamReader *reader, FuzzDice *dice, int fill)
{
  GByteArray *text = g_byte_array_new ();
  char block[3000];
  gssize n;
  g_autoptr (GError) error = NULL;
  for (;;) {
    memset (block, fill, sizeof block);
    n =
      text->len < MOST_TEXT ? loom_stream_reader_read (reader, block, 1 + fuzz_below (dice, sizeof block), &error) : 0;
    if (n <= 0)
      break;
    g_byte_array_append (text, (const guint8 *) block, (guint) n);
  }
  g_assert_no_error (error);
  return text;
}

/* Reads the text at random places: forward from several places, or from a little before the last place. */
static void
read_anywhere (LoomByteSource *text, const GByteArray *wanted, FuzzDice *dice)
{
  guint64 at[3] = { 0 };
  char block[700];
  for (guint i = 0; i < N_READS; i++) {
    g_autoptr (GError) error = NULL;
    guint which = fuzz_below (dice, G_N_ELEMENTS (at)), jump = fuzz_below (dice, 6);
    if (jump == 0)
      at[which] = fuzz_below (dice, wanted->len + 10);
    else if (jump == 1)
      at[which] -= MIN (at[which], fuzz_below (dice, 900));
    guint asked = 1 + fuzz_below (dice, sizeof block);
    gssize n = loom_byte_source_read (text, at[which], block, asked, &error);
    fuzz_check (n >= 0 && error == NULL, "at %" G_GUINT64_FORMAT " of %u: %s", at[which], wanted->len,
                error != NULL ? error->message : "no reason");
    fuzz_check ((n == 0) == (at[which] >= wanted->len), "%" G_GSSIZE_FORMAT " bytes at %" G_GUINT64_FORMAT " of %u", n,
                at[which], wanted->len);
    fuzz_check ((guint) n <= asked && at[which] + (guint64) n <= MAX (wanted->len, at[which]) &&
                  (n == 0 || memcmp (block, wanted->data + at[which], (gsize) n) == 0),
                "other bytes at %" G_GUINT64_FORMAT " of %u", at[which], wanted->len);
    at[which] += (guint64) n;
    if (fuzz_below (dice, 40) == 0)
      loom_gzip_index_release_all (0);
  }
}

/* Compares with the text of zlib. In damaged data, the two decompressors may stop at different places, so one result
 * must be a prefix of the other. */
static void
compare (LoomStreamReader *reader, const GByteArray *got, const Unpacked *wanted)
{
  gboolean damaged = loom_stream_reader_get_damage (reader) != NULL,
           cut = wanted->text->len >= MOST_TEXT || got->len >= MOST_TEXT;
  guint n = MIN (got->len, wanted->text->len);
  fuzz_check (n == 0 || memcmp (got->data, wanted->text->data, n) == 0, "other bytes");
  if (cut || wanted->fussy)
    return;
  fuzz_check (damaged == wanted->damaged, "damaged %d, by zlib %d (%s)", damaged, wanted->damaged,
              damaged ? loom_stream_error_get_code (loom_stream_reader_get_damage (reader)) : "nothing");
  if (damaged)
    return;
  fuzz_check (got->len == wanted->text->len, "%u bytes, by zlib %u", got->len, wanted->text->len);
  fuzz_check (loom_stream_reader_has_trailing_garbage (reader) == wanted->garbage, "garbage %d, by zlib %d",
              !wanted->garbage, wanted->garbage);
}

/* Reads again with another fill byte; the bytes must be the same, so that no uninitialised memory is returned. */
static void
read_again (const char *path, const GByteArray *got, FuzzDice *dice)
{
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new (path, NULL, NULL);
  g_autoptr (GByteArray) again = read_all (reader, dice, 0xAA);
  guint n = MIN (again->len, got->len);
  fuzz_check (n == 0 || memcmp (again->data, got->data, n) == 0, "other bytes in a buffer of other contents");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  FuzzDice dice = fuzz_dice (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) file = NULL;
  if (size >= 2 && data[0] == 0x1F && data[1] == 0x8B) {
    file = g_byte_array_new ();
    g_byte_array_append (file, data, (guint) size);
  } else {
    file = make_file (data, size);
  }
  /* the input was too short for a gzip file */
  if (file->len < 2 || file->data[0] != 0x1F || file->data[1] != 0x8B)
    return 0;
  g_autofree char *path = fuzz_put ("text.gz", file->data, file->len);
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new (path, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GByteArray) got = read_all (reader, &dice, 0x55);
  Unpacked wanted = { g_byte_array_new (), FALSE, FALSE, FALSE };
  unpack_by_zlib (file->data, file->len, &wanted);
  compare (reader, got, &wanted);
  read_again (path, got, &dice);
  if (got->len < MOST_TEXT) {
    LoomByteSource *text = loom_stream_reader_dup_text (reader);
    read_anywhere (text, got, &dice);
    loom_byte_source_unref (text);
  }
  g_byte_array_unref (wanted.text);
  return 0;
}
