/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: text with Chrome trace events that is made from the items of a file in another format, such as
 * the rows of a database. It has the form {"traceEvents":[…]}. The text is made when it is read and is not stored. The
 * same offset always gives the same bytes, so the text can be used like that of a file: events are parsed from it, and
 * their args can be read from it again later.
 *
 * The maker is the object that converts the items to text (LoomMadeTextClass). Any thread may read the text. Only one
 * thread at a time makes text; if the text is read in order, another thread makes it ahead. Call loom_made_text_wait()
 * before using data of the maker in another thread. Reading at another offset makes up to 16 KB of text again. Memory:
 * 32 bytes per 16 KB of text, and the data of the maker.
 */
#pragma once

#include "loom-byte-source.h"
#include "loom-event-scanner.h"
#include "loom-progress.h"

#include <sys/stat.h>

/* A position between two items of the data from which a text is made, for example rows of a database. The object that
 * makes the text (LoomMadeTextClass) defines the meaning of the members; at the first position `part` and `number` are
 * 0. */
typedef struct {
  gint64 at;
  guint64 number;
  guint part;
} LoomMadePlace;

typedef struct {
  /* Appends to `text` the events of the item at `place`, each followed by ",\n", and moves `place` to the next item.
   * Returns FALSE after the last item. The appended bytes must depend only on the item. `is_first`: the text of this
   * item is made for the first time. Problems in the item are counted only if this is TRUE. */
  gboolean (*make) (gpointer maker, LoomMadePlace *place, gboolean is_first, GString *text);
  void (*free) (gpointer maker);
} LoomMadeTextClass;

/* Returns a text that `maker` makes on demand, beginning with the item at `first_at`. Takes over `maker`. Reading fails
 * with LOOM_ERROR_READ if the file at `path` has changed since `status` was read. `path` NULL: this is not checked. */
LoomByteSource *loom_made_text_new (const LoomMadeTextClass *klass, gpointer maker, gint64 first_at, const char *path,
                                    const struct stat *status);

/* Returns the maker of a text; borrowed. Only the thread that makes text may use it (see loom_made_text_wait()). */
gpointer loom_made_text_get_maker (LoomByteSource *text);

/* A shortcut for loom_made_text_scan(). Its functions add the events of an item to a trace without making the text of
 * the item, because making the text would cost more than adding the events. */
typedef struct {
  /* If the events of the item at `place` can be added without their text, returns the length of that text in bytes, and
   * moves `place` to the next item; else returns 0. Does not change the trace. */
  gsize (*measure) (gpointer user_data, LoomMadePlace *place);
  /* Adds the events of the item that was measured last, whose text is at `offset`. Returns FALSE to stop the scan. */
  gboolean (*add) (gpointer user_data, guint64 offset);
  /* Called for an item for which measure() returned 0 and set `wants_text`, after the text of the item was made and
   * scanned. `text`: the text of this item. */
  void (*learn) (gpointer user_data, const char *text, gsize length);
  gpointer user_data;
  gboolean wants_text;
} LoomMadeTextShortcut;

/* Scans the events of a text from its beginning, item by item. For each item, shortcut->measure() is called first. If
 * it returns a length, shortcut->add() adds the events of the item, and the text of the item is not made. If it returns
 * 0, the text of the item is made and scanned. Stops after the last item, when cancelled, when shortcut->add() or the
 * scanner stops, and before an item whose text is longer than LOOM_LIMIT_EVENT_BYTES. Also stops if the shortcut saves
 * too little time: if the texts that were made have at least 1 MiB in total, and this is at least half of the length of
 * all items so far. The caller can then read the rest of the text faster, because another thread makes text ahead for a
 * caller that reads in order. Returns the offset from which the caller must read the rest of the text. */
guint64 loom_made_text_scan (LoomByteSource *text, LoomEventScanner *scanner, LoomMadeTextShortcut *shortcut,
                             LoomProgress *progress);

/* Waits until no thread is making text. The caller may then use the maker's data, as long as no other thread reads the
 * text. */
void loom_made_text_wait (LoomByteSource *text);
