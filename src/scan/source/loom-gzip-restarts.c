/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes and reads lists of the positions from which a gzip file can be unpacked without the data before them. The
 * interface is described in loom-gzip-restarts.h.
 */
#include "loom-gzip-restarts.h"

#include <glib/gi18n.h>
#include <string.h>
#include <zlib.h>

#include "loom-error.h"
#include "loom-gzip-index.h"

#define WINDOW_BYTES LOOM_GZIP_WINDOW_BYTES
#define INPUT_BYTES (64u * 1024)
#define FIRST_INPUT_BYTES \
  (16u * 1024) /* compressed bytes of the first read at a place; each read is twice as long as the previous one */
#define OUTPUT_BYTES (256u * 1024)
#define TRAILER_BYTES 8

/* The list begins with the length of the text. Each entry of the list describes a place. It consists of the position of
 * the place in the file (in bits) and in the text (in bytes), the compressed length and the length of the window (the
 * 32 KiB of text before the place), and the compressed window itself. */
#define HEADER_BYTES 8
#define PLACE_BYTES 24

/* --- making ------------------------------------------------------------------------------------------------------- */

static void
put (GByteArray *out, guint64 value, guint n_bytes)
{
  guint64 little = GUINT64_TO_LE (value);
  g_byte_array_append (out, (const guint8 *) &little, n_bytes);
}

static void
put_place (GByteArray *out, const LoomGzipPlace *place)
{
  guint8 packed[WINDOW_BYTES + 1024];
  uLongf n_packed = sizeof packed;
  if (compress2 (packed, &n_packed, place->window, place->n_window, Z_DEFAULT_COMPRESSION) != Z_OK)
    return;
  put (out, place->packed_bits, 8);
  put (out, place->unpacked, 8);
  put (out, n_packed, 4);
  put (out, place->n_window, 4);
  g_byte_array_append (out, packed, (guint) n_packed);
}

/* Unpacks up to `n_out` bytes from a place (LoomGzipPlace, a position from which unpacking can start); `window` is the
 * text before it. Returns the number of unpacked bytes; 0 if the compressed data is damaged. Sets `ended` (may be NULL)
 * to TRUE if the gzip member ends after these bytes. */
static gsize
unpack_from (const LoomGzipPlace *place, const guint8 *window, guint8 *out, gsize n_out, gboolean *ended)
{
  z_stream stream = { 0 };
  guint n_bits = (guint) (-place->packed_bits & 7);
  if (inflateInit2 (&stream, -15) != Z_OK)
    return 0;
  if (n_bits > 0)
    inflatePrime (&stream, (int) n_bits, place->input[0] >> (8 - n_bits));
  inflateSetDictionary (&stream, window, place->n_window);
  stream.next_in = (Bytef *) place->input + (n_bits > 0);
  stream.avail_in = place->n_input - (n_bits > 0);
  stream.next_out = out;
  stream.avail_out = (uInt) n_out;
  int result = inflate (&stream, Z_SYNC_FLUSH);
  gsize n = n_out - stream.avail_out;
  inflateEnd (&stream);
  if (ended != NULL)
    *ended = result == Z_STREAM_END;
  return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR ? n : 0;
}

/* Checks whether unpacking can start at `place`, a position in the gzip file. For this, unpacks some bytes from there
 * and compares them with place->proof, the known text after this position. Returns TRUE if they are equal. */
static gboolean
is_right (const LoomGzipPlace *place)
{
  guint8 out[LOOM_GZIP_PROOF_BYTES];
  gsize n = unpack_from (place, place->window, out, place->n_proof, NULL);
  return n > 0 && memcmp (out, place->proof, n) == 0;
}

/* Contents of artificial windows. The data after a place is unpacked with each of these windows, to find out to which
 * bytes of the window the data refers. Inflating copies bytes of the window unchanged. If a byte of the output differs
 * between LOW and HIGH, it is thus a copy of a byte of the window. The index of the copied byte follows from the output
 * at the same position: with FIRST_BYTE_OF_INDEX, it is the low byte of the index; with SECOND_BYTE_OF_INDEX, the high
 * byte. */
enum { LOW, HIGH, FIRST_BYTE_OF_INDEX, SECOND_BYTE_OF_INDEX, N_TRIALS };

static guint8
get_trial_byte (guint trial, guint i)
{
  switch (trial) {
  case LOW: return 0;
  case HIGH: return 0xFF;
  case FIRST_BYTE_OF_INDEX: return i & 0xFF;
  default: return (guint8) (i >> 8);
  }
}

/* Sets all bytes of the window to 0 to which no later block refers, so that the window can be compressed better. Only
 * the blocks in the first 32 KiB of text after the place can refer to the window. */
static void
clear_unneeded (LoomGzipPlace *place)
{
  g_autofree guint8 *out = g_malloc (N_TRIALS * WINDOW_BYTES), *window = g_malloc (WINDOW_BYTES),
                    *needed = g_malloc0 (WINDOW_BYTES);
  gboolean ended = FALSE;
  gsize n = 0;
  for (guint trial = 0; trial < N_TRIALS; trial++) {
    for (guint i = 0; i < place->n_window; i++)
      window[i] = get_trial_byte (trial, i);
    n = unpack_from (place, window, out + trial * WINDOW_BYTES, WINDOW_BYTES, &ended);
  }
  /* The available input ended before WINDOW_BYTES were unpacked, so it is unknown to which bytes of the window the rest
   * of the data refers. */
  if (n < WINDOW_BYTES && !ended)
    return;
  for (gsize i = 0; i < n; i++)
    if (out[LOW * WINDOW_BYTES + i] != out[HIGH * WINDOW_BYTES + i]) {
      guint first = out[FIRST_BYTE_OF_INDEX * WINDOW_BYTES + i], second = out[SECOND_BYTE_OF_INDEX * WINDOW_BYTES + i];
      needed[(first | second << 8) % WINDOW_BYTES] = 1;
    }
  for (guint i = 0; i < place->n_window; i++)
    place->window[i] = needed[i] ? place->window[i] : 0;
}

/* Searches for a place (LoomGzipPlace, a position from which unpacking can start) after a checkpoint, and appends it to
 * the list. Returns the number of bytes appended; 0 if no place was found. */
static guint
add_place (LoomByteSource *text, guint checkpoint, LoomGzipPlace *place, GByteArray *out)
{
  guint before = out->len;
  if (!loom_gzip_index_find_place (text, checkpoint, place))
    return 0;
  clear_unneeded (place);
  if (is_right (place))
    put_place (out, place);
  return out->len - before;
}

GByteArray *
loom_gzip_restarts_make (LoomByteSource *text, guint64 most_bytes)
{
  guint n = loom_gzip_index_count_checkpoints (text);
  gboolean is_damaged = FALSE;
  if (n == 0 || loom_gzip_index_get_end (text, &is_damaged) == G_MAXUINT64 || is_damaged)
    return NULL;
  GByteArray *out = g_byte_array_new ();
  g_autofree LoomGzipPlace *place = g_new (LoomGzipPlace, 1);
  /* add the place in the middle first, to find out how many bytes a place takes */
  guint n_typical = MAX (add_place (text, n / 2, place, out), PLACE_BYTES);
  guint step = (guint) MAX (1, ((guint64) n * n_typical + most_bytes - 1) / MAX (most_bytes, n_typical));
  g_byte_array_set_size (out, 0);
  put (out, loom_gzip_index_get_end (text, NULL), 8);
  for (guint i = step; i < n && out->len + n_typical <= most_bytes; i += step)
    add_place (text, i, place, out);
  return out;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

typedef struct {
  guint64 packed_bits, unpacked;
  gsize at; /* offset in RestartText.bytes of the compressed window (the text before the place) */
  guint32 n_packed, n_window;
} Place;

typedef struct {
  LoomByteSource text;
  LoomByteSource *packed;
  GBytes *bytes;
  GArray *places; /* Place elements in ascending order of offset; the first one is the beginning of the file */
  guint64 n_bytes;
  GCancellable *cancellable; /* cancels reads of the file; owned, or NULL */
  GMutex lock;               /* protects all members below */
  gboolean is_open, is_raw, ended;
  z_stream stream;
  guint64 next;     /* offset in the file at which the next read into `input` begins */
  guint64 unpacked; /* offset in the text of the byte that is unpacked next */
  guint64 n_read;
  guint n_fill; /* number of bytes of the file in the next read */
  guint8 input[INPUT_BYTES];
} RestartText;

static guint64
get (const guint8 *at, guint n_bytes)
{
  guint64 value = 0;
  memcpy (&value, at, n_bytes);
  return GUINT64_FROM_LE (value);
}

static gboolean
read_places (RestartText *text)
{
  gsize n, at = HEADER_BYTES;
  const guint8 *bytes = g_bytes_get_data (text->bytes, &n);
  Place place = { 0 };
  g_array_append_val (text->places, place);
  if (n < HEADER_BYTES)
    return FALSE;
  text->n_bytes = get (bytes, 8);
  while (n - at >= PLACE_BYTES) {
    Place next = { get (bytes + at, 8), get (bytes + at + 8, 8), at + PLACE_BYTES, (guint32) get (bytes + at + 16, 4),
                   (guint32) get (bytes + at + 20, 4) };
    at += PLACE_BYTES;
    if (next.n_packed > n - at || next.n_window > WINDOW_BYTES || next.n_window == 0 ||
        next.unpacked <= place.unpacked || next.packed_bits <= place.packed_bits || next.packed_bits / 8 > G_MAXINT64 ||
        next.unpacked > text->n_bytes)
      return FALSE;
    g_array_append_val (text->places, next);
    at += next.n_packed;
    place = next;
  }
  return at == n;
}

static gboolean
fail (GError **error)
{
  g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_READ,
                       _ ("The compressed file does not match its index; create the index again"));
  return FALSE;
}

/* Refills the input. Returns FALSE without `error` at the end of the file, and with `error` if the file cannot be read
 * or reading was cancelled. Cancellation is checked here, because moving to an offset refills the input many times. */
static gboolean
fill (RestartText *text, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (text->cancellable, error))
    return FALSE;
  gssize n = loom_byte_source_read (text->packed, text->next, text->input, text->n_fill, error);
  if (n <= 0)
    return FALSE;
  text->n_fill = MIN (2 * text->n_fill, INPUT_BYTES);
  text->next += (guint64) n;
  text->n_read += (guint64) n;
  text->stream.next_in = text->input;
  text->stream.avail_in = (uInt) n;
  return TRUE;
}

static gboolean
set_window (RestartText *text, const Place *place)
{
  guint8 window[WINDOW_BYTES];
  uLongf n = sizeof window;
  const guint8 *packed = (const guint8 *) g_bytes_get_data (text->bytes, NULL) + place->at;
  return uncompress (window, &n, packed, place->n_packed) == Z_OK && n == place->n_window &&
         inflateSetDictionary (&text->stream, window, (uInt) n) == Z_OK;
}

static void
close_stream (RestartText *text)
{
  if (text->is_open)
    inflateEnd (&text->stream);
  text->is_open = FALSE;
}

/* Prepares the inflater to unpack from a place. Returns FALSE with `error` on failure. */
static gboolean
restart (RestartText *text, const Place *place, GError **error)
{
  guint n_bits = (guint) (-place->packed_bits & 7);
  close_stream (text);
  memset (&text->stream, 0, sizeof text->stream);
  text->is_raw = place->unpacked > 0;
  text->is_open = inflateInit2 (&text->stream, text->is_raw ? -15 : 15 + 16) == Z_OK;
  text->next = place->packed_bits / 8;
  text->n_fill = FIRST_INPUT_BYTES;
  text->unpacked = place->unpacked;
  text->ended = FALSE;
  if (!text->is_open || !fill (text, error))
    return error == NULL || *error != NULL ? FALSE : fail (error);
  if (!text->is_raw)
    return TRUE;
  if (n_bits > 0) {
    inflatePrime (&text->stream, (int) n_bits, *text->stream.next_in >> (8 - n_bits));
    text->stream.next_in++;
    text->stream.avail_in--;
  }
  return set_window (text, place) || fail (error);
}

/* Skips `n` bytes of the file. Returns FALSE without `error` if the file has fewer bytes, and FALSE with `error` if it
 * cannot be read. */
static gboolean
skip (RestartText *text, guint n, GError **error)
{
  while (n > 0) {
    if (text->stream.avail_in == 0 && !fill (text, error))
      return FALSE;
    guint step = MIN (n, text->stream.avail_in);
    text->stream.next_in += step;
    text->stream.avail_in -= step;
    n -= step;
  }
  return TRUE;
}

/* Called after the end of a gzip member: begins the next member, or ends the text. Returns FALSE with `error` if the
 * file cannot be read or reading was cancelled. */
static gboolean
go_on (RestartText *text, GError **error)
{
  g_autoptr (GError) problem = NULL;
  gboolean good = skip (text, text->is_raw ? TRAILER_BYTES : 0, &problem) &&
                  (text->stream.avail_in > 0 || fill (text, &problem)) && text->stream.next_in[0] == 0x1F;
  text->ended = !good;
  text->is_raw = FALSE;
  if (problem != NULL) {
    g_propagate_error (error, g_steal_pointer (&problem));
    return FALSE;
  }
  return !good || inflateReset2 (&text->stream, 15 + 16) == Z_OK;
}

/* Unpacks up to `n_bytes` more of the text. Returns their number; 0 at the end of the text, −1 with `error`. */
static gssize
unpack (RestartText *text, guint8 *out, gsize n_bytes, GError **error)
{
  while (!text->ended) {
    text->stream.next_out = out;
    text->stream.avail_out = (uInt) n_bytes;
    if (text->stream.avail_in == 0 && !fill (text, error))
      return error != NULL && *error != NULL ? -1 : 0;
    int result = inflate (&text->stream, Z_NO_FLUSH);
    gsize n = n_bytes - text->stream.avail_out;
    text->unpacked += n;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      fail (error);
      return -1;
    }
    if (result == Z_STREAM_END && !go_on (text, error))
      return -1;
    if (n > 0)
      return (gssize) n;
  }
  return 0;
}

static const Place *
find_place (const RestartText *text, guint64 offset)
{
  guint low = 0, high = text->places->len;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (text->places, Place, middle).unpacked <= offset)
      low = middle;
    else
      high = middle;
  }
  return &g_array_index (text->places, Place, low);
}

/* Moves to an offset of the text: continues from the end of the previous read, or starts at the nearest place before
 * the offset. */
static gboolean
seek (RestartText *text, guint64 offset, GError **error)
{
  const Place *place = find_place (text, offset);
  gboolean is_near = text->is_open && text->unpacked <= offset && text->unpacked >= place->unpacked;
  g_autofree guint8 *scratch = g_malloc (OUTPUT_BYTES);
  if (!is_near && !restart (text, place, error)) {
    close_stream (text);
    return FALSE;
  }
  for (gssize n = 1; text->unpacked < offset && n > 0;) {
    n = unpack (text, scratch, (gsize) MIN (OUTPUT_BYTES, offset - text->unpacked), error);
    if (n < 0)
      return FALSE;
  }
  return TRUE;
}

static gssize
restart_text_read (LoomByteSource *base, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  RestartText *text = (RestartText *) base;
  GError *problem = NULL;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&text->lock);
  if (offset >= text->n_bytes || n_bytes == 0)
    return 0;
  gssize n = seek (text, offset, &problem) && text->unpacked == offset
               ? unpack (text, buffer, (gsize) MIN (MIN (n_bytes, text->n_bytes - offset), 1u << 30), &problem)
               : -1;
  if (n <= 0 && problem == NULL)
    fail (&problem);
  if (problem != NULL)
    g_propagate_error (error, problem);
  return problem != NULL ? -1 : n;
}

static void
restart_text_finalize (LoomByteSource *base)
{
  RestartText *text = (RestartText *) base;
  close_stream (text);
  loom_byte_source_unref (text->packed);
  g_clear_object (&text->cancellable);
  g_bytes_unref (text->bytes);
  g_array_unref (text->places);
  g_mutex_clear (&text->lock);
}

LoomByteSource *
loom_gzip_restarts_open (LoomByteSource *packed, GBytes *restarts, GCancellable *cancellable, GError **error)
{
  static const LoomByteSourceClass klass = { restart_text_read, restart_text_finalize };
  RestartText *text = (RestartText *) loom_byte_source_alloc (&klass, sizeof (RestartText));
  g_mutex_init (&text->lock);
  text->packed = loom_byte_source_ref (packed);
  g_set_object (&text->cancellable, cancellable);
  text->bytes = g_bytes_ref (restarts);
  text->places = g_array_new (FALSE, FALSE, sizeof (Place));
  if (read_places (text))
    return &text->text;
  loom_byte_source_unref (&text->text);
  g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT,
                       _ ("The index of the compressed file is damaged; create it again"));
  return NULL;
}

guint64
loom_gzip_restarts_count_read (LoomByteSource *text)
{
  RestartText *own = (RestartText *) text;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&own->lock);
  return own->n_read;
}
