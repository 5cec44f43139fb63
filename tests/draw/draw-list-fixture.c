/* SPDX-License-Identifier: Apache-2.0 */
#include "draw-list-fixture.h"

void
draw_list_fixture_take (DrawListFixture *fixture, LoomTimeline *timeline)
{
  fixture->timeline = timeline;
  fixture->outline = loom_row_list_new ();
  fixture->list = loom_draw_list_new ();
  fixture->colors = loom_name_colors_new ();
  loom_name_colors_set_timeline (fixture->colors, timeline);
  loom_row_list_set_timeline (fixture->outline, timeline);
  loom_row_list_fold_all (fixture->outline, FALSE);
  if (!loom_timeline_get_extent (timeline, &fixture->extent))
    fixture->extent = (LoomRange) { 0, 1000 };
}

void
draw_list_fixture_clear (DrawListFixture *fixture)
{
  loom_draw_list_free (fixture->list);
  loom_name_colors_free (fixture->colors);
  loom_row_list_free (fixture->outline);
  loom_timeline_unref (fixture->timeline);
}
