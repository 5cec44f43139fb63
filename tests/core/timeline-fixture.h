/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens a small run, RUN_FIXTURE_TRACE, with the state of its timeline. The frames of animations are drawn by the test
 * instead of a screen.
 */
#pragma once

#include "loom-timeline-commands.h"
#include "run-fixture.h"

#define TIMELINE_FIXTURE_POINTER_PX 300

typedef struct {
  LoomRunState *run;
  LoomTimelineState *state; /* belongs to the run, as do the animator and the rows */
  LoomViewAnimator *flight;
  LoomRowList *rows;
  LoomFlowNavigation flows;
  gboolean animated; /* TRUE if the fake screen draws animations */
} TimelineFixture;

/* Set-up and tear-down functions for g_test_add(). */
void timeline_fixture_set_up (TimelineFixture *self, gconstpointer data);
void timeline_fixture_tear_down (TimelineFixture *self, gconstpointer data);

/* Draws frames until the view no longer moves. */
void timeline_fixture_rest (TimelineFixture *self);
/* Runs a command, and draws frames until the view no longer moves. */
void timeline_fixture_run (TimelineFixture *self, LoomTimelineCommand command);

LoomViewport timeline_fixture_view_of (TimelineFixture *self);
gint64 timeline_fixture_width_ns (TimelineFixture *self);
/* Shows a third of the run, starting at 10 % of its length. */
void timeline_fixture_zoom_in (TimelineFixture *self);
/* Places the pointer over the tracks. Returns the time under it. */
gint64 timeline_fixture_point (TimelineFixture *self);
