/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: what the host did in a range: pieces of its innermost spans, without holes. One thread for each
 * visitor.
 */
#pragma once

#include "loom-span-walk.h"

/* Called for a piece of a span; `span` G_MAXUINT32: a time without a span of the thread. `is_data`: the piece is inside a
 * span of data loading. */
typedef void (*LoomPathHostFunc) (guint32 trace, guint32 span, gboolean is_data, LoomRange range, gpointer user_data);

typedef struct {
  LoomTimeline *timeline; /* borrowed */
  guint8 **works;         /* [trace] LoomWorkKind by name id on the host */
  guint32 *first_track;   /* [trace] → its first track in `walks`; the last element is the total */
  /* one walk per track, which continues where it stopped: the ranges of a track follow each other closely */
  LoomSpanWalk *walks;
  GArray *open; /* guint32: the spans that enclose the next one */
} LoomPathHost;

void loom_path_host_init (LoomPathHost *host, LoomTimeline *timeline);
void loom_path_host_clear (LoomPathHost *host);

/* Calls `func` for the pieces of a range (timeline ns), which do not overlap. Where the thread has no span, the pieces are
 * those of `other`, the track of the thread that ran before; these come after the others. O(rows · log spans + spans in the
 * range). */
void loom_path_host_visit (LoomPathHost *host, guint32 trace, guint32 track, guint32 other, LoomRange range,
                           LoomPathHostFunc func, gpointer user_data);
