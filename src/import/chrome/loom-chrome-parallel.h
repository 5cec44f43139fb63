/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads a large file as several pieces in parallel. The reader of a piece assumes that an event
 * begins at the first byte of the piece, and that the text before the piece leaves the state (base of times,
 * loom-chrome-carry-over.h) that existed when the pieces were started. A piece is used only if both prove true when the
 * text before it has been read; otherwise the reader of the whole file reads the piece again. The result always equals
 * that of reading the file once with one thread.
 */
#pragma once

#include "loom-chrome-importer.h"

/* Minimum and maximum size in bytes of a piece (a part of a file that is read in parallel with other parts), unless
 * LoomLoadOptions sets the size. */
#define LOOM_CHROME_LEAST_PIECE_BYTES (2u * 1024 * 1024)
#define LOOM_CHROME_MOST_PIECE_BYTES (16u * 1024 * 1024)

/* Scans the whole file like loom_stream_reader_scan(), but in parallel pieces if the file is large enough. */
gboolean loom_chrome_parallel_scan_split (LoomChromeImporter *chrome, LoomStreamReader *reader,
                                          LoomEventScanner *scanner, GError **error);

/* For the reader of a piece: stores a top-level member, which is handled when the piece is joined to the whole file.
 * It cannot be handled earlier, because the piece may have to be read again. */
void loom_chrome_parallel_defer_member (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value);

/* Handles the scanned events, for the reader of the whole file and for the readers of pieces. */
extern const LoomScanHandler loom_chrome_parallel_handler;
/* Counts an event whose text begins at `offset`. If memory does not suffice for the event, logs this and returns
 * FALSE. */
gboolean loom_chrome_parallel_begin_event (LoomChromeImporter *chrome, guint64 offset);
gboolean loom_chrome_parallel_on_event (const LoomEvent *event, gpointer user_data);
void loom_chrome_parallel_parse_member (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value);
void loom_chrome_parallel_reserve (LoomChromeImporter *chrome);
void loom_chrome_parallel_init (LoomChromeImporter *chrome);
void loom_chrome_parallel_clear (LoomChromeImporter *chrome);
