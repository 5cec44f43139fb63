/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: text with Chrome trace events that is made from the items of a file in another format, such as
 * the rows of a database: {"traceEvents":[ events of each item ]}. The text is made when it is read and is not stored.
 * The same offset always gives the same bytes, so the text can be used like that of a file: events are parsed from it,
 * and their args can be read from it again later.
 *
 * Any thread may read it. Only one thread at a time makes text; if the text is read in order, another thread makes it
 * ahead. Call loom_made_text_wait() before using data of the maker in another thread. Reading at another offset makes
 * up to 16 KB of text again. Memory: 32 bytes per 16 KB of text, and the data of the maker.
 */
#pragma once

#include "loom-byte-source.h"
#include "loom-event-scanner.h"
#include "loom-progress.h"

#include <sys/stat.h>

/* A position between two items of the data from which a text is made, for example rows of a database. The maker defines
 * the meaning of the members; at the first position `part` and `number` are 0. */
typedef struct {
  gint64 at;
  guint64 number;
  guint part;
} LoomMadePlace;

typedef struct {
  /* Appends the events of the item at `place`, each followed by ",\n", and moves `place` to the next item. Returns
   * FALSE after the last item. The appended bytes must depend only on the item. `is_first`: the text of this item is
   * made for the first time; only then problems in the item are counted. */
  gboolean (*make) (gpointer maker, LoomMadePlace *place, gboolean is_first, GString *text);
  void (*free) (gpointer maker);
} LoomMadeTextClass;

/* Returns a text that `maker` makes on demand, beginning with the item at `first_at`. Takes over `maker`. Reading fails
 * with LOOM_ERROR_READ if the file at `path` has changed since `status` was read. `path` NULL: this is not checked. */
LoomByteSource *loom_made_text_new (const LoomMadeTextClass *klass, gpointer maker, gint64 first_at, const char *path,
                                    const struct stat *status);

/* Returns the maker of a text; borrowed. Only the thread that makes text may use it (see loom_made_text_wait()). */
gpointer loom_made_text_get_maker (LoomByteSource *text);

/* The functions of a shortcut for loom_made_text_scan(): they add the events of an item to a trace without making
 * the text of the item, which would cost more than adding the events. */
typedef struct {
  /* If the events of the item at `place` can be added without their text, returns the length of that text in bytes, and
   * moves `place` to the next item; else returns 0. Does not change the trace. */
  gsize (*measure) (gpointer user_data, LoomMadePlace *place);
  /* Adds the events of the item that was measured last, whose text is at `offset`. Returns FALSE to stop the scan. */
  gboolean (*add) (gpointer user_data, guint64 offset);
  /* Called if measure() has set `wants_text`, after an item that it could not measure was made and scanned. `text`: the
   * text of this item. */
  void (*learn) (gpointer user_data, const char *text, gsize length);
  gpointer user_data;
  gboolean wants_text;
} LoomMadeTextShortcut;

/* Scans a text from its beginning. If the shortcut can measure an item, it also adds its events; otherwise the text of
 * the item is made and scanned. Stops at the end of the items, when cancelled, and when the shortcut or the scanner
 * stops. Also stops if at least half of the text so far, and 1 MiB, had to be made: the shortcut then saves too little,
 * and reading is faster, because another thread makes the text ahead. Returns the offset from which the caller must go
 * on by reading the text. */
guint64 loom_made_text_scan (LoomByteSource *text, LoomEventScanner *scanner, LoomMadeTextShortcut *shortcut,
                             LoomProgress *progress);

/* Waits until no thread is making text. The caller may then use the maker's data, as long as no other thread reads the
 * text. */
void loom_made_text_wait (LoomByteSource *text);
