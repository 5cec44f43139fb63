/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the contrast of links in the sentences of analysis pages, and of the text around them, with the style sheets of
 * the window. The environment determines whether the colours are light or dark, and whether high contrast is on.
 */
#include "panels.h"

#include "loom-color.h"
#include "loom-page-view.h"

#include <adwaita.h>

/* minimum contrast of text to its background according to WCAG: AA, and AAA for high contrast */
#define LEAST_CONTRAST 4.5
#define LEAST_HIGH_CONTRAST 7.0

typedef struct {
  GdkRGBA background;
  double least; /* minimum contrast */
  guint n_texts, n_faults;
} Check;

static LoomColor
blend (const GdkRGBA *color, const GdkRGBA *background)
{
  const float over[] = { color->red, color->green, color->blue },
              under[] = { background->red, background->green, background->blue };
  guint rgb = 0;
  for (guint i = 0; i < 3; i++)
    rgb = rgb << 8 | (guint) (255 * (over[i] * color->alpha + under[i] * (1 - color->alpha)) + 0.5F);
  return LOOM_COLOR_RGB (rgb);
}

static void
check_color (Check *self, const GdkRGBA *color)
{
  double contrast =
    loom_color_contrast (blend (color, &self->background), blend (&self->background, &self->background));
  self->n_texts++;
  if (contrast >= self->least)
    return;
  self->n_faults++;
  g_autofree char *name = gdk_rgba_to_string (color);
  g_test_message ("text in %s has a contrast of %.2f", name, contrast);
}

static void
check_node (Check *self, const GskRenderNode *node)
{
  switch ((guint) gsk_render_node_get_node_type (node)) {
  case GSK_CONTAINER_NODE:
    for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
      check_node (self, gsk_container_node_get_child (node, i));
    break;
  case GSK_TRANSFORM_NODE: check_node (self, gsk_transform_node_get_child (node)); break;
  case GSK_CLIP_NODE: check_node (self, gsk_clip_node_get_child (node)); break;
  case GSK_DEBUG_NODE: check_node (self, gsk_debug_node_get_child (node)); break;
  case GSK_TEXT_NODE: check_color (self, gsk_text_node_get_color (node)); break;
  }
}

/* Checks all colours in which a label paints its text. */
static void
check_label (Check *self, GtkWidget *label)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (label);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (label), gtk_widget_get_height (label));
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  guint n_before = self->n_texts;
  check_node (self, node);
  g_assert_cmpuint (self->n_texts, >, n_before + 1); /* the link and the text around it */
  gsk_render_node_unref (node);
}

/* Checks the labels with links that are shown; returns their number. */
static guint
check_labels (Check *self, GtkWidget *widget)
{
  guint n = 0;
  if (!gtk_widget_get_mapped (widget))
    return 0;
  if (GTK_IS_LABEL (widget) && strstr (gtk_label_get_label (GTK_LABEL (widget)), "<a href=") != NULL) {
    check_label (self, widget);
    n++;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += check_labels (self, child);
  return n;
}

/* Shows an answer and a note with links on a page of the analysis. */
static void
show_sentences (LoomAnalysisPanel *panel)
{
  LoomPageView *view = loom_analysis_panel_get_view (panel);
  LoomPageContent *sheet = loom_page_content_new ((LoomRange) { 0, 1 });
  loom_page_content_add_answer (sheet, "No rank is slow; see the “Collectives” page.");
  loom_page_content_add_note (sheet, "See also the “Steps” page.");
  loom_page_view_set_content (view, sheet);
  loom_page_content_unref (sheet);
}

static gboolean
is_filled (gpointer view)
{
  return !loom_page_view_is_filling (view);
}

/* Checks the line below the title of a page, which has a link to another page, an answer and a note. */
static void
test_links (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "stragglers");
  gboolean is_high = adw_style_manager_get_high_contrast (adw_style_manager_get_default ());
  g_assert_cmpint (is_high, ==, g_getenv ("ADW_DEBUG_HIGH_CONTRAST") != NULL);
  g_assert_cmpint (adw_style_manager_get_dark (adw_style_manager_get_default ()), ==,
                   g_getenv ("ADW_DEBUG_COLOR_SCHEME") != NULL);
  Check check = { .least = is_high ? LEAST_HIGH_CONTRAST : LEAST_CONTRAST };
  g_assert_true (gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (panel)), "window_bg_color",
                                                 &check.background));
  show_sentences (panel);
  g_assert_true (fixture_wait (is_filled, loom_analysis_panel_get_view (panel)));
  fixture_frames (window);
  g_assert_cmpuint (check_labels (&check, GTK_WIDGET (window)), ==, 3);
  g_assert_cmpuint (check.n_faults, ==, 0);
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/contrast/links", test_links);
  return fixture_run ();
}
