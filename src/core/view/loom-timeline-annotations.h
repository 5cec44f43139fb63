/* SPDX-License-Identifier: Apache-2.0
 *
 * The marks that analyses set on the timeline: places of findings (results of rules), times of bottlenecks, and the
 * rows and ranges to which the selected finding refers. Must be used by only one thread.
 */
#pragma once

#include "loom-timeline-painter.h"

typedef struct _LoomTimelineAnnotations LoomTimelineAnnotations;

LoomTimelineAnnotations *loom_timeline_annotations_new (void);
void loom_timeline_annotations_free (LoomTimelineAnnotations *marks);

/* Copies the marks of findings, which must be sorted by finding, then start. `sentences`: array indexed by
 * LoomFindingMark.finding, with a sentence about each finding; NULL: there are no sentences. The function takes
 * ownership of this array. */
void loom_timeline_annotations_set_findings (LoomTimelineAnnotations *marks, const LoomFindingMark *findings, guint n,
                                             char **sentences);

/* Sets the times at which ranks are late. These times are marked like findings, but only while no finding is marked.
 * Copies the ranges and the sentences. */
void loom_timeline_annotations_set_late_ranks (LoomTimelineAnnotations *marks, const LoomRowLateness *late, guint n);
/* Returns TRUE if late ranks are marked in place of findings, because no finding is marked. */
gboolean loom_timeline_annotations_shows_late_ranks (const LoomTimelineAnnotations *marks);

void loom_timeline_annotations_set_bottlenecks (LoomTimelineAnnotations *marks, const gint64 *times_ns, guint n);
guint loom_timeline_annotations_get_n_bottlenecks (const LoomTimelineAnnotations *marks);

/* Returns the sentences of the findings or late ranks whose marks touch the range, both ends included, one per line. If there are
 * more than LOOM_ANNOTATIONS_MAX_SENTENCES, the last line says how many are not shown. Owned by the caller. NULL if no
 * mark touches the range. O(marks). */
#define LOOM_ANNOTATIONS_MAX_SENTENCES 4
char *loom_timeline_annotations_dup_findings (const LoomTimelineAnnotations *marks, LoomRange range);
/* Returns the number of bottlenecks in the range, both ends included. */
guint loom_timeline_annotations_count_bottlenecks (const LoomTimelineAnnotations *marks, LoomRange range);

/* Sets the ranges to highlight, in ascending order; they are copied. Returns FALSE if nothing changed, because no
 * ranges were highlighted before and `n` is 0. */
gboolean loom_timeline_annotations_set_stretches (LoomTimelineAnnotations *marks, const LoomRange *stretches, guint n);
guint loom_timeline_annotations_get_n_stretches (const LoomTimelineAnnotations *marks);

/* Sets the keys of the rows to mark; they are copied; NULL: no rows are marked. Returns FALSE if nothing changed,
 * because no rows were marked before and `keys` is NULL or empty. */
gboolean loom_timeline_annotations_set_rows (LoomTimelineAnnotations *marks, const char *const *keys);
const char *const *loom_timeline_annotations_get_rows (const LoomTimelineAnnotations *marks); /* never NULL */

/* Sets the members of `options` that show the annotations. The arrays in these members are borrowed until the next
 * call. O(marked rows · log rows). */
void loom_timeline_annotations_fill_options (LoomTimelineAnnotations *marks, const LoomRowList *outline,
                                             LoomPaintOptions *options);
