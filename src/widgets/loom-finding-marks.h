/* SPDX-License-Identifier: Apache-2.0
 *
 * What the analyses leave on the timeline: instants of findings and bottlenecks, the rows and the stretches of time that
 * what was chosen speaks of. One thread.
 */
#pragma once

#include "loom-timeline-painter.h"

G_BEGIN_DECLS

typedef struct _LoomFindingMarks LoomFindingMarks;

LoomFindingMarks *loom_finding_marks_new (void);
void loom_finding_marks_free (LoomFindingMarks *marks);

/* Instants, ascending; copied. */
void loom_finding_marks_set_times (LoomFindingMarks *marks, const gint64 *times_ns, guint n);

void loom_finding_marks_set_bottlenecks (LoomFindingMarks *marks, const gint64 *times_ns, guint n);
guint loom_finding_marks_get_n_bottlenecks (const LoomFindingMarks *marks);

/* How many findings and bottlenecks lie within the range, both ends included. */
void loom_finding_marks_count (const LoomFindingMarks *marks, LoomRange range, guint *n_findings, guint *n_bottlenecks);

/* Ascending; copied. FALSE when there were none and are none. */
gboolean loom_finding_marks_set_stretches (LoomFindingMarks *marks, const LoomRange *stretches, guint n);
guint loom_finding_marks_get_n_stretches (const LoomFindingMarks *marks);

/* Rows by key; copied, NULL: none. FALSE when there were none and are none. */
gboolean loom_finding_marks_set_rows (LoomFindingMarks *marks, const char *const *keys);
const char *const *loom_finding_marks_get_rows (const LoomFindingMarks *marks); /* never NULL */

/* The part of the options that is theirs; borrowed until the next call. O(rows marked · log rows). */
void loom_finding_marks_fill_options (LoomFindingMarks *marks, const LoomOutline *outline, LoomPaintOptions *options);

G_END_DECLS
