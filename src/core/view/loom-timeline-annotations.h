/* SPDX-License-Identifier: Apache-2.0
 *
 * What the analyses leave on the timeline: instants of findings and bottlenecks, the rows and the stretches of time that
 * what was chosen speaks of. One thread.
 */
#pragma once

#include "loom-timeline-painter.h"

G_BEGIN_DECLS

typedef struct _LoomTimelineAnnotations LoomTimelineAnnotations;

LoomTimelineAnnotations *loom_timeline_annotations_new (void);
void loom_timeline_annotations_free (LoomTimelineAnnotations *marks);

/* Instants, ascending; copied. */
void loom_timeline_annotations_set_times (LoomTimelineAnnotations *marks, const gint64 *times_ns, guint n);

void loom_timeline_annotations_set_bottlenecks (LoomTimelineAnnotations *marks, const gint64 *times_ns, guint n);
guint loom_timeline_annotations_get_n_bottlenecks (const LoomTimelineAnnotations *marks);

/* How many findings and bottlenecks lie within the range, both ends included. */
void loom_timeline_annotations_count (const LoomTimelineAnnotations *marks, LoomRange range, guint *n_findings,
                                      guint *n_bottlenecks);

/* Ascending; copied. FALSE when there were none and are none. */
gboolean loom_timeline_annotations_set_stretches (LoomTimelineAnnotations *marks, const LoomRange *stretches, guint n);
guint loom_timeline_annotations_get_n_stretches (const LoomTimelineAnnotations *marks);

/* Rows by key; copied, NULL: none. FALSE when there were none and are none. */
gboolean loom_timeline_annotations_set_rows (LoomTimelineAnnotations *marks, const char *const *keys);
const char *const *loom_timeline_annotations_get_rows (const LoomTimelineAnnotations *marks); /* never NULL */

/* The part of the options that is theirs; borrowed until the next call. O(rows marked · log rows). */
void loom_timeline_annotations_fill_options (LoomTimelineAnnotations *marks, const LoomRowList *outline,
                                             LoomPaintOptions *options);

G_END_DECLS
