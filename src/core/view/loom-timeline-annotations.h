/* SPDX-License-Identifier: Apache-2.0
 *
 * The marks of analyses on the timeline: places of findings, times of bottlenecks, and the rows and ranges to which the
 * selected finding refers. One thread.
 */
#pragma once

#include "loom-timeline-painter.h"

typedef struct _LoomTimelineAnnotations LoomTimelineAnnotations;

LoomTimelineAnnotations *loom_timeline_annotations_new (void);
void loom_timeline_annotations_free (LoomTimelineAnnotations *marks);

/* Places of findings, by finding, then start; copied. */
void loom_timeline_annotations_set_findings (LoomTimelineAnnotations *marks, const LoomFindingMark *findings, guint n);

void loom_timeline_annotations_set_bottlenecks (LoomTimelineAnnotations *marks, const gint64 *times_ns, guint n);
guint loom_timeline_annotations_get_n_bottlenecks (const LoomTimelineAnnotations *marks);

/* Counts the places of findings that touch the range, and the bottlenecks in it, both ends included. */
void loom_timeline_annotations_count (const LoomTimelineAnnotations *marks, LoomRange range, guint *n_findings,
                                      guint *n_bottlenecks);

/* Sets the ranges, ascending; copied. Returns FALSE if there were none before and are none now. */
gboolean loom_timeline_annotations_set_stretches (LoomTimelineAnnotations *marks, const LoomRange *stretches, guint n);
guint loom_timeline_annotations_get_n_stretches (const LoomTimelineAnnotations *marks);

/* Sets the rows by their keys; copied, NULL: none. Returns FALSE if there were none before and are none now. */
gboolean loom_timeline_annotations_set_rows (LoomTimelineAnnotations *marks, const char *const *keys);
const char *const *loom_timeline_annotations_get_rows (const LoomTimelineAnnotations *marks); /* never NULL */

/* Sets the annotations' part of the options; borrowed until the next call. O(rows marked · log rows). */
void loom_timeline_annotations_fill_options (LoomTimelineAnnotations *marks, const LoomRowList *outline,
                                             LoomPaintOptions *options);
