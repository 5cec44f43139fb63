/* SPDX-License-Identifier: Apache-2.0
 *
 * The args that matter of the span under the pointer, for its hover card. They are read again from the source in a
 * worker, one span at a time: the card is there at once, what is known of the args comes when it is read, and of spans
 * that the pointer only passes over nothing is read.
 */
#pragma once

#include "loom-timeline-view.h"

/* Shows an event's args on the hover card of the view of `state`, as long as the view lives. */
void loom_hover_details_attach (LoomTimelineView *view, LoomTimelineState *state);

/* The first few of an event's members (LoomArg); those that people look for come first: steps, shapes, bytes,
 * streams. One line "name: value" each, long values cut; NULL if there are none worth showing. Owned. Any thread. */
char *loom_hover_details_choose (GListModel *members);
