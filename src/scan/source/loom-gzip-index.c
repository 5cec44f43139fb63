/* SPDX-License-Identifier: Apache-2.0
 *
 * Random access to the text of a compressed file. A cursor reads the text from one position on: it consists of an
 * inflater and a ring buffer with the text that it unpacked last. An export by time reads alternately at a few
 * positions of the file, which all move forward. Each position has its own cursor, so that almost no text is unpacked
 * twice.
 */
#include "loom-gzip-index.h"

#include "loom-error.h"
#include "loom-temp-file.h"

#include <glib/gi18n.h>
#include <string.h>

/* The test of this file defines LOOM_GZIP_SMALL, which makes the limits so small that small test files exceed them. */
#ifndef LOOM_GZIP_SMALL
#define CHECKPOINT_BYTES (6u * 1024 * 1024) /* minimum number of bytes of text between two checkpoints */
/* minimum number of bytes of text between two checkpoints if the second one is at the beginning of a gzip member. Such
 * a checkpoint is small, because it contains no state of the decompressor */
#define MEMBER_BYTES (256u * 1024)
#define LEAST_RING_BYTES (128u * 1024)
#define MOST_RING_BYTES (2u * 1024 * 1024)
#define INPUT_BYTES (16u * 1024)
#define SPILL_BYTES (32u * 1024 * 1024)
#else
#define CHECKPOINT_BYTES 2000u
#define MEMBER_BYTES 300u
#define LEAST_RING_BYTES 256u
#define MOST_RING_BYTES 4096u
#define INPUT_BYTES 100u
#define SPILL_BYTES (256u * 1024)
#endif
#define MAX_CURSORS 16
/* maximum number of open cursors of all texts together; when this number is reached, every text is restricted to one
 * cursor */
#define MOST_LIVE 64
/* If reads have unpacked this number of bytes in total, a text of `n_bytes` is copied to a temporary file, provided
 * that the disk has enough space. So many bytes show that reads unpack the same text again and again. */
#define SPILL_FROM(n_bytes) (2 * (n_bytes) + SPILL_BYTES)
#define IDLE_SECONDS 5

typedef struct {
  guint64 packed, unpacked;
  /* saved state of the inflater; NULL at the beginning of a gzip member, where no state is necessary */
  LoomInflateState *state;
} Checkpoint;

typedef struct {
  LoomInflate *inflate; /* inflater of the cursor; NULL: the cursor is not in use */
  guint64 packed;       /* offset in the compressed data of the byte that the cursor reads next */
  guint64 begin, end;   /* offset in the text of the first byte in `ring`, and offset after the last byte */
  char *ring;           /* ring buffer with the text from `begin` to `end`: byte n of the text is at index n modulo
                         * n_ring */
  gsize n_ring;
  gboolean between_members, ended;
  guint64 used; /* number of the last read that used the cursor (GzipText.n_reads) */
} Cursor;

typedef struct {
  LoomByteSource text;
  LoomByteSource *file; /* the compressed data, which the cursors read */
  gboolean bare;
  /* protects all members below; a thread that needs this lock and idle_lock takes this lock first */
  GMutex lock;
  GArray *checkpoints; /* Checkpoint elements in ascending order of offset; the first one is at offset 0 */
  guint64 n_bytes;     /* length of the text in bytes; G_MAXUINT64: unknown, because no read has reached its end yet */
  Cursor cursors[MAX_CURSORS];
  gsize n_ring; /* size in bytes of the ring buffers (Cursor.ring) of new cursors */
  guint64 n_reads, n_unpacked;
  gboolean is_damaged;        /* TRUE if the unpacked text ends too early, because the compressed data is damaged */
  gboolean is_checksum_wrong; /* TRUE if the whole text could be unpacked, and only its checksum is wrong */
  LoomByteSource *spilled;    /* copy of the whole text in a temporary file; NULL: the text was not copied */
  /* TRUE if copying the text to a temporary file was tried, with or without success; it is not tried again */
  gboolean stays;
  gint64 read_us;
  GList link; /* element of the queue `awake`, which contains the texts with open cursors; protected by idle_lock */
  gboolean is_awake;
} GzipText;

static GMutex idle_lock;
static GQueue awake = G_QUEUE_INIT; /* GzipText pointers: the texts that have open cursors */
static gboolean is_watched;
static gint n_live;

/* --- freeing idle cursors ----------------------------------------------------------------------------------------- */

static void
clear_cursor (Cursor *cursor)
{
  if (cursor->inflate != NULL)
    g_atomic_int_add (&n_live, -1);
  g_clear_pointer (&cursor->inflate, loom_inflate_free);
  g_clear_pointer (&cursor->ring, g_free);
}

static void
clear_cursors (GzipText *text)
{
  text->n_ring = LEAST_RING_BYTES;
  for (guint i = 0; i < MAX_CURSORS; i++)
    clear_cursor (&text->cursors[i]);
}

/* Removes the text from the list of texts with open cursors. The caller holds idle_lock. */
static void
fall_asleep (GzipText *text)
{
  if (text->is_awake)
    g_queue_unlink (&awake, &text->link);
  text->is_awake = FALSE;
}

void
loom_gzip_index_release_all (gint64 idle_us)
{
  gint64 until_us = g_get_monotonic_time () - idle_us;
  g_mutex_lock (&idle_lock);
  for (GList *link = awake.head, *next; link != NULL; link = next) {
    GzipText *text = link->data;
    next = link->next;
    if (!g_mutex_trylock (&text->lock)) /* another thread reads the text, so its cursors are not freed */
      continue;
    if (text->read_us <= until_us) {
      clear_cursors (text);
      fall_asleep (text);
    }
    g_mutex_unlock (&text->lock);
  }
  g_mutex_unlock (&idle_lock);
}

static gboolean
on_idle_time (gpointer data)
{
  loom_gzip_index_release_all (IDLE_SECONDS * G_USEC_PER_SEC);
  g_mutex_lock (&idle_lock);
  is_watched = !g_queue_is_empty (&awake);
  gboolean again = is_watched;
  g_mutex_unlock (&idle_lock);
  return again;
}

/* Records that the text is read now, and adds it to the list of texts with open cursors. After some seconds without a
 * read, the cursors are freed. The caller must hold the text's lock. */
static void
wake_up (GzipText *text)
{
  text->read_us = g_get_monotonic_time ();
  /* Reading is_awake without idle_lock is safe: it changes only while both locks are held, or when the last reference
   * is released. */
  if (text->is_awake)
    return;
  g_mutex_lock (&idle_lock);
  text->is_awake = TRUE;
  g_queue_push_tail_link (&awake, &text->link);
  if (!is_watched)
    g_timeout_add_seconds (IDLE_SECONDS, on_idle_time, NULL);
  is_watched = TRUE;
  g_mutex_unlock (&idle_lock);
}

/* --- cursors ------------------------------------------------------------------------------------------------------ */

static const Checkpoint *
find_checkpoint (const GzipText *text, guint64 offset)
{
  guint low = 0, high = text->checkpoints->len;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (text->checkpoints, Checkpoint, middle).unpacked <= offset)
      low = middle;
    else
      high = middle;
  }
  return &g_array_index (text->checkpoints, Checkpoint, low);
}

static void
copy_from_ring (const Cursor *cursor, guint64 offset, char *to, gsize n_bytes)
{
  gsize at = (gsize) (offset % cursor->n_ring), n_first = MIN (n_bytes, cursor->n_ring - at);
  memcpy (to, cursor->ring + at, n_first);
  memcpy (to + n_first, cursor->ring, n_bytes - n_first);
}

/* Changes the size of the ring buffer and keeps the text that is in it. */
static void
set_ring (Cursor *cursor, gsize n_ring)
{
  char *ring = g_malloc (n_ring);
  for (guint64 at = cursor->begin, n; at < cursor->end; at += n) {
    n = MIN (cursor->end - at, n_ring - at % n_ring);
    copy_from_ring (cursor, at, ring + at % n_ring, (gsize) n);
  }
  g_free (cursor->ring);
  cursor->ring = ring;
  cursor->n_ring = n_ring;
}

/* Called before a read at `offset`. Searches for a cursor that has unpacked this offset before, but whose ring buffer
 * no longer contains it. If a larger ring buffer would still contain the offset, enlarges the ring buffer of this
 * cursor. This is useful if a reader goes back a little, or if two readers use the same cursor at slightly different
 * positions. */
static void
learn (GzipText *text, guint64 offset)
{
  for (guint i = 0; i < MAX_CURSORS; i++) {
    Cursor *cursor = &text->cursors[i];
    guint64 back = cursor->inflate != NULL && cursor->begin > offset ? cursor->end - offset : 0;
    if (back == 0 || back > MOST_RING_BYTES || cursor->n_ring == MOST_RING_BYTES)
      continue;
    while (text->n_ring < back * 2 && text->n_ring < MOST_RING_BYTES)
      text->n_ring *= 2;
    set_ring (cursor, MAX (text->n_ring, cursor->n_ring));
  }
}

static void
open_cursor (const GzipText *text, Cursor *cursor, const Checkpoint *from)
{
  if (cursor->inflate == NULL) {
    cursor->inflate = loom_inflate_new (text->bare);
    g_atomic_int_inc (&n_live);
  }
  cursor->begin = cursor->end = 0;
  if (cursor->ring == NULL || cursor->n_ring != text->n_ring)
    set_ring (cursor, text->n_ring);
  if (from->state != NULL)
    loom_inflate_restore (cursor->inflate, from->state);
  cursor->packed = from->packed;
  cursor->begin = cursor->end = from->unpacked;
  cursor->between_members = from->state == NULL;
  cursor->ended = FALSE;
}

/* Returns the cursor that has to unpack the least text to reach `offset`. If starting at a checkpoint before `offset`
 * would be shorter than continuing with any cursor, moves a cursor to this checkpoint: an unused cursor or, if all are
 * in use, the one that was not used for the longest time. */
static Cursor *
find_cursor (GzipText *text, guint64 offset)
{
  const Checkpoint *from = find_checkpoint (text, offset);
  Cursor *nearest = NULL, *oldest = NULL, *fresh = NULL;
  for (guint i = 0; i < MAX_CURSORS; i++) {
    Cursor *cursor = &text->cursors[i];
    if (cursor->inflate != NULL && cursor->begin <= offset && cursor->end >= from->unpacked &&
        (nearest == NULL || cursor->end > nearest->end))
      nearest = cursor;
    if (cursor->inflate == NULL)
      fresh = cursor;
    else if (oldest == NULL || cursor->used < oldest->used)
      oldest = cursor;
  }
  if (fresh != NULL && (oldest == NULL || g_atomic_int_get (&n_live) < MOST_LIVE))
    oldest = fresh;
  if (nearest == NULL) {
    learn (text, offset);
    open_cursor (text, nearest = oldest, from);
  }
  nearest->used = ++text->n_reads;
  return nearest;
}

/* If the header of another gzip member follows, starts to unpack this member; otherwise, the text ends here. */
static void
start_member (const GzipText *text, Cursor *cursor, const guint8 *input, gsize n_input)
{
  if (text->bare ? cursor->packed == 0 : n_input >= 2 && input[0] == 0x1F && input[1] == 0x8B) {
    loom_inflate_next_member (cursor->inflate);
    cursor->between_members = FALSE;
  } else {
    cursor->ended = TRUE;
  }
}

/* Saves a checkpoint at this position if the distance from the last checkpoint is long enough. */
static void
note_place (GzipText *text, guint64 packed, guint64 unpacked, LoomInflate *inflate)
{
  guint64 last = g_array_index (text->checkpoints, Checkpoint, text->checkpoints->len - 1).unpacked;
  if (unpacked < last + (inflate != NULL ? CHECKPOINT_BYTES : MEMBER_BYTES))
    return;
  Checkpoint here = { packed, unpacked, inflate != NULL ? loom_inflate_save (inflate) : NULL };
  g_array_append_val (text->checkpoints, here);
}

static void
note_end (GzipText *text, const Cursor *cursor, gboolean is_damaged)
{
  if (text->n_bytes != G_MAXUINT64)
    return;
  text->n_bytes = cursor->end;
  text->is_damaged = is_damaged;
  text->is_checksum_wrong = is_damaged && loom_inflate_is_checksum_wrong (cursor->inflate);
}

/* Returns the number of bytes after `end` that belong to the text: they were unpacked when the file was loaded. A read
 * unpacks in smaller steps than the load did. If damage follows soon after these bytes, the inflater may therefore
 * withhold them in a read, although it returned them during the load. */
static guint64
count_missing (const GzipText *text, guint64 end)
{
  return text->n_bytes != G_MAXUINT64 && end < text->n_bytes ? text->n_bytes - end : 0;
}

/* Unpacks more text into the ring buffer, at most half of its size. Returns FALSE with `error` if the compressed data
 * cannot be read. */
static gboolean
step (GzipText *text, Cursor *cursor, GError **error)
{
  guint8 input[INPUT_BYTES];
  const guint8 *next = input;
  gsize at = (gsize) (cursor->end % cursor->n_ring), n_room = MIN (cursor->n_ring - at, cursor->n_ring / 2),
        n_left = n_room;
  guint8 *out = (guint8 *) cursor->ring + at;
  gssize n_input = loom_byte_source_read (text->file, cursor->packed, input, sizeof input, error);
  if (n_input < 0)
    return FALSE;
  gsize n_next = (gsize) n_input;
  if (cursor->between_members)
    start_member (text, cursor, input, n_next);
  if (cursor->ended) {
    note_end (text, cursor, FALSE);
    return TRUE;
  }
  LoomInflateStatus status = loom_inflate_run (cursor->inflate, &next, &n_next, &out, &n_left);
  if (status == LOOM_INFLATE_DAMAGED)
    loom_inflate_take_withheld (cursor->inflate, (gsize) count_missing (text, cursor->end + (n_room - n_left)), &out,
                                &n_left);
  cursor->packed += (guint64) (next - input);
  /* After damage, the inflater has written bytes to the ring buffer that it does not return, because they may be wrong.
   * They have overwritten older bytes of the ring buffer. */
  guint64 written = cursor->end + (status == LOOM_INFLATE_DAMAGED ? n_room : n_room - n_left);
  cursor->end += n_room - n_left;
  cursor->begin = MAX (cursor->begin, written - MIN (written, cursor->n_ring));
  text->n_unpacked += n_room - n_left;
  cursor->between_members = status == LOOM_INFLATE_MEMBER_END;
  if (n_left == n_room)
    cursor->ended = status == LOOM_INFLATE_DAMAGED || (next == input && status == LOOM_INFLATE_OK);
  /* The text ends only if all text before the damage was returned. If the output had too little space for it, the next
   * call returns the rest. */
  else
    cursor->ended = status == LOOM_INFLATE_DAMAGED && count_missing (text, cursor->end) == 0;
  if (cursor->ended)
    note_end (text, cursor, TRUE);
  else
    note_place (text, cursor->packed, cursor->end, cursor->between_members ? NULL : cursor->inflate);
  return TRUE;
}

/* --- copy in a temporary file ------------------------------------------------------------------------------------- */

static gboolean
unpack_to (GzipText *text, LoomTempFile *spill)
{
  Cursor cursor = { 0 };
  gboolean good = TRUE;
  open_cursor (text, &cursor, &g_array_index (text->checkpoints, Checkpoint, 0));
  while (good && !cursor.ended && cursor.end < text->n_bytes) {
    guint64 before = cursor.end;
    good = step (text, &cursor, NULL) &&
           loom_temp_file_append (spill, cursor.ring + before % cursor.n_ring, (gsize) (cursor.end - before), NULL);
  }
  good &= cursor.end >= text->n_bytes;
  clear_cursor (&cursor);
  return good;
}

/* Copies the text to a temporary file if reads have unpacked SPILL_FROM() bytes. This happens if reads alternate
 * between more positions than there are cursors. */
static void
consider_spilling (GzipText *text)
{
  if (text->stays || text->n_bytes == G_MAXUINT64 || text->n_unpacked < SPILL_FROM (text->n_bytes))
    return;
  g_autoptr (LoomTempFile) spill = loom_temp_file_new (text->n_bytes, NULL);
  text->stays = TRUE; /* do not try again to copy the text to a temporary file, even if the copy below fails */
  if (spill == NULL || !unpack_to (text, spill))
    return;
  text->spilled = loom_temp_file_dup_text (spill);
  clear_cursors (text);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static gssize
read_locked (GzipText *text, guint64 offset, char *buffer, gsize n_bytes, GError **error)
{
  if (offset >= text->n_bytes || n_bytes == 0)
    return 0;
  consider_spilling (text);
  if (text->spilled != NULL)
    return loom_byte_source_read (text->spilled, offset, buffer, (gsize) MIN (n_bytes, text->n_bytes - offset), error);
  wake_up (text);
  Cursor *cursor = find_cursor (text, offset);
  n_bytes = (gsize) MIN (MIN (n_bytes, cursor->n_ring / 2), text->n_bytes - offset);
  while (cursor->end < offset + n_bytes && !cursor->ended)
    if (!step (text, cursor, error)) {
      clear_cursor (cursor);
      return -1;
    }
  if (cursor->end > offset) {
    n_bytes = (gsize) MIN (n_bytes, cursor->end - offset);
    copy_from_ring (cursor, offset, buffer, n_bytes);
    return (gssize) n_bytes;
  }
  /* a read has reached the end of the text, so n_bytes is known; `offset` is at or after the end */
  if (offset >= text->n_bytes)
    return 0;
  g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_READ,
                       _ ("The compressed file changed since it was loaded; reload it"));
  return -1;
}

static gssize
gzip_text_read (LoomByteSource *base, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  GzipText *text = (GzipText *) base;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&text->lock);
  return read_locked (text, offset, buffer, n_bytes, error);
}

static void
clear_checkpoint (gpointer data)
{
  loom_inflate_state_free (((Checkpoint *) data)->state);
}

static void
gzip_text_finalize (LoomByteSource *base)
{
  GzipText *text = (GzipText *) base;
  g_mutex_lock (&idle_lock);
  fall_asleep (text);
  g_mutex_unlock (&idle_lock);
  clear_cursors (text);
  loom_byte_source_unref (text->spilled);
  g_array_unref (text->checkpoints);
  loom_byte_source_unref (text->file);
  g_mutex_clear (&text->lock);
}

static const LoomByteSourceClass klass = { gzip_text_read, gzip_text_finalize };

LoomByteSource *
loom_gzip_index_new (LoomByteSource *packed, gboolean bare)
{
  GzipText *text = (GzipText *) loom_byte_source_alloc (&klass, sizeof (GzipText));
  Checkpoint first = { 0, 0, NULL };
  g_mutex_init (&text->lock);
  text->file = packed;
  text->bare = bare;
  text->checkpoints = g_array_new (FALSE, FALSE, sizeof (Checkpoint));
  g_array_set_clear_func (text->checkpoints, clear_checkpoint);
  g_array_append_val (text->checkpoints, first);
  text->n_bytes = G_MAXUINT64;
  text->n_ring = LEAST_RING_BYTES;
  text->link.data = text;
  return &text->text;
}

void
loom_gzip_index_pass (LoomByteSource *base, guint64 packed, guint64 unpacked, LoomInflate *inflate)
{
  GzipText *text = (GzipText *) base;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&text->lock);
  note_place (text, packed, unpacked, inflate);
}

void
loom_gzip_index_set_end (LoomByteSource *base, guint64 n_bytes, gboolean is_damaged, gboolean is_checksum_wrong)
{
  GzipText *text = (GzipText *) base;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&text->lock);
  text->n_bytes = n_bytes;
  text->is_damaged |= is_damaged;
  text->is_checksum_wrong |= is_checksum_wrong;
}

guint64
loom_gzip_index_get_end (LoomByteSource *base, gboolean *is_damaged)
{
  GzipText *text = (GzipText *) base;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&text->lock);
  if (is_damaged != NULL)
    *is_damaged = text->is_damaged;
  return text->n_bytes;
}

gboolean
loom_gzip_index_is_checksum_wrong (LoomByteSource *base)
{
  GzipText *text = (GzipText *) base;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&text->lock);
  return text->is_checksum_wrong;
}

/* --- positions between blocks of the deflate stream --------------------------------------------------------------- */

/* Number of bytes of text after a checkpoint in which the end of a deflate block is searched for. */
#define PLACE_BYTES (4u * 1024 * 1024)

typedef struct {
  LoomByteSource *file;
  LoomInflate *inflate;
  guint8 *out, *at; /* beginning of the unpacked text, and position after the text unpacked so far */
  gsize n_room;
  guint64 packed;
} Search;

/* Unpacks at least `least` bytes, and continues up to the end of a deflate block. Sets `n_bits` to the number of bits
 * that were read after the end of the block. Returns FALSE if no end of a block was found. */
static gboolean
search (Search *search, gsize least, guint *n_bits)
{
  guint8 input[INPUT_BYTES];
  gboolean at_block = FALSE;
  while (search->n_room > 0) {
    gssize n = loom_byte_source_read (search->file, search->packed, input, sizeof input, NULL);
    const guint8 *next = input;
    gsize n_next = n > 0 ? (gsize) n : 0;
    if (n_next == 0)
      return FALSE;
    while (n_next > 0 && search->n_room > 0) {
      if (loom_inflate_run_to_block (search->inflate, &next, &n_next, &search->at, &search->n_room, &at_block,
                                     n_bits) != LOOM_INFLATE_OK)
        return FALSE;
      if (at_block && (gsize) (search->at - search->out) >= least) {
        search->packed += (guint64) (next - input);
        return TRUE;
      }
    }
    search->packed += (guint64) (next - input);
  }
  return FALSE;
}

/* Fills `place` with the position that the search has reached, and with the text and the compressed data around it.
 * Returns FALSE if less data follows than `place` must contain. */
static gboolean
take_place (const Search *found, guint64 begin, guint n_bits, LoomGzipPlace *place)
{
  guint8 *out = place->proof;
  gsize n_room = sizeof place->proof, n_unpacked = (gsize) (found->at - found->out);
  place->packed_bits = found->packed * 8 - n_bits;
  place->unpacked = begin + n_unpacked;
  place->n_window = (guint) MIN (n_unpacked, LOOM_GZIP_WINDOW_BYTES);
  memcpy (place->window, found->at - place->n_window, place->n_window);
  gssize n = loom_byte_source_read (found->file, found->packed, place->input, sizeof place->input, NULL);
  const guint8 *next = place->input;
  gsize n_next = n > 0 ? (gsize) n : 0;
  loom_inflate_run (found->inflate, &next, &n_next, &out, &n_room);
  place->n_proof = (guint) (sizeof place->proof - n_room);
  n = loom_byte_source_read (found->file, place->packed_bits / 8, place->input, sizeof place->input, NULL);
  place->n_input = n > 0 ? (guint) n : 0;
  return place->n_proof > 0 && place->n_input > 1;
}

guint
loom_gzip_index_count_checkpoints (LoomByteSource *base)
{
  GzipText *text = (GzipText *) base;
  if (base->klass != &klass || text->bare)
    return 0;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&text->lock);
  return text->checkpoints->len;
}

gboolean
loom_gzip_index_find_place (LoomByteSource *base, guint checkpoint, LoomGzipPlace *place)
{
  GzipText *text = (GzipText *) base;
  guint n_bits;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&text->lock);
  g_return_val_if_fail (checkpoint < text->checkpoints->len, FALSE);
  const Checkpoint *from = &g_array_index (text->checkpoints, Checkpoint, checkpoint);
  g_autofree guint8 *out = g_malloc (PLACE_BYTES);
  Search found = { text->file, loom_inflate_new (FALSE), out, out, PLACE_BYTES, from->packed };
  if (from->state != NULL)
    loom_inflate_restore (found.inflate, from->state);
  gboolean good =
    search (&found, LOOM_GZIP_WINDOW_BYTES, &n_bits) && take_place (&found, from->unpacked, n_bits, place);
  loom_inflate_free (found.inflate);
  return good;
}

gsize
loom_gzip_index_measure (LoomByteSource *base, guint64 *n_unpacked)
{
  GzipText *text = (GzipText *) base;
  gsize n = sizeof *text;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&text->lock);
  for (guint i = 0; i < text->checkpoints->len; i++) {
    const Checkpoint *checkpoint = &g_array_index (text->checkpoints, Checkpoint, i);
    n += sizeof *checkpoint + (checkpoint->state != NULL ? loom_inflate_state_get_size (checkpoint->state) : 0);
  }
  for (guint i = 0; i < MAX_CURSORS; i++)
    if (text->cursors[i].inflate != NULL)
      n += text->cursors[i].n_ring + loom_inflate_get_size (text->cursors[i].inflate);
  if (n_unpacked != NULL)
    *n_unpacked = text->n_unpacked;
  return n;
}
