/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds a view with many marks on several threads, each of which adds the strips of one band of the view.
 */
#include <math.h>

#include "loom-draw-private.h"
#include "loom-parallel.h"

/* Number of marks from which threads save more time than they cost. The previous list predicts the number. */
#define MANY_MARKS 3000

static guint
choose_n (const LoomDrawList *list)
{
  guint n_threads = loom_parallel_resolve (0);
  return list->has_old || list->old_marks->len < MANY_MARKS ? 1 : MIN (n_threads, LOOM_MOST_BANDS);
}

static void
set_band (LoomDrawList *list, const LoomDrawList *whole, guint band, guint n_bands)
{
  double height = whole->viewport.height_px;
  list->whole = whole;
  list->band_top = band > 0 ? floor (height * band / n_bands) : -HUGE_VAL;
  list->band_bottom = band + 1 < n_bands ? floor (height * (band + 1) / n_bands) : HUGE_VAL;
}

static void
prepare (LoomDrawList *band, const LoomDrawList *whole)
{
  loom_draw_list_set_timeline (band, whole->timeline);
  band->outline = whole->outline;
  band->viewport = whole->viewport;
  band->options = whole->options;
  g_array_set_size (band->strips, 0);
  g_array_set_size (band->marks, 0);
  loom_draw_list_ensure_scratch (band);
}

guint
loom_draw_bands_part (LoomDrawList *list)
{
  guint n = choose_n (list);
  for (guint i = 1; i < n; i++) {
    LoomDrawList **band = &list->bands[i - 1];
    *band = *band != NULL ? *band : loom_draw_list_new ();
    prepare (*band, list);
    set_band (*band, list, i, n);
  }
  set_band (list, list, 0, n);
  return n;
}

LoomDrawList *
loom_draw_band (LoomDrawList *list, guint band)
{
  return band == 0 ? list : list->bands[band - 1];
}

/* Appends the strips of the bands in the order of their rows: scrolled rows begin below all pinned rows. */
void
loom_draw_bands_join (LoomDrawList *list, guint n_bands)
{
  for (guint i = 1; i < n_bands; i++) {
    const LoomDrawList *band = list->bands[i - 1];
    guint n_marks = list->marks->len;
    g_array_append_vals (list->marks, band->marks->data, band->marks->len);
    for (guint s = 0; s < band->strips->len; s++) {
      LoomDepthRow strip = g_array_index (band->strips, LoomDepthRow, s);
      strip.first += n_marks;
      g_array_append_val (list->strips, strip);
    }
  }
}

void
loom_draw_bands_free (LoomDrawList *list)
{
  for (guint i = 0; i < G_N_ELEMENTS (list->bands); i++)
    loom_draw_list_free (list->bands[i]);
}
