/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the most important args of the span under the pointer on its hover card. A worker thread reads the args from
 * the source file, for one span at a time. The card appears at once; the args are added when they have been read. Args
 * are not read for spans that the pointer only crosses.
 */
#pragma once

#include "loom-timeline-view.h"

/* Shows the most important args of the span under the pointer on the hover card of `view`, as long as the view
 * exists. `state`: the timeline state of the view. */
void loom_hover_details_attach (LoomTimelineView *view, LoomTimelineState *state);

/* Chooses a few members of an event (LoomArg), the most useful first: steps, shapes, bytes, streams. Returns a text
 * with one line "name: value" per member, long values truncated; NULL if the event has no such members. The caller
 * owns the text. Any thread. */
char *loom_hover_details_choose (GListModel *members);
