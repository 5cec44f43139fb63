/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: one large file read in pieces at the same time. Every piece begins at a guess: that an event
 * begins there, and that what events take over from those before them is what it was when the pieces were handed out. It
 * counts only when the text before it arrives at exactly that byte with exactly that; else the whole goes on through it.
 * The result is always that of one pass, whatever was guessed.
 */
#pragma once

#include "loom-chrome-importer.h"

G_BEGIN_DECLS

/* Pieces are between these sizes, unless LoomLoadOptions says otherwise. */
#define LOOM_CHROME_LEAST_PIECE_BYTES (2u * 1024 * 1024)
#define LOOM_CHROME_MOST_PIECE_BYTES (16u * 1024 * 1024)

/* Scans the whole file, in pieces where that is worth it. As loom_stream_reader_scan(). */
gboolean loom_chrome_parallel_scan_split (LoomChromeImporter *chrome, LoomStreamReader *reader,
                                          LoomEventScanner *scanner, GError **error);

/* Keeps a top-level member for later: a piece may have guessed wrong. */
void loom_chrome_parallel_defer_member (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value);

/* What a piece needs of the whole. */
extern const LoomScanHandler loom_chrome_parallel_handler;
gboolean loom_chrome_parallel_on_event (const LoomEvent *event, gpointer user_data);
void loom_chrome_parallel_on_member (LoomJsonSlice key, LoomJsonSlice value, guint64 offset, gpointer user_data);
void loom_chrome_parallel_on_problem (LoomScanProblem problem, guint64 offset, gpointer user_data);
void loom_chrome_parallel_parse_member (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value);
void loom_chrome_parallel_reserve (LoomChromeImporter *chrome);
void loom_chrome_parallel_init (LoomChromeImporter *chrome);
void loom_chrome_parallel_clear (LoomChromeImporter *chrome);

G_END_DECLS
