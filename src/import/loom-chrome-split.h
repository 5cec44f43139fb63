/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: one large file read in pieces at the same time. Every piece begins at a guess: that an event
 * begins there, and that what events take over from those before them is what it was when the pieces were handed out. It
 * counts only when the text before it arrives at exactly that byte with exactly that; else the whole goes on through it.
 * The result is always that of one pass, whatever was guessed.
 */
#pragma once

#include "loom-chrome.h"

G_BEGIN_DECLS

/* Pieces are between these sizes, unless LoomLoadOptions says otherwise. */
#define LOOM_CHROME_LEAST_PIECE_BYTES (2u * 1024 * 1024)
#define LOOM_CHROME_MOST_PIECE_BYTES (16u * 1024 * 1024)

/* Scans the whole file, in pieces where that is worth it. As loom_reader_scan(). */
gboolean loom_chrome_scan_split (LoomChrome *chrome, LoomReader *reader, LoomScanner *scanner, GError **error);

/* Keeps a top-level member for later: a piece may have guessed wrong. */
void loom_chrome_defer_member (LoomChrome *chrome, LoomSlice key, LoomSlice value);

/* What a piece needs of the whole. */
extern const LoomScanHandler loom_chrome_handler;
gboolean loom_chrome_on_event (const LoomEvent *event, gpointer user_data);
void loom_chrome_on_member (LoomSlice key, LoomSlice value, guint64 offset, gpointer user_data);
void loom_chrome_on_problem (LoomScanProblem problem, guint64 offset, gpointer user_data);
void loom_chrome_take_member (LoomChrome *chrome, LoomSlice key, LoomSlice value);
void loom_chrome_reserve (LoomChrome *chrome);
void loom_chrome_init (LoomChrome *chrome);
void loom_chrome_clear (LoomChrome *chrome);

G_END_DECLS
