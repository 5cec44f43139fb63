/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-reader.h"

#include "loom-error.h"
#include "loom-file-text.h"
#include "loom-gzip-text.h"
#include "loom-inflate.h"
#include "loom-limits.h"
#include "loom-mapped.h"
#include "loom-path.h"
#include "loom-pipeline.h"
#include "loom-range-text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INPUT_BYTES (256u * 1024)
#define FIRST_WINDOW (512u * 1024)
#define FREE_WINDOW (16u * 1024 * 1024) /* grows so far without asking for memory */
#define MAPPED_FROM_BYTES (1024u * 1024) /* smaller files are copied */
#define MAPPED_BYTES (16u * 1024 * 1024) /* at one go */
#define PIPELINE_FROM_BYTES (256 * 1024) /* on disk; below, a thread costs more than it gives */

struct _LoomReader {
  char *path;           /* as messages name it */
  LoomOrigin *origin;   /* NULL: the file at `path` */
  int fd;               /* −1: the bytes stand in `packed` */
  LoomText *packed;
  struct stat status;   /* of the file that is open */
  guint64 base, length; /* the stretch of it; G_MAXUINT64: to its end */
  guint64 position;     /* in the stretch, of what is read next */
  LoomProgress *progress;
  const LoomBudget *budget;
  /* Only for compressed files: */
  LoomInflate *inflate;
  guint8 *input;
  const guint8 *next;   /* unread part of `input` */
  gsize n_next;
  gboolean input_ended;
  gboolean between_members;
  gboolean ended;
  gboolean trailing_garbage;
  guint64 garbage_offset;
  gboolean is_too_dense;
  guint64 n_free;       /* bytes unpacked that no ratio is asked for */
  gboolean is_damaged;
  LoomDamage damage;
  guint32 gzip_time;
  char *rest;           /* unpacked, and still to be read */
  gsize n_rest, n_rest_done;
  LoomText *text;
  guint64 n_unpacked;
};

static gboolean
is_bare (const LoomReader *reader)
{
  return reader->origin != NULL && reader->origin->is_deflated && reader->packed == NULL;
}

/* Where the reader stands. */
static void
set_damage (LoomReader *reader, LoomDamageKind kind)
{
  guint64 size = loom_reader_get_size (reader), packed = reader->position - reader->n_next;
  reader->is_damaged = TRUE;
  reader->damage = (LoomDamage) { kind, packed, reader->n_unpacked, size - MIN (size, packed) };
}

static gssize
read_once (LoomReader *reader, void *buffer, gsize n_bytes, GError **error)
{
  n_bytes = (gsize) MIN (n_bytes, reader->length - MIN (reader->length, reader->position));
  if (reader->fd < 0)
    return loom_text_read (reader->packed, reader->base + reader->position, buffer, n_bytes, error);
  gssize n;
  do {
    n = pread (reader->fd, buffer, n_bytes, (off_t) (reader->base + reader->position));
  } while (n < 0 && errno == EINTR);
  if (n < 0)
    loom_error_set_from_errno (error, LOOM_ERROR_READ, errno, "Cannot read", reader->path);
  return n;
}

static gssize
read_file (LoomReader *reader, void *buffer, gsize n_bytes, GError **error)
{
  if (loom_progress_is_cancelled (reader->progress)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    return -1;
  }
  gssize n = read_once (reader, buffer, n_bytes, error);
  if (n > 0) {
    reader->position += (guint64) n;
    loom_progress_add_done (reader->progress, (guint64) n);
  }
  return n;
}

/* Keeps what is left (less than a header) in front of what is read. */
static gboolean
fill_input (LoomReader *reader, GError **error)
{
  memmove (reader->input, reader->next, reader->n_next);
  gssize n = read_file (reader, reader->input + reader->n_next, INPUT_BYTES - reader->n_next, error);
  if (n < 0)
    return FALSE;
  reader->next = reader->input;
  reader->n_next += (gsize) n;
  reader->input_ended = n == 0;
  return TRUE;
}

/* What stands where the reader was opened, as it stands there. A new reference. */
static LoomText *
dup_packed (const LoomReader *reader)
{
  if (reader->packed != NULL)
    return loom_range_text_new (loom_text_ref (reader->packed), reader->base, reader->length);
  return reader->origin != NULL ? loom_origin_dup_text (reader->origin) : loom_file_text_new (reader->path, &reader->status);
}

static void
start_inflating (LoomReader *reader)
{
  reader->n_free = loom_limit (LOOM_LIMIT_GZIP_FREE_BYTES);
  reader->inflate = loom_inflate_new (is_bare (reader));
  reader->next = reader->input = g_malloc (INPUT_BYTES);
  reader->text = loom_gzip_text_new (dup_packed (reader), is_bare (reader));
}

static gboolean
sniff_gzip (LoomReader *reader, GError **error)
{
  guint8 head[10];
  gssize n = read_once (reader, head, sizeof head, error);
  if (n < 0)
    return FALSE;
  if (n < 2 || head[0] != 0x1F || head[1] != 0x8B)
    return TRUE;
  if (n >= 8)
    reader->gzip_time = (guint32) head[4] | (guint32) head[5] << 8 | (guint32) head[6] << 16 | (guint32) head[7] << 24;
  start_inflating (reader);
  return TRUE;
}

/* What a bare stream unpacks to may be gzip itself: then that is read from what unpacks the bare one. */
static gboolean
sniff_bare (LoomReader *reader, GError **error)
{
  guint8 head[2];
  g_autoptr (LoomText) outer = loom_gzip_text_new (loom_origin_dup_text (reader->origin), TRUE);
  gssize n = loom_text_read (outer, 0, head, sizeof head, error);
  if (n < 0)
    return FALSE;
  if (n < 2 || head[0] != 0x1F || head[1] != 0x8B) {
    start_inflating (reader);
    return TRUE;
  }
  reader->packed = g_steal_pointer (&outer);
  close (reader->fd);
  reader->fd = -1;
  reader->base = 0;
  reader->length = reader->origin->n_unpacked;
  return sniff_gzip (reader, error);
}

static gboolean
open_file (LoomReader *reader, const char *path, GError **error)
{
  reader->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not hang us */
  if (reader->fd < 0) {
    loom_error_set_from_errno (error, LOOM_ERROR_READ, errno, "Cannot open", reader->path);
    return FALSE;
  }
  if (fstat (reader->fd, &reader->status) != 0 || !S_ISREG (reader->status.st_mode)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, "“%s” is not a regular file", reader->path);
    return FALSE;
  }
  posix_fadvise (reader->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return TRUE;
}

/* An archive that changed since its members were found has others now. */
static gboolean
open_origin (LoomReader *reader, GError **error)
{
  const LoomOrigin *origin = reader->origin;
  reader->base = origin->offset;
  reader->length = origin->n_bytes;
  if (origin->text != NULL) {
    reader->packed = loom_text_ref (origin->text);
    return TRUE;
  }
  if (!open_file (reader, origin->path, error))
    return FALSE;
  if (reader->status.st_ino == origin->status.st_ino && reader->status.st_size == origin->status.st_size &&
      reader->status.st_mtim.tv_sec == origin->status.st_mtim.tv_sec && reader->status.st_mtim.tv_nsec == origin->status.st_mtim.tv_nsec)
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, "“%s” changed while it was read; open it again", origin->path);
  return FALSE;
}

LoomReader *
loom_reader_new_from (const char *path, LoomOrigin *origin, LoomProgress *progress, GError **error)
{
  g_autoptr (LoomReader) reader = g_new0 (LoomReader, 1);
  reader->path = origin != NULL ? loom_path_dup_shown (path) : g_strdup (path);
  reader->origin = origin != NULL ? loom_origin_ref (origin) : NULL;
  reader->fd = -1;
  reader->length = G_MAXUINT64;
  reader->progress = progress != NULL ? loom_progress_ref (progress) : NULL;
  if (origin != NULL && origin->is_cut)
    set_damage (reader, LOOM_DAMAGE_MEMBER);
  if (!(origin != NULL ? open_origin (reader, error) : open_file (reader, path, error)))
    return NULL;
  if (!(is_bare (reader) ? sniff_bare (reader, error) : sniff_gzip (reader, error)))
    return NULL;
  return g_steal_pointer (&reader);
}

LoomReader *
loom_reader_new (const char *path, LoomProgress *progress, GError **error)
{
  return loom_reader_new_from (path, NULL, progress, error);
}

void
loom_reader_free (LoomReader *reader)
{
  if (reader == NULL)
    return;
  if (reader->fd >= 0)
    close (reader->fd);
  loom_progress_unref (reader->progress);
  loom_inflate_free (reader->inflate);
  loom_text_unref (reader->text);
  loom_text_unref (reader->packed);
  loom_origin_unref (reader->origin);
  g_free (reader->input);
  g_free (reader->rest);
  g_free (reader->path);
  g_free (reader);
}

gboolean
loom_reader_is_compressed (const LoomReader *reader)
{
  return reader->inflate != NULL || reader->packed != NULL;
}

gboolean
loom_reader_is_gzip (const LoomReader *reader)
{
  return reader->inflate != NULL && !is_bare (reader);
}

const LoomDamage *
loom_reader_get_damage (const LoomReader *reader)
{
  return reader->is_damaged ? &reader->damage : NULL;
}

gboolean
loom_reader_is_too_dense (const LoomReader *reader, guint64 *n_unpacked)
{
  *n_unpacked = reader->n_unpacked;
  return reader->is_too_dense;
}

gboolean
loom_reader_has_trailing_garbage (const LoomReader *reader)
{
  return reader->trailing_garbage;
}

guint64
loom_reader_get_garbage_offset (const LoomReader *reader)
{
  return reader->garbage_offset;
}

guint32
loom_reader_get_gzip_time (const LoomReader *reader)
{
  return reader->gzip_time;
}

/* Zip says what a bare stream must unpack to. */
static void
check_bare (LoomReader *reader)
{
  const LoomOrigin *origin = reader->origin;
  reader->ended = TRUE;
  if ((origin->n_unpacked != G_MAXUINT64 && origin->n_unpacked != reader->n_unpacked) ||
      (origin->has_checksum && origin->checksum != loom_inflate_get_checksum (reader->inflate)))
    set_damage (reader, LOOM_DAMAGE_CHECKSUM);
}

/* Between two members: another header, or the end, or garbage (zero padding is neither). */
static gboolean
start_member (LoomReader *reader, GError **error)
{
  while (reader->n_next < 2 && !reader->input_ended)
    if (!fill_input (reader, error))
      return FALSE;
  if (reader->n_next >= 2 && reader->next[0] == 0x1F && reader->next[1] == 0x8B) {
    loom_inflate_next_member (reader->inflate);
    reader->between_members = FALSE;
    return TRUE;
  }
  gsize n_zeros = 0;
  while (n_zeros < reader->n_next && reader->next[n_zeros] == 0)
    n_zeros++;
  reader->trailing_garbage |= n_zeros < reader->n_next;
  reader->garbage_offset = reader->position - reader->n_next + n_zeros;
  reader->ended = TRUE;
  return TRUE;
}

/* Tells the text how far it goes, and how to get here again. */
static void
note_place (LoomReader *reader, gsize n_bytes)
{
  reader->n_unpacked += n_bytes;
  loom_gzip_text_pass (reader->text, reader->position - reader->n_next, reader->n_unpacked,
                       reader->between_members ? NULL : reader->inflate);
}

/* A few bytes that would unpack to more than any trace does. */
static gboolean
is_too_dense (const LoomReader *reader)
{
  return reader->n_unpacked > reader->n_free &&
         reader->n_unpacked / LOOM_LIMIT_GZIP_RATIO > reader->position - reader->n_next;
}

/* Unpacks once; the stream may end by it. */
static void
unpack (LoomReader *reader, guint8 *out, gsize n_bytes)
{
  gsize n_in = reader->n_next, n_room = n_bytes;
  LoomInflateStatus status = loom_inflate_run (reader->inflate, &reader->next, &reader->n_next, &out, &n_room);
  if (status == LOOM_INFLATE_MEMBER_END)
    reader->between_members = TRUE;
  gboolean is_cut = status == LOOM_INFLATE_OK && reader->input_ended && n_in == reader->n_next && n_room == n_bytes;
  reader->ended = status == LOOM_INFLATE_DAMAGED || is_cut;
  note_place (reader, n_bytes - n_room);
  if (reader->ended)
    set_damage (reader, is_cut ? LOOM_DAMAGE_CUT
                        : loom_inflate_is_checksum_wrong (reader->inflate) ? LOOM_DAMAGE_CHECKSUM : LOOM_DAMAGE_DATA);
  if (is_too_dense (reader))
    reader->ended = reader->is_too_dense = TRUE;
  if (status == LOOM_INFLATE_MEMBER_END && is_bare (reader))
    check_bare (reader);
}

static gssize
read_unpacked (LoomReader *reader, char *buffer, gsize n_bytes, GError **error)
{
  guint64 before = reader->n_unpacked;
  while (reader->n_unpacked == before && n_bytes > 0 && !reader->ended) {
    if (reader->between_members) {
      if (!start_member (reader, error))
        return -1;
      continue;
    }
    if (reader->n_next == 0 && !reader->input_ended && !fill_input (reader, error))
      return -1;
    unpack (reader, (guint8 *) buffer, n_bytes);
  }
  if (reader->ended)
    loom_gzip_text_set_end (reader->text, reader->n_unpacked);
  if (reader->ended && reader->is_damaged)
    loom_gzip_text_set_damaged (reader->text, reader->damage.kind == LOOM_DAMAGE_CHECKSUM);
  return (gssize) (reader->n_unpacked - before);
}

static gssize
read_rest (LoomReader *reader, char *buffer, gsize n_bytes)
{
  gsize n = MIN (n_bytes, reader->n_rest - reader->n_rest_done);
  memcpy (buffer, reader->rest + reader->n_rest_done, n);
  reader->n_rest_done += n;
  if (reader->n_rest_done == reader->n_rest) {
    g_clear_pointer (&reader->rest, g_free);
    reader->n_rest = reader->n_rest_done = 0;
  }
  return (gssize) n;
}

gssize
loom_reader_read (LoomReader *reader, char *buffer, gsize n_bytes, GError **error)
{
  if (reader->rest != NULL)
    return read_rest (reader, buffer, n_bytes);
  return reader->inflate != NULL ? read_unpacked (reader, buffer, n_bytes, error)
                                 : read_file (reader, buffer, n_bytes, error);
}

/* Where loom_reader_read() of a compressed file stands. */
static guint64
get_position (const LoomReader *reader)
{
  return (reader->inflate != NULL ? reader->n_unpacked : reader->position) - (reader->n_rest - reader->n_rest_done);
}

gssize
loom_reader_read_at (LoomReader *reader, guint64 offset, char *buffer, gsize n_bytes, GError **error)
{
  g_assert (loom_reader_is_compressed (reader));
  if (offset == get_position (reader))
    return loom_reader_read (reader, buffer, n_bytes, error);
  if (!loom_progress_is_cancelled (reader->progress)) {
    g_autoptr (LoomText) text = loom_reader_dup_text (reader);
    return loom_text_read (text, offset, buffer, n_bytes, error);
  }
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
  return -1;
}

/* What was read ahead, up to where the reader stands, is to be read again. Takes the bytes. */
static void
give_back (LoomReader *reader, char *bytes, gsize n_bytes)
{
  gsize n_left = reader->n_rest - reader->n_rest_done;
  char *rest = g_realloc (bytes, n_bytes + n_left);
  if (n_left > 0)
    memcpy (rest + n_bytes, reader->rest + reader->n_rest_done, n_left);
  g_free (reader->rest);
  reader->rest = rest;
  reader->n_rest = n_bytes + n_left;
  reader->n_rest_done = 0;
}

LoomText *
loom_reader_dup_text (LoomReader *reader)
{
  return reader->text != NULL ? loom_text_ref (reader->text) : dup_packed (reader);
}

guint64
loom_reader_get_size (const LoomReader *reader)
{
  guint64 there = (guint64) reader->status.st_size;
  return reader->fd < 0 ? (reader->length != G_MAXUINT64 ? reader->length : 0) : MIN (reader->length, there - MIN (there, reader->base));
}

gboolean
loom_reader_is_same_file (const LoomReader *reader, const LoomReader *other)
{
  return reader->status.st_dev == other->status.st_dev && reader->status.st_ino == other->status.st_ino;
}

static gssize
read_window (LoomReader *reader, guint64 offset, char *window, gsize n_bytes, GError **error)
{
  return loom_reader_is_compressed (reader) ? loom_reader_read_at (reader, offset, window, n_bytes, error)
                                            : read_file (reader, window, n_bytes, error);
}

void
loom_reader_set_budget (LoomReader *reader, const LoomBudget *budget)
{
  reader->budget = budget;
}

guint64
loom_reader_get_most_window (const LoomReader *reader, gsize n_bytes)
{
  guint64 most = loom_limit (LOOM_LIMIT_EVENT_BYTES);
  if (n_bytes >= FREE_WINDOW && n_bytes < most && loom_budget_get_room (reader->budget) < n_bytes)
    return n_bytes;
  return most;
}

static gboolean
scan_windows (LoomReader *reader, LoomScanner *scanner, guint64 offset, GError **error)
{
  gsize capacity = FIRST_WINDOW, filled = 0;
  g_autofree char *window = g_malloc (capacity);
  while (!loom_scanner_is_done (scanner)) {
    gssize n = read_window (reader, offset + filled, window + filled, capacity - filled, error);
    if (n < 0)
      return FALSE;
    filled += (gsize) n;
    guint64 most = loom_reader_get_most_window (reader, filled);
    gsize used = loom_scanner_scan_window (scanner, window, filled, offset, n == 0, most);
    offset += used;
    filled -= used;
    memmove (window, window + used, filled);
    if (n == 0 || loom_scanner_get_reached (scanner) != LOOM_SCAN_NOWHERE)
      break;
    if (filled == capacity)
      window = g_realloc (window, capacity = (gsize) MIN (capacity * 2, MAX (most, capacity + 1)));
  }
  if (loom_reader_is_compressed (reader) && filled > 0 && offset + filled == get_position (reader))
    give_back (reader, g_steal_pointer (&window), filled);
  return TRUE;
}

/* For tests: LOOM_MAP_BYTES in the environment maps less at a time, 0 nothing. */
static gsize
mapped_bytes (void)
{
  const char *wish = g_getenv ("LOOM_MAP_BYTES");
  return wish != NULL ? (gsize) g_ascii_strtoull (wish, NULL, 10) : MAPPED_BYTES;
}

static gboolean
is_mapped (const LoomReader *reader)
{
  gsize n_bytes = mapped_bytes ();
  return n_bytes > 0 && loom_reader_get_size (reader) >= MIN (n_bytes, MAPPED_FROM_BYTES);
}

/* Where the stretch ends now; −1 with `error`, also when cancelled. */
static goffset
find_end (LoomReader *reader, GError **error)
{
  struct stat status;
  if (loom_progress_is_cancelled (reader->progress)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    return -1;
  }
  if (fstat (reader->fd, &status) == 0)
    return (goffset) MIN ((guint64) status.st_size - MIN ((guint64) status.st_size, reader->base), reader->length);
  loom_error_set_from_errno (error, LOOM_ERROR_READ, errno, "Cannot read", reader->path);
  return -1;
}

/* Scans a stretch; −1 with `error`, −2 when it cannot be mapped. */
static gssize
scan_stretch (LoomReader *reader, LoomScanner *scanner, guint64 offset, gsize length, gboolean final, GError **error)
{
  LoomMapped mapped;
  if (length == 0)
    return (gssize) loom_scanner_scan (scanner, "", 0, offset, final);
  if (!loom_mapped_open (&mapped, reader->fd, reader->base + offset, length))
    return -2;
  gsize used = loom_scanner_scan_window (scanner, mapped.text, length, offset, final, loom_limit (LOOM_LIMIT_EVENT_BYTES));
  struct stat status;
  /* Cut within the last page, it gives zeros without a word. */
  gboolean whole = fstat (reader->fd, &status) == 0 && (guint64) status.st_size >= reader->base + offset + length;
  if (loom_mapped_close (&mapped) && whole)
    return (gssize) used;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, "“%s” changed, or its disk failed, while it was read", reader->path);
  return -1;
}

static gboolean scan_copied (LoomReader *reader, LoomScanner *scanner, guint64 offset, GError **error);

/* Copying costs a tenth of the loading: the text is looked at where the kernel has it, stretch by stretch. */
static gboolean
scan_mapped (LoomReader *reader, LoomScanner *scanner, guint64 offset, GError **error)
{
  guint64 seen = offset;
  for (gsize room = mapped_bytes (); !loom_scanner_is_done (scanner);) {
    goffset end = find_end (reader, error);
    if (end < 0)
      return FALSE;
    gsize length = (gsize) MIN (room, (guint64) end - MIN ((guint64) end, offset));
    gboolean final = offset + length >= (guint64) end;
    gssize used = scan_stretch (reader, scanner, offset, length, final, error);
    if (used == -2)
      return scan_copied (reader, scanner, offset, error);
    if (used < 0)
      return FALSE;
    if (offset + length > seen)
      loom_progress_add_done (reader->progress, offset + length - seen);
    seen = MAX (seen, offset + length);
    offset += (guint64) used;
    if (final || loom_scanner_get_reached (scanner) != LOOM_SCAN_NOWHERE)
      return TRUE;
    room = used > 0 ? mapped_bytes () : (gsize) MIN (room * 2, MAX (loom_limit (LOOM_LIMIT_EVENT_BYTES), mapped_bytes ()));
  }
  return TRUE;
}

static gboolean
scan_copied (LoomReader *reader, LoomScanner *scanner, guint64 offset, GError **error)
{
  reader->position = offset;
  return scan_windows (reader, scanner, offset, error);
}

gboolean
loom_reader_scan (LoomReader *reader, LoomScanner *scanner, GError **error)
{
  if (loom_reader_is_compressed (reader) && loom_reader_get_size (reader) >= PIPELINE_FROM_BYTES)
    return loom_pipeline_scan (reader, scanner, error);
  return loom_reader_scan_from (reader, scanner, 0, error);
}

gboolean
loom_reader_scan_from (LoomReader *reader, LoomScanner *scanner, guint64 offset, GError **error)
{
  if (loom_reader_is_compressed (reader))
    return scan_windows (reader, scanner, offset, error);
  return is_mapped (reader) ? scan_mapped (reader, scanner, offset, error)
                            : scan_copied (reader, scanner, offset, error);
}
