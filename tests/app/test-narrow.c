/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks in every language that no text is cut in a window of 620 px: on each page of the sample run, while searching,
 * and in each dialog; and that the shortcuts window fits on a small screen.
 * Text that is meant to be truncated, such as names in tables, must have a tooltip.
 */
#include "panels.h"

#include "loom-locale.h"
#include "loom-page-index.h"
#include "loom-search-bar.h"

#include <libintl.h>
#include <string.h>

#define NARROW_PX 620 /* half of a screen of 1,280 px without its frame */
#define HEIGHT_PX 800
#define SCREEN_WIDTH_PX 1366
#define SCREEN_HEIGHT_PX 768
#define ROUNDING_PX 1 /* widths of glyphs are rounded to px */

typedef struct {
  GtkWidget *window;
  const char *where; /* name of the page or action, for failure messages */
  GPtrArray *faults; /* descriptions of the texts that are truncated and of the widgets that are too wide; owned */
  guint n_texts;
} Look;

static void
speak (const char *language)
{
  g_setenv ("LANGUAGE", language, TRUE);
  textdomain (GETTEXT_PACKAGE); /* after LANGUAGE changes, gettext uses it only when a text domain is set */
  g_assert_true (g_str_equal (gettext ("_Cancel"), "_Cancel") == g_str_equal (language, "en"));
}

/* --- one text ----------------------------------------------------------------------------------------------------- */

/* Returns TRUE if a tooltip, such as the whole text, appears while the pointer is over the widget. The tooltip may
 * belong to the widget or to an ancestor. */
static gboolean
has_tooltip (GtkWidget *widget)
{
  gboolean shows = FALSE;
  GtkTooltip *tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  for (GtkWidget *at = widget; at != NULL && !shows; at = gtk_widget_get_parent (at)) {
    double x, y;
    if (gtk_widget_get_has_tooltip (at) &&
        gtk_widget_translate_coordinates (widget, at, 1, gtk_widget_get_height (widget) / 2.0, &x, &y))
      g_signal_emit_by_name (at, "query-tooltip", (int) x, (int) y, FALSE, tooltip, &shows);
  }
  g_object_unref (tooltip);
  return shows;
}

/* Returns TRUE if the text must not be truncated at all: labels of buttons, titles, and hints of entries. */
static gboolean
is_short (GtkWidget *label)
{
  return gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON) != NULL || gtk_widget_has_css_class (label, "title") ||
         gtk_widget_has_css_class (label, "heading") || GTK_IS_TEXT (gtk_widget_get_parent (label));
}

/* Returns TRUE if the content of the widget can be scrolled in this direction. */
static gboolean
scrolls (GtkWidget *widget, GtkOrientation orientation)
{
  if (!GTK_IS_SCROLLABLE (widget))
    return FALSE;
  GtkAdjustment *adjustment = orientation == GTK_ORIENTATION_HORIZONTAL
                                ? gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (widget))
                                : gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (widget));
  return adjustment != NULL && gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_lower (adjustment) >
                                 gtk_adjustment_get_page_size (adjustment);
}

/* Returns TRUE if the widget reaches beyond an ancestor that clips it in this direction, and cannot be scrolled there. */
static gboolean
is_clipped (GtkWidget *widget, GtkOrientation orientation)
{
  gboolean across = orientation == GTK_ORIENTATION_HORIZONTAL;
  for (GtkWidget *at = gtk_widget_get_parent (widget); at != NULL; at = gtk_widget_get_parent (at)) {
    graphene_rect_t bounds;
    if (scrolls (at, orientation))
      return FALSE;
    if ((!GTK_IS_ROOT (at) && gtk_widget_get_overflow (at) != GTK_OVERFLOW_HIDDEN) ||
        !gtk_widget_compute_bounds (widget, at, &bounds))
      continue;
    double begin = across ? bounds.origin.x : bounds.origin.y, size = across ? bounds.size.width : bounds.size.height;
    if (begin < -ROUNDING_PX || begin + size > gtk_widget_get_size (at, orientation) + ROUNDING_PX)
      return TRUE;
  }
  return FALSE;
}

/* Returns TRUE if the middle of the widget is not shown now, such as in a row of a list that has to be scrolled to. */
static gboolean
is_scrolled_away (GtkWidget *widget)
{
  double x, y;
  for (GtkWidget *at = gtk_widget_get_parent (widget); at != NULL; at = gtk_widget_get_parent (at))
    if (gtk_widget_get_overflow (at) == GTK_OVERFLOW_HIDDEN &&
        gtk_widget_translate_coordinates (widget, at, gtk_widget_get_width (widget) / 2.0,
                                          gtk_widget_get_height (widget) / 2.0, &x, &y) &&
        !gtk_widget_contains (at, x, y))
      return TRUE;
  return gtk_widget_get_width (widget) == 0;
}

/* Returns advice on how to show the text of a label that is truncated; NULL if the label may be truncated. */
static const char *
describe_truncation (GtkWidget *label)
{
  if (is_short (label))
    return "truncated";
  return has_tooltip (label) ? NULL : "truncated, without a tooltip";
}

/* Returns how the text of the label is truncated or clipped; NULL if it is shown completely or has a tooltip. */
static const char *
describe_cut (GtkWidget *label)
{
  int width, height;
  PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (label));
  pango_layout_get_pixel_size (layout, &width, &height);
  if (is_clipped (label, GTK_ORIENTATION_HORIZONTAL))
    return "clipped at a side";
  if (is_clipped (label, GTK_ORIENTATION_VERTICAL))
    return "clipped above or below";
  if (is_scrolled_away (label))
    return NULL;
  if (pango_layout_is_ellipsized (layout))
    return describe_truncation (label);
  gboolean fits =
    width <= gtk_widget_get_width (label) + ROUNDING_PX && height <= gtk_widget_get_height (label) + ROUNDING_PX;
  return fits ? NULL : "larger than its label";
}

static void
look_at (Look *look, GtkWidget *widget)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_LABEL (widget) && *gtk_label_get_text (GTK_LABEL (widget)) != '\0') {
    const char *cut = describe_cut (widget);
    look->n_texts++;
    if (cut != NULL)
      g_ptr_array_add (look->faults, g_strdup_printf ("%s: “%s” is %s (%d × %d px)", look->where,
                                                      gtk_label_get_text (GTK_LABEL (widget)), cut,
                                                      gtk_widget_get_width (widget), gtk_widget_get_height (widget)));
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    look_at (look, child);
}

/* --- pages and dialogs -------------------------------------------------------------------------------------------- */

static void
look_at_width (Look *look)
{
  int least, width = gtk_widget_get_width (look->window);
  gtk_widget_measure (look->window, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  if (MAX (least, width) > NARROW_PX)
    g_ptr_array_add (look->faults, g_strdup_printf ("%s: is %d px wide, needs %d px", look->where, width, least));
}

/* Returns TRUE if the window is narrow and shows all its texts completely. */
static gboolean
is_complete (gpointer data)
{
  Look *look = data;
  g_ptr_array_set_size (look->faults, 0);
  look->n_texts = 0;
  look_at_width (look);
  look_at (look, look->window);
  return look->faults->len == 0 && look->n_texts > 0;
}

/* Returns the number of labels in the window whose text is truncated or clipped without a tooltip, and reports them. The
 * X server resizes a window asynchronously, and lists place their rows after that: only what remains is a fault. */
static guint
count_cut (GtkWidget *window, const char *where)
{
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  Look look = { window, where, faults, 0 };
  fixture_frames_of (window);
  if (!fixture_wait (is_complete, &look))
    for (guint i = 0; i < faults->len; i++)
      g_test_message ("%s", (const char *) faults->pdata[i]);
  g_assert_cmpuint (look.n_texts, >, 0);
  return faults->len;
}

static guint
check_pages (LoomWindow *window)
{
  guint n, n_cut = 0;
  const LoomPageIndex *pages = loom_page_index_get (&n);
  for (guint i = 0; i < n; i++) {
    if (!loom_run_state_has_page (loom_window_get_run_state (window), pages[i].name))
      continue;
    panels_turn (window, pages[i].name);
    GtkWidget *seen = loom_run_views_get_seen (loom_run_page_get_panels (loom_window_get_run_view (window)));
    if (LOOM_IS_ANALYSIS_PANEL (seen))
      panels_wait (LOOM_ANALYSIS_PANEL (seen));
    n_cut += count_cut (GTK_WIDGET (window), pages[i].name);
  }
  return n_cut;
}

static GtkWidget *
find_other (GtkWidget *window)
{
  GListModel *all = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWidget) other = g_list_model_get_item (all, i);
    if (other != window && gtk_widget_get_mapped (other))
      return other; /* borrowed: GTK owns windows */
  }
  return NULL;
}

static gboolean
has_other (gpointer window)
{
  return find_other (window) != NULL;
}

static gboolean
has_no_other (gpointer window)
{
  return find_other (window) == NULL;
}

static void
make_narrow (GtkWindow *dialog)
{
  int width, height;
  gtk_window_get_default_size (dialog, &width, &height);
  if (width > NARROW_PX)
    gtk_window_set_default_size (dialog, NARROW_PX, height);
}

static guint
check_dialogs (LoomWindow *window)
{
  static const char *const actions[] = { "app.preferences",
                                         "win.problems",
                                         "win.command-palette",
                                         "win.export",
                                         "win.open-location",
                                         "win.edit-rules",
                                         "win.edit-config",
                                         "app.help",
                                         "win.color-legend",
                                         "win.source-pattern",
                                         "win.profile-range((int64 0, int64 0))" };
  guint n_cut = 0;
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++) {
    g_autofree char *name = NULL;
    g_autoptr (GVariant) target = NULL;
    g_assert_true (g_action_parse_detailed_name (actions[i], &name, &target, NULL));
    g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (window), name, target));
    if (!fixture_wait (has_other, window))
      g_error ("%s opens no window", actions[i]);
    GtkWidget *dialog = find_other (GTK_WIDGET (window));
    make_narrow (GTK_WINDOW (dialog));
    fixture_frames_of (dialog);
    n_cut += count_cut (dialog, actions[i]);
    gtk_window_destroy (GTK_WINDOW (dialog));
    g_assert_true (fixture_wait (has_no_other, window));
  }
  return n_cut;
}

static gboolean
has_found (gpointer search)
{
  const LoomSearchResult *result = loom_search_state_get_result (search);
  return result != NULL && result->n_found > 0;
}

/* Returns on how many pages the window needs more than its width while a range is selected: there, the choice of the
 * range has a button that goes back. */
static guint
check_range (LoomWindow *window)
{
  static const char *const pages[] = { "events", "samples", "steps" };
  LoomTimelineState *state = fixture_state (window);
  guint n_wide = 0;
  loom_timeline_state_make_range (state, loom_timeline_state_get_extent (state));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++) {
    int least;
    panels_turn (window, pages[i]);
    fixture_frames (window);
    gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
    if (least > NARROW_PX)
      g_test_message ("%s with a range: needs %d px", pages[i], least);
    n_wide += least > NARROW_PX;
  }
  loom_timeline_state_select_nothing (state);
  return n_wide;
}

/* Searches for a letter, which finds so many spans that their number is long. */
static guint
check_search (LoomWindow *window)
{
  LoomSearchState *search = loom_run_state_get_search (loom_window_get_run_state (window));
  panels_turn (window, "found");
  loom_search_state_set_open (search, TRUE);
  GtkWidget *bar = GTK_WIDGET (
    gtk_widget_get_template_child (GTK_WIDGET (loom_window_get_run_view (window)), LOOM_TYPE_RUN_PAGE, "search"));
  gtk_editable_set_text (GTK_EDITABLE (gtk_widget_get_template_child (bar, LOOM_TYPE_SEARCH_BAR, "entry")), "e");
  g_assert_true (fixture_wait (has_found, search));
  guint n_cut = count_cut (GTK_WIDGET (window), "search");
  loom_search_state_set_open (search, FALSE);
  return n_cut;
}

/* Returns 1 if the shortcuts window is larger than a small screen, else 0. */
static guint
check_shortcuts (LoomWindow *window)
{
  int width, height;
  g_action_group_activate_action (G_ACTION_GROUP (window), "show-help-overlay", NULL);
  g_assert_true (fixture_wait (has_other, window));
  GtkWidget *help = find_other (GTK_WIDGET (window));
  gtk_widget_measure (help, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_measure (help, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  if (width > SCREEN_WIDTH_PX || height > SCREEN_HEIGHT_PX)
    g_test_message ("the shortcuts window needs %d × %d px", width, height);
  gtk_window_close (GTK_WINDOW (help));
  g_assert_true (fixture_wait (has_no_other, window));
  return width > SCREEN_WIDTH_PX || height > SCREEN_HEIGHT_PX;
}

/* Returns TRUE if no revealer below the widget is being opened or closed. While the notice of loading closes, its texts
 * are clipped. */
static gboolean
has_no_transition (gpointer data)
{
  if (GTK_IS_REVEALER (data) &&
      gtk_revealer_get_reveal_child (GTK_REVEALER (data)) != gtk_revealer_get_child_revealed (GTK_REVEALER (data)))
    return FALSE;
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (data)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!has_no_transition (child))
      return FALSE;
  return TRUE;
}

static void
test_language (gconstpointer language)
{
  speak (language);
  LoomWindow *window = fixture_window ();
  fixture_resize (window, NARROW_PX, HEIGHT_PX);
  guint n_cut = count_cut (GTK_WIDGET (window), "nothing is open");
  fixture_open (window, fixture_sample ());
  fixture_wait_facts (window);
  g_assert_true (fixture_wait (has_no_transition, window));
  n_cut += check_pages (window) + check_dialogs (window) + check_range (window) + check_search (window) +
           check_shortcuts (window);
  fixture_close (window);
  g_assert_cmpuint (n_cut, ==, 0);
}

int
main (int argc, char **argv)
{
  static const char *const languages[] = { "en", "de", "es", "fr", "ja", "zh_CN" };
  fixture_init (&argc, &argv);
  loom_locale_bind ("");
  textdomain (GETTEXT_PACKAGE);
  for (guint i = 0; i < G_N_ELEMENTS (languages); i++) {
    g_autofree char *name = g_strconcat ("/app/narrow/", languages[i], NULL);
    g_test_add_data_func (name, languages[i], test_language);
  }
  return fixture_run ();
}
