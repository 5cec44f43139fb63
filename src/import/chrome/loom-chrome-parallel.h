/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads a large file as several pieces in parallel. The reader of a piece makes two assumptions:
 * - An event begins at the first byte of the piece.
 * - The state at this byte (base of times, loom-chrome-carry-over.h) is the state that existed when the pieces were
 *   started.
 *
 * When the text before a piece has been read, both assumptions are checked. If one of them is wrong, the reader of the
 * whole file reads the piece again. The result always equals that of reading the file once with one thread.
 */
#pragma once

#include "loom-chrome-importer.h"

/* Minimum and maximum size in bytes of a piece, which is a part of a file that is read in parallel with other parts.
 * Used unless LoomLoadOptions sets the size. */
#define LOOM_CHROME_LEAST_PIECE_BYTES (2u * 1024 * 1024)
#define LOOM_CHROME_MOST_PIECE_BYTES (16u * 1024 * 1024)

/* Scans the whole file like loom_stream_reader_scan(), but in parallel pieces if the file is large enough. */
gboolean loom_chrome_parallel_scan_split (LoomChromeImporter *chrome, LoomStreamReader *reader,
                                          LoomEventScanner *scanner, GError **error);

/* Used while a piece (a part of the file) is read ahead: stores a top-level member, which is handled when the piece is
 * joined to the whole file. It cannot be handled earlier, because the piece may have to be read again. */
void loom_chrome_parallel_defer_member (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value);

/* Handles the events that a scanner finds. Used by the reader of the whole file and by the readers of pieces (parts) of
 * it. */
extern const LoomScanHandler loom_chrome_parallel_handler;
/* Counts an event whose text begins at `offset`. If memory does not suffice for the event, logs this and returns
 * FALSE. */
gboolean loom_chrome_parallel_begin_event (LoomChromeImporter *chrome, guint64 offset);
gboolean loom_chrome_parallel_on_event (const LoomEvent *event, gpointer user_data);
void loom_chrome_parallel_parse_member (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value);
void loom_chrome_parallel_reserve (LoomChromeImporter *chrome);
void loom_chrome_parallel_init (LoomChromeImporter *chrome);
void loom_chrome_parallel_clear (LoomChromeImporter *chrome);
