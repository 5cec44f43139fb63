/* SPDX-License-Identifier: Apache-2.0
 *
 * Text with Chrome trace events that is made from the items of a file in another format, such as the rows of a
 * database. It has the form {"traceEvents":[…]}. The interface is described in loom-made-text.h.
 */
#include "loom-made-text.h"

#include "loom-error.h"
#include "loom-limits.h"

#include <glib/gi18n.h>
#include <string.h>

static const char BEGIN[] = "{\"traceEvents\":[\n";
static const char END[] = "]}\n";

/* Minimum distance in bytes between two stored positions. The text can be generated again from any stored position. */
#define STRIDE (16u * 1024)
/* Minimum number of bytes that are made at once: WINDOW_BYTES if a reader waits for them, AHEAD_BYTES if a separate
 * thread makes text in advance. */
#define WINDOW_BYTES (64u * 1024)
#define AHEAD_BYTES (512u * 1024)
/* Number of windows that must be read in order before a thread is started that makes text in advance. */
#define LEAST_IN_ORDER 3
/* Limit in bytes of the text that loom_made_text_scan() makes for items that its shortcut cannot add. The function
 * stops when the length of this text exceeds both the limit and half of all text so far: the shortcut then saves too
 * little time. */
#define MOST_MADE_BYTES (1024u * 1024)
/* Number of items between two updates of the progress and checks for cancellation. */
#define LOOK_ITEMS 16384

typedef struct {
  guint64 offset; /* offset, in the made text, of the text of the item at `place` */
  LoomMadePlace place;
} Mark;

typedef struct {
  LoomByteSource text;
  GMutex lock; /* guards all members below, except those that `thread` uses while it runs */
  const LoomMadeTextClass *made;
  gpointer maker;
  char *path;
  /* status of the file at `path` when it was opened; if it has changed since then, reading fails */
  struct stat status;
  GArray *marks;     /* Mark elements: the positions from which text can be made again, in ascending order, at least
                      * STRIDE bytes apart */
  guint64 known_end; /* all text before this offset has been made at least once, and the problems in it have been
                      * counted */
  GString *window;   /* the bytes of the text that are in memory; they start at offset `begin` */
  guint64 begin;
  guint n_in_order; /* number of windows that were read in order since the last jump to another offset */
  /* makes the text that follows the window and stores it in `ahead`; while the thread runs, no other thread may use
   * `maker` and the members below */
  GThread *thread;
  GString *ahead;
  Mark next; /* the next item to make, and the offset of its text */
  /* `has_items`: not all items have been made yet; `has_end`: the end of the text, after the items, has been made */
  gboolean has_items, has_end;
} MadeText;

static void
note_mark (MadeText *self)
{
  const Mark *last = &g_array_index (self->marks, Mark, self->marks->len - 1);
  if (self->next.offset >= last->offset + STRIDE)
    g_array_append_val (self->marks, self->next);
}

static void
make_item (MadeText *self)
{
  gboolean is_first = self->next.offset >= self->known_end;
  gsize length = self->ahead->len;
  if (is_first)
    note_mark (self);
  self->has_items = self->made->make (self->maker, &self->next.place, is_first, self->ahead);
  self->next.offset += self->ahead->len - length;
}

/* Makes at least `n_bytes` of the text after the window (fewer at the end) and stores them in `ahead`. */
static void
make_ahead (MadeText *self, gsize n_bytes)
{
  g_string_truncate (self->ahead, 0);
  if (self->next.offset == 0) {
    g_string_append_len (self->ahead, BEGIN, sizeof BEGIN - 1);
    self->next.offset = sizeof BEGIN - 1;
  }
  while (self->ahead->len < n_bytes && self->has_items)
    make_item (self);
  if (!self->has_items && !self->has_end) {
    g_string_append_len (self->ahead, END, sizeof END - 1);
    self->next.offset += sizeof END - 1;
    self->has_end = TRUE;
  }
  self->known_end = MAX (self->known_end, self->next.offset);
}

static gpointer
run_ahead (gpointer data)
{
  make_ahead (data, AHEAD_BYTES);
  return NULL;
}

/* Replaces the window by the text that follows it. */
static void
go_on (MadeText *self)
{
  if (self->thread != NULL)
    g_thread_join (g_steal_pointer (&self->thread));
  else
    make_ahead (self, WINDOW_BYTES);
  self->begin += self->window->len;
  GString *passed = self->window;
  self->window = self->ahead;
  self->ahead = passed;
}

/* Starts a thread that makes the text after the window while the caller parses the window. Making and parsing the text
 * of a window take about the same time. */
static void
start_thread (MadeText *self)
{
  if (self->thread == NULL && self->n_in_order >= LEAST_IN_ORDER && !self->has_end)
    self->thread = g_thread_try_new ("loom-made-text", run_ahead, self, NULL);
}

/* Returns the last mark at or before the offset. */
static Mark
find_mark (const MadeText *self, guint64 offset)
{
  guint low = 0, high = self->marks->len;
  while (high - low > 1) {
    guint middle = (low + high) / 2;
    if (g_array_index (self->marks, Mark, middle).offset <= offset)
      low = middle;
    else
      high = middle;
  }
  return g_array_index (self->marks, Mark, low);
}

static guint64
find_end (const MadeText *self)
{
  return self->begin + self->window->len;
}

/* Empties the window and moves it back to the last stored position at or before the offset. */
static void
go_back (MadeText *self, guint64 offset)
{
  self->next = find_mark (self, offset);
  self->begin = self->next.offset;
  self->has_items = TRUE;
  self->has_end = FALSE;
  self->n_in_order = 0;
  g_string_truncate (self->window, 0);
}

/* Moves the window so that it contains the offset, unless the offset is beyond the end of the text. */
static void
move_to (MadeText *self, guint64 offset)
{
  if (offset >= self->begin && offset < find_end (self))
    return;
  self->n_in_order = offset == find_end (self) ? self->n_in_order + 1 : 0;
  if (self->thread != NULL)
    go_on (self);
  if (offset < self->begin || offset >= find_end (self) + WINDOW_BYTES)
    go_back (self, offset);
  while (offset >= find_end (self) && !self->has_end)
    go_on (self);
  start_thread (self);
}

static gboolean
is_unchanged (const MadeText *self, GError **error)
{
  struct stat now;
  if (self->path == NULL ||
      (stat (self->path, &now) == 0 && now.st_ino == self->status.st_ino && now.st_size == self->status.st_size &&
       now.st_mtim.tv_sec == self->status.st_mtim.tv_sec && now.st_mtim.tv_nsec == self->status.st_mtim.tv_nsec))
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” changed while it was read; open it again"), self->path);
  return FALSE;
}

static gssize
made_text_read (LoomByteSource *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  MadeText *self = (MadeText *) text;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  if (!is_unchanged (self, error))
    return -1;
  move_to (self, offset);
  guint64 at = offset - self->begin;
  if (at >= self->window->len)
    return 0;
  gsize n = (gsize) MIN (n_bytes, self->window->len - at);
  memcpy (buffer, self->window->str + at, n);
  return (gssize) n;
}

static void
made_text_finalize (LoomByteSource *text)
{
  MadeText *self = (MadeText *) text;
  if (self->thread != NULL)
    g_thread_join (self->thread);
  self->made->free (self->maker);
  g_array_unref (self->marks);
  g_string_free (self->window, TRUE);
  g_string_free (self->ahead, TRUE);
  g_mutex_clear (&self->lock);
  g_free (self->path);
}

LoomByteSource *
loom_made_text_new (const LoomMadeTextClass *klass, gpointer maker, gint64 first_at, const char *path,
                    const struct stat *status)
{
  static const LoomByteSourceClass source = { made_text_read, made_text_finalize };
  MadeText *self = (MadeText *) loom_byte_source_alloc (&source, sizeof (MadeText));
  g_mutex_init (&self->lock);
  self->made = klass;
  self->maker = maker;
  self->path = g_strdup (path);
  if (path != NULL)
    self->status = *status;
  self->marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  self->window = g_string_sized_new (WINDOW_BYTES * 2);
  self->ahead = g_string_sized_new (WINDOW_BYTES * 2);
  self->next.place.at = first_at;
  self->has_items = TRUE;
  g_array_append_val (self->marks, self->next);
  return &self->text;
}

gpointer
loom_made_text_get_maker (LoomByteSource *text)
{
  return ((MadeText *) text)->maker;
}

/* --- scanning without text ---------------------------------------------------------------------------------------- */

typedef struct {
  MadeText *text;
  LoomEventScanner *scanner;
  LoomMadeTextShortcut *shortcut;
  LoomProgress *progress;
  /* offset, in the made text, of the content of MadeText.ahead; this content has been made, but not scanned yet */
  guint64 begin;
  guint64 done, n_made;
  guint n_items;
} Scan;

/* Scans the text in MadeText.ahead. Returns FALSE if the scan must end, or if the scanner needs more text to
 * continue. */
static gboolean
flush (Scan *scan)
{
  GString *made = scan->text->ahead;
  gsize n = made->len, used = 0;
  if (n > 0)
    used = loom_event_scanner_scan_window (scan->scanner, made->str, n, scan->begin, FALSE,
                                           loom_limit (LOOM_LIMIT_EVENT_BYTES));
  scan->begin += used;
  g_string_erase (made, 0, (gssize) used);
  if (used < n || loom_event_scanner_is_done (scan->scanner))
    return FALSE;
  scan->begin = scan->text->next.offset;
  return TRUE;
}

/* Undoes make_item() for an item whose text is too large. Such an item must be skipped and logged; a scanner can do
 * this only when it reads the text in blocks (loom_stream_reader_scan()). `length`: length of the text in `ahead`
 * before the item. */
static void
go_before_item (MadeText *self, const Mark *before, gsize length)
{
  g_string_truncate (self->ahead, length);
  /* the text of the item counts as made, so that its problems are not counted again when it is made again */
  self->known_end = MAX (self->known_end, self->next.offset);
  self->next = *before;
  self->has_items = TRUE;
}

static gboolean
make_and_learn (Scan *scan)
{
  MadeText *self = scan->text;
  const Mark before = self->next;
  gsize length = self->ahead->len;
  make_item (self);
  gsize n = self->ahead->len - length;
  if (n > loom_limit (LOOM_LIMIT_EVENT_BYTES)) {
    go_before_item (self, &before, length);
    return FALSE;
  }
  scan->n_made += n;
  if (!scan->shortcut->wants_text)
    return self->ahead->len < WINDOW_BYTES || flush (scan);
  g_autofree char *item = g_strndup (self->ahead->str + length, n);
  scan->shortcut->wants_text = FALSE;
  if (!flush (scan))
    return FALSE;
  scan->shortcut->learn (scan->shortcut->user_data, item, n);
  return TRUE;
}

/* Handles the next item: adds it by the shortcut, or makes and scans its text. Returns FALSE to stop the scan. */
static gboolean
scan_item (Scan *scan)
{
  MadeText *self = scan->text;
  LoomMadePlace place = self->next.place;
  gsize n = scan->shortcut->measure (scan->shortcut->user_data, &place);
  if (n == 0)
    return make_and_learn (scan) && (scan->n_made < MOST_MADE_BYTES || scan->n_made < self->next.offset / 2);
  if (self->ahead->len > 0 && !flush (scan))
    return FALSE;
  note_mark (self);
  self->next.place = place;
  self->next.offset += n;
  scan->begin = self->next.offset;
  return scan->shortcut->add (scan->shortcut->user_data, self->next.offset - n);
}

static gboolean
look_at_progress (Scan *scan)
{
  if (scan->n_items++ % LOOK_ITEMS != 0)
    return TRUE;
  loom_progress_add_done (scan->progress, scan->text->next.offset - scan->done);
  scan->done = scan->text->next.offset;
  return !loom_progress_is_cancelled (scan->progress);
}

guint64
loom_made_text_scan (LoomByteSource *text, LoomEventScanner *scanner, LoomMadeTextShortcut *shortcut,
                     LoomProgress *progress)
{
  MadeText *self = (MadeText *) text;
  Scan scan = { .text = self, .scanner = scanner, .shortcut = shortcut, .progress = progress };
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  if (self->thread != NULL)
    go_on (self);
  go_back (self, 0); /* the window is not at offset 0, because the first bytes were read to recognise the format */
  make_ahead (self, 0);
  while (self->has_items && look_at_progress (&scan) && scan_item (&scan))
    continue;
  flush (&scan);
  loom_progress_add_done (progress, self->next.offset - scan.done);
  g_string_truncate (self->ahead, 0);
  self->begin = self->next.offset;
  self->known_end = MAX (self->known_end, self->begin);
  return scan.begin;
}

void
loom_made_text_wait (LoomByteSource *text)
{
  MadeText *self = (MadeText *) text;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  if (self->thread != NULL)
    go_on (self);
}
