/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads one large file as pieces in parallel. Each piece assumes that an event begins at its first
 * byte, and that earlier events leave the state that existed when the pieces were started. A piece is used only if the
 * text before it ends at exactly that byte with exactly that state; otherwise the main reader reads the piece again. The
 * result always equals the result of a single pass.
 */
#pragma once

#include "loom-chrome-importer.h"

/* Limits on the size of a piece (a part of a file that is read in parallel with others), unless LoomLoadOptions sets
 * the size. */
#define LOOM_CHROME_LEAST_PIECE_BYTES (2u * 1024 * 1024)
#define LOOM_CHROME_MOST_PIECE_BYTES (16u * 1024 * 1024)

/* Scans the whole file like loom_stream_reader_scan(), in pieces if that is worthwhile. */
gboolean loom_chrome_parallel_scan_split (LoomChromeImporter *chrome, LoomStreamReader *reader,
                                          LoomEventScanner *scanner, GError **error);

/* For a reader of a piece: stores a top-level member, which is handled when the piece is joined. The piece may prove to
 * be wrong until then. */
void loom_chrome_parallel_defer_member (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value);

/* Handler of scanned events, for the main reader and for the readers of pieces. */
extern const LoomScanHandler loom_chrome_parallel_handler;
/* Counts an event whose text is at `offset`. Returns FALSE, and logs it, if there is no memory for the event. */
gboolean loom_chrome_parallel_begin_event (LoomChromeImporter *chrome, guint64 offset);
gboolean loom_chrome_parallel_on_event (const LoomEvent *event, gpointer user_data);
void loom_chrome_parallel_parse_member (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value);
void loom_chrome_parallel_reserve (LoomChromeImporter *chrome);
void loom_chrome_parallel_init (LoomChromeImporter *chrome);
void loom_chrome_parallel_clear (LoomChromeImporter *chrome);
