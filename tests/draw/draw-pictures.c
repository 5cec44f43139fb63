/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws the generated run (fake-run.h) as the window would, in every theme and in several states, as image files that
 * developers can look at.
 *
 * Usage: draw-pictures FOLDER [DEVICE_SCALE]
 */
#include <locale.h>
#include <math.h>

#include "fake-run.h"
#include "loom-timeline-image.h"

typedef struct {
  LoomTimeline *timeline;
  LoomRowList *outline;
  LoomDrawList *list;
  LoomRuler *ruler;
  LoomMinimapData *overview;
  LoomSteps *steps;
  LoomTextCache *text;
  const char *folder;
  double scale;
} Studio;

typedef struct {
  const char *name;
  int width, height;
  LoomThemeKind theme;
  LoomRulerUnit reading;
  double begin, end; /* visible part of the run, as fractions of its length */
  gboolean busy;     /* TRUE: also draw a selection, the cursor, marks, flows and a hovered span */
  gboolean folded;
  double scroll;
} Shot;

static const Shot shots[] = {
  { "all-light", 1600, 900, LOOM_THEME_LIGHT, LOOM_RULER_UNIT_SINCE_START, 0, 1, FALSE, FALSE, 0 },
  { "all-dark", 1600, 900, LOOM_THEME_DARK, LOOM_RULER_UNIT_UTC, 0, 1, FALSE, FALSE, 0 },
  { "folded-light", 1000, 700, LOOM_THEME_LIGHT, LOOM_RULER_UNIT_STEP, 0, 1, FALSE, TRUE, 0 },
  { "folded-dark", 1000, 700, LOOM_THEME_DARK, LOOM_RULER_UNIT_LOCAL, 0, 1, FALSE, TRUE, 0 },
  { "busy-light", 1600, 900, LOOM_THEME_LIGHT, LOOM_RULER_UNIT_STEP, 0.40, 0.62, TRUE, FALSE, 60 },
  { "busy-dark", 1600, 900, LOOM_THEME_DARK, LOOM_RULER_UNIT_SINCE_START, 0.40, 0.62, TRUE, FALSE, 60 },
  { "deep-light", 1000, 700, LOOM_THEME_LIGHT, LOOM_RULER_UNIT_UTC, 0.45, 0.4503, FALSE, FALSE, 160 },
  { "deep-dark", 1000, 700, LOOM_THEME_DARK, LOOM_RULER_UNIT_SINCE_START, 0.45, 0.4503, FALSE, FALSE, 160 },
  { "contrast-light", 1000, 700, LOOM_THEME_LIGHT_CONTRAST, LOOM_RULER_UNIT_SINCE_START, 0.3, 0.7, TRUE, FALSE, 0 },
  { "contrast-dark", 1000, 700, LOOM_THEME_DARK_CONTRAST, LOOM_RULER_UNIT_SINCE_START, 0.3, 0.7, TRUE, FALSE, 0 },
};

static void
take (Studio *studio, const Shot *shot)
{
  LoomRange extent;
  LoomViewport view;
  g_assert_true (loom_timeline_get_extent (studio->timeline, &extent));
  gint64 length = extent.end_ns - extent.begin_ns;
  loom_viewport_init (&view, extent, shot->width - LOOM_HEADER_PX, shot->height - LOOM_OVERVIEW_PX - LOOM_RULER_PX);
  LoomRange range = { extent.begin_ns + (gint64) ((double) length * shot->begin),
                      extent.begin_ns + (gint64) ((double) length * shot->end) };
  if (shot->begin > 0)
    loom_viewport_fit_range (&view, extent, range, 0);
  view.scroll_px = shot->scroll;
  g_autoptr (GVariant) state = loom_row_list_save (studio->outline);
  if (shot->folded)
    loom_row_list_fold_all (studio->outline, TRUE);
  for (guint i = 0; shot->folded && i < 2; i++) {
    g_autofree char *key = g_strdup (loom_row_list_get_row (studio->outline, i)->key);
    loom_row_list_set_folded (studio->outline, key, FALSE);
  }
  LoomSpanId selected = fake_run_find (studio->timeline, "flash_fwd_kernel");
  g_autoptr (GArray) flows = g_array_new (FALSE, FALSE, sizeof (LoomFlowLine));
  LoomMarker marks[] = { { range.begin_ns + (range.end_ns - range.begin_ns) / 5, "slow rank", FALSE },
                         { range.begin_ns + (range.end_ns - range.begin_ns) * 2 / 3, NULL, TRUE } };
  LoomPaintOptions options;
  loom_timeline_painter_init_options (&options, loom_theme_get (shot->theme), studio->text);
  if (shot->busy) {
    g_autofree char *pinned = g_strdup (loom_row_list_get_row (studio->outline, 1)->key);
    loom_row_list_set_pinned (studio->outline, pinned, TRUE);
    loom_row_list_set_overlay (studio->outline, pinned, TRUE);
  }
  loom_draw_list_build (studio->list, studio->outline, &view, NULL);
  if (shot->busy) {
    LoomDrawHit hit;
    for (int y = 200; y < view.height_px && options.n_flows == 0; y += 3)
      for (int x = 300; x < view.width_px && options.n_flows == 0; x += 5)
        if (loom_draw_list_hit (studio->list, x, y, 0, &hit) == LOOM_DRAW_HIT_SPAN) {
          loom_flow_lines_of_span (studio->timeline, hit.span, 16, flows);
          options.n_flows = flows->len;
          selected = hit.span;
        }
    options.flows = (const LoomFlowLine *) (gpointer) flows->data;
    options.selected = &selected;
    options.n_selected = 1;
    options.selection = (LoomRange) { marks[0].time_ns, marks[0].time_ns + (range.end_ns - range.begin_ns) / 4 };
    options.marks = marks;
    options.n_marks = G_N_ELEMENTS (marks);
    options.cursor_ns = range.begin_ns + (range.end_ns - range.begin_ns) / 2;
    options.hover_row = 5;
  }
  loom_ruler_update (studio->ruler, studio->timeline, studio->steps, &view, shot->reading, studio->text);
  LoomTimelineImage picture = { studio->list, studio->ruler, studio->overview, LOOM_HEADER_PX, &options };
  g_autofree char *file = g_strconcat (shot->name, ".png", NULL);
  g_autofree char *path = g_build_filename (studio->folder, file, NULL);
  g_autoptr (GError) error = NULL;
  if (!loom_timeline_image_picture_to_file (&picture, path, studio->scale, &error))
    g_error ("%s", error->message);
  loom_row_list_restore (studio->outline, state);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  Studio studio = { .folder = argc > 1 ? argv[1] : ".", .scale = argc > 2 ? g_ascii_strtod (argv[2], NULL) : 1 };
  studio.timeline = fake_run_new (&fake_small);
  studio.outline = loom_row_list_new ();
  studio.list = loom_draw_list_new ();
  studio.ruler = loom_ruler_new ();
  studio.overview = loom_minimap_data_new (studio.timeline, NULL, NULL);
  studio.steps = loom_steps_new (studio.timeline, NULL);
  studio.text = loom_text_cache_new (NULL);
  loom_row_list_set_timeline (studio.outline, studio.timeline);
  for (guint i = 0; i < G_N_ELEMENTS (shots); i++)
    take (&studio, &shots[i]);
  loom_draw_list_free (studio.list);
  loom_row_list_free (studio.outline);
  loom_ruler_free (studio.ruler);
  loom_minimap_data_unref (studio.overview);
  loom_steps_unref (studio.steps);
  loom_text_cache_free (studio.text);
  loom_timeline_unref (studio.timeline);
  return 0;
}
