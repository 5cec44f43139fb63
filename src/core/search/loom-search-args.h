/* SPDX-License-Identifier: Apache-2.0
 *
 * The second half of a search that asks for args: of the spans whose names fit, those whose args do, read again from the files.
 * Private to the search. Memory: 64 MB for spans that wait to be read, some blocks of the files for each processor, the hits.
 */
#pragma once

#include "loom-search-query.h"
#include "loom-timeline.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  LoomTimeline *timeline;
  const LoomSearchQuery *query;
  const GPtrArray *names;    /* by trace: a byte for each name, whether it fits; NULL where none does */
  GCancellable *cancellable; /* counts spans where it is a LoomProgressCancellable */

  /* From time to time, from any thread, one call at a time: what is found by then, as it is given at the end; may be NULL. */
  void (*tell) (GArray *hits, guint64 n_found, guint64 n_unread, gpointer user_data);
  gpointer user_data;
} LoomArgsSearch;

/* For tests: how long a search takes before it first tells of a part, 0: none. Process-wide. */
void loom_search_args_set_patience (gint64 patience_us);

/* Blocking: about a microsecond for each span whose name fits. LoomSpanId sorted by trace, then span, at most LOOM_SEARCH_MAX_HITS;
 * `n_found`: all of them; `n_unread`: spans whose file cannot be read any more. When it is cancelled: what was found by then. */
GArray *loom_search_args (const LoomArgsSearch *search, guint64 *n_found, guint64 *n_unread);

G_END_DECLS
