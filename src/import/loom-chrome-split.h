/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: one large file read in pieces at the same time. Every piece begins at a guess; it counts only
 * when the piece before it arrives at exactly that byte, between two events. Otherwise that one goes on through it. The
 * result is always that of one pass, whatever was guessed.
 */
#pragma once

#include "loom-chrome.h"

G_BEGIN_DECLS

/* Pieces are of this size, unless LOOM_SPLIT_BYTES in the environment says otherwise (tests split everywhere). */
#define LOOM_CHROME_PIECE_BYTES (16u * 1024 * 1024)

/* Scans the whole file, in pieces where that is worth it. As loom_reader_scan(). */
gboolean loom_chrome_scan_split (LoomChrome *chrome, LoomReader *reader, LoomScanner *scanner, GError **error);

/* Keeps a top-level member for later: a piece may have guessed wrong. */
void loom_chrome_defer_member (LoomChrome *chrome, LoomSlice key, LoomSlice value, guint64 offset);

/* What a piece needs of the whole. */
extern const LoomScanHandler loom_chrome_handler;
gboolean loom_chrome_on_event (const LoomEvent *event, gpointer user_data);
void loom_chrome_on_member (LoomSlice key, LoomSlice value, guint64 offset, gpointer user_data);
void loom_chrome_on_problem (LoomScanProblem problem, guint64 offset, gpointer user_data);
void loom_chrome_init (LoomChrome *chrome);
void loom_chrome_clear (LoomChrome *chrome);
void loom_chrome_apply_labels (LoomChrome *chrome);

G_END_DECLS
