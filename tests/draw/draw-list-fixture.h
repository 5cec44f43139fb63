/* SPDX-License-Identifier: Apache-2.0
 *
 * A timeline, its rows with all groups unfolded, and a draw list (the marks to be painted in a view) for tests.
 */
#pragma once

#include "loom-draw-list.h"
#include "loom-name-colors.h"

typedef struct {
  LoomTimeline *timeline;
  LoomRowList *outline;
  LoomDrawList *list;
  LoomNameColors *colors;
  LoomRange extent;
} DrawListFixture;

/* Fills the fixture with a timeline, of which it takes ownership. */
void draw_list_fixture_take (DrawListFixture *fixture, LoomTimeline *timeline);
void draw_list_fixture_clear (DrawListFixture *fixture);
