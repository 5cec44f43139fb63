/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget with the details of a span: name, track, times and stack on the left, the args as a tree on the right.
 *
 * Signal: "span-chosen" (guint trace, guint span) when the user clicks a link to another span, such as the parent.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_SPAN_DETAILS (loom_span_details_get_type ())
G_DECLARE_FINAL_TYPE (LoomSpanDetails, loom_span_details, LOOM, SPAN_DETAILS, GtkWidget)

/* Shows a span of the timeline of `state`. Two parts are added later, when worker threads have finished: the args, and
 * the comparison with spans of the same name. */
void loom_span_details_show (LoomSpanDetails *self, LoomTimelineState *state, LoomSpanId span);
/* Clears the contents and releases the timeline. */
void loom_span_details_clear (LoomSpanDetails *self);

/* Returns all shown properties and args as text; owned by the caller. */
char *loom_span_details_dup_text (LoomSpanDetails *self);
