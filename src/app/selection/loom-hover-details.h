/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the most important args of the span under the pointer on its hover card. A worker reads the args from the
 * source file, for one span at a time. The card is shown immediately, and the args are added when they are read. The
 * args of spans over which the pointer only passes are not read.
 */
#pragma once

#include "loom-timeline-view.h"

/* Shows the most important args of the span under the pointer on the hover card of `view`, for as long as the view
 * exists. `state`: the state of the view. */
void loom_hover_details_attach (LoomTimelineView *view, LoomTimelineState *state);

/* Chooses a few members of an event (LoomArg), the most useful first: steps, shapes, bytes, streams. Returns a line
 * "name: value" for each of them, with long values cut; NULL if the event has no such members. Owned. Any thread. */
char *loom_hover_details_choose (GListModel *members);
