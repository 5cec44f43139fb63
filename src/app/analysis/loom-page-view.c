/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-page-view.h"

#include "loom-bounded-text.h"
#include "loom-empty-page.h"
#include "loom-error.h"
#include "loom-file-dialogs.h"
#include "loom-flow-box-workaround.h"
#include "loom-idle-queue.h"
#include "loom-output-file.h"
#include "loom-page-links.h"
#include "loom-sentence.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#define MAX_COLUMNS 3
/* maximum number of small charts in one row of charts */
#define MAX_SMALL_COLUMNS 4
#define MAX_FIGURES 4 /* maximum number of the page's main figures (numbers with a title) in one row */
#define FIGURE_CHARS 22
#define FIGURE_GAP 12
#define SENTENCE_CHARS 120
#define COLUMN_PX 24
#define ROW_PX 18

struct _LoomPageView {
  GtkWidget parent;
  GtkWidget *scrolled;
  GtkWidget *clamp;
  GtkLabel *headline;
  GtkWidget *first; /* box with the main figures of the page (numbers with a title) and notes about them */
  /* a widget that the caller adds to the page with loom_page_view_set_inset(), borrowed from `clamp`; NULL if none was
   * added */
  GtkWidget *inset;
  GtkWidget *box;
  LoomRenderContext *scene;
  LoomPageContent *sheet;
  /* the widgets that have been made so far; the index of a widget is that of its block; borrowed from `box` */
  GPtrArray *widgets;
  /* the flow box to which the next narrow block will be added; NULL if a new flow box must be made for it */
  GtkWidget *flow;
  gboolean is_flow_small;
  gboolean offers_whole_run; /* see loom_page_view_set_offers_whole_run() */
  gboolean has_links;        /* see loom_page_view_set_has_links() */
  guint n_filled;            /* number of blocks whose widgets show the current content */
  LoomIdleQueue turns;
  /* id of the GLib source that calls look(), which highlights the elements that belong to the hovered place on the
   * timeline; 0 if no call is scheduled */
  guint look_id;
};

G_DEFINE_FINAL_TYPE (LoomPageView, loom_page_view, GTK_TYPE_WIDGET)

enum { PLACE_ACTIVATED, WHOLE_RUN_REQUESTED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- actions of the user ------------------------------------------------------------------------------------------ */

static void
activated (GtkWidget *widget, guint element, LoomPageView *self)
{
  guint block;
  LoomNavigationTarget place;
  if (g_ptr_array_find (self->widgets, widget, &block) && block < self->n_filled &&
      loom_page_content_get_place (self->sheet, block, element, &place))
    g_signal_emit (self, signals[PLACE_ACTIVATED], 0, block, element);
}

/* --- elements at the hovered place -------------------------------------------------------------------------------- */

static LoomHoveredPlace *
hovered_of (LoomPageView *self)
{
  return loom_timeline_state_get_hovered_place (loom_render_context_get_state (self->scene));
}

/* Called when the pointer moves to another element of the widget; `element` is G_MAXUINT if the pointer is not over an
 * element. */
static void
element_hovered (GtkWidget *widget, guint element, LoomPageView *self)
{
  guint block;
  LoomNavigationTarget place;
  gboolean any = element != G_MAXUINT && g_ptr_array_find (self->widgets, widget, &block) && block < self->n_filled &&
                 loom_page_content_get_place (self->sheet, block, element, &place);
  if (any)
    loom_hovered_place_set (hovered_of (self), &place, widget);
  else
    loom_hovered_place_clear (hovered_of (self), widget);
}

static void
highlight (LoomPageView *self, guint block, LoomTimeline *timeline)
{
  GtkWidget *widget = self->widgets->pdata[block];
  const LoomNavigationTarget *place = loom_hovered_place_get_target (hovered_of (self), widget);
  guint element = place != NULL ? loom_hovered_place_find_element (place, timeline, self->sheet, block) : G_MAXUINT;
  if (LOOM_IS_CHART_VIEW (widget))
    loom_chart_view_set_highlighted (LOOM_CHART_VIEW (widget), element);
  else if (LOOM_IS_TABLE_VIEW (widget))
    loom_table_view_set_highlighted (LOOM_TABLE_VIEW (widget), element);
}

static gboolean
look (gpointer user_data)
{
  LoomPageView *self = user_data;
  LoomTimeline *timeline = loom_timeline_state_get_timeline (loom_render_context_get_state (self->scene));
  self->look_id = 0;
  for (guint i = 0; timeline != NULL && self->sheet != NULL && i < self->n_filled; i++)
    highlight (self, i, timeline);
  return G_SOURCE_REMOVE;
}

/* Schedules look() to run once before the next frame of the display, because the pointer can move several times per
 * frame. */
static void
look_later (LoomPageView *self)
{
  if (self->look_id == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->look_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, look, self, NULL);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void
say_failed (GtkWidget *widget, const GError *error)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (widget));
  GtkWidget *dialog = gtk_message_dialog_new (GTK_WINDOW (window), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                              GTK_MESSAGE_ERROR, GTK_BUTTONS_CLOSE, "%s", error->message);
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s",
                                            _ ("Nothing was written. Choose another location and save again."));
  g_signal_connect (dialog, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
chart_place_chosen (const char *path, const char *choice, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  if (!loom_chart_view_save (user_data, path, &error))
    say_failed (user_data, error);
}

static void
table_place_chosen (const char *path, const char *choice, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  char *text = loom_table_view_dup_csv (user_data);
  g_autoptr (GBytes) bytes = g_bytes_new_take (text, strlen (text));
  if (!loom_output_file_write (path, bytes, &error))
    say_failed (user_data, error);
}

static void
choose_place (GtkWidget *widget, const char *title, const char *name, const LoomSaveFormat *formats, guint n_formats,
              LoomSavePlace chosen)
{
  g_autofree char *stem = g_strdelimit (g_strdup (name), "/\\:", '-');
  const LoomSaveQuestion question = { .title = title, .stem = stem, .formats = formats, .n_formats = n_formats };
  loom_file_dialogs_save_as (GTK_WINDOW (gtk_widget_get_root (widget)), &question, chosen, widget);
}

void
loom_page_view_save_chart (LoomChartView *chart)
{
  static const LoomSaveFormat formats[] = { { N_ ("PNG Image"), ".png" },
                                            { N_ ("SVG Image"), ".svg" },
                                            { N_ ("PDF document"), ".pdf" } };
  choose_place (GTK_WIDGET (chart), _ ("Save Image"), loom_chart_view_get_chart (chart)->title, formats,
                G_N_ELEMENTS (formats), chart_place_chosen);
}

void
loom_page_view_save_table (LoomTableView *table)
{
  static const LoomSaveFormat formats[] = { { N_ ("Table (CSV)"), ".csv" } };
  choose_place (GTK_WIDGET (table), _ ("Export as CSV"), loom_table_view_get_table (table)->title, formats,
                G_N_ELEMENTS (formats), table_place_chosen);
}

/* --- widgets ------------------------------------------------------------------------------------------------------ */

static GtkWidget *
new_label (const char *text, const char *css_class)
{
  g_autofree char *bound = loom_sentence_dup_bound (text);
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  loom_bounded_text_set_label (GTK_LABEL (label), bound);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/* Makes a label with a maximum width, because long lines in a wide window are hard to read. */
static GtkWidget *
new_sentence (const char *text, const char *css_class)
{
  GtkWidget *label = new_label (text, css_class);
  gtk_label_set_max_width_chars (GTK_LABEL (label), SENTENCE_CHARS);
  gtk_widget_set_halign (label, GTK_ALIGN_START);
  return label;
}

/* Returns `value`, which is a number with its unit, as a text that is always laid out from left to right. In a language
 * that is written from right to left, the unit would otherwise precede the number ("% 99.3"). */
static char *
dup_isolated (const char *value)
{
  gboolean rtl = gtk_widget_get_default_direction () == GTK_TEXT_DIR_RTL;
  return rtl ? g_strdup_printf ("\u2066%s\u2069", value) : g_strdup (value);
}

static void
fill_facts (GtkWidget *grid, const LoomBlock *block)
{
  for (GtkWidget *child; (child = gtk_widget_get_first_child (grid)) != NULL;)
    gtk_grid_remove (GTK_GRID (grid), child);
  if (block->text[0] != '\0')
    gtk_grid_attach (GTK_GRID (grid), new_label (block->text, "strong"), 0, 0, 2, 1);
  for (guint i = 0; i < block->facts->len; i++) {
    const LoomKeyValue *fact = &g_array_index (block->facts, LoomKeyValue, i);
    g_autofree char *text = dup_isolated (fact->value);
    GtkWidget *value = new_label (text, "numeric");
    gtk_label_set_selectable (GTK_LABEL (value), FALSE);
    gtk_widget_set_hexpand (value, TRUE);
    gtk_grid_attach (GTK_GRID (grid), new_label (fact->name, "dim-label"), 0, (int) i + 1, 1, 1);
    gtk_grid_attach (GTK_GRID (grid), value, 1, (int) i + 1, 1, 1);
  }
}

static GtkWidget *
new_figure (const LoomKeyValue *fact)
{
  g_autofree char *value = dup_isolated (fact->value);
  GtkWidget *tile = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  gtk_widget_add_css_class (tile, "card");
  gtk_widget_add_css_class (tile, "figure");
  gtk_box_append (GTK_BOX (tile), new_label (value, "title-2"));
  gtk_box_append (GTK_BOX (tile), new_label (fact->name, "heading"));
  GtkWidget *note = new_label (fact->note, "figure-note");
  gtk_label_set_max_width_chars (GTK_LABEL (note), FIGURE_CHARS);
  gtk_box_append (GTK_BOX (tile), note);
  return tile;
}

/* Adds an empty row for tiles of equal width; such a row never wraps. */
static GtkWidget *
add_group (GtkWidget *box)
{
  GtkWidget *group = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, FIGURE_GAP), *child = gtk_flow_box_child_new ();
  gtk_box_set_homogeneous (GTK_BOX (group), TRUE);
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), group);
  gtk_widget_set_focusable (child, FALSE);
  gtk_flow_box_append (GTK_FLOW_BOX (box), child);
  return group;
}

/* Shows figures (numbers with a title) as tiles, whose width does not depend on the length of their notes. If there are
 * three or five figures, they are laid out in groups of three; otherwise in groups of two. A group never wraps, so four
 * tiles become two rows of two instead of a row of three and a row of one. */
static void
fill_figures (GtkWidget *box, const LoomBlock *block)
{
  GtkWidget *group = NULL;
  guint n_together = block->facts->len == 3 || block->facts->len == 5 ? 3 : 2;
  for (GtkWidget *child; (child = gtk_widget_get_first_child (box)) != NULL;)
    gtk_flow_box_remove (GTK_FLOW_BOX (box), child);
  for (guint i = 0; i < block->facts->len; i++) {
    if (i % n_together == 0)
      group = add_group (box);
    gtk_box_append (GTK_BOX (group), new_figure (&g_array_index (block->facts, LoomKeyValue, i)));
  }
}

static GtkWidget *
new_figures (const LoomBlock *block)
{
  GtkWidget *box = gtk_flow_box_new ();
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (box), GTK_SELECTION_NONE);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (box), TRUE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (box), MAX_FIGURES / 2);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (box), FIGURE_GAP);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (box), FIGURE_GAP);
  gtk_accessible_update_property (GTK_ACCESSIBLE (box), GTK_ACCESSIBLE_PROPERTY_LABEL, block->text, -1);
  fill_figures (box, block);
  return box;
}

static GtkWidget *
new_facts (const LoomBlock *block)
{
  GtkWidget *grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_widget_set_valign (grid, GTK_ALIGN_START);
  fill_facts (grid, block);
  return grid;
}

static GtkWidget *
new_chart (LoomPageView *self, const LoomBlock *block)
{
  GtkWidget *chart = loom_chart_view_new (self->scene);
  loom_chart_view_set_chart (LOOM_CHART_VIEW (chart), block->chart);
  gtk_widget_set_hexpand (chart, TRUE);
  /* let a chart with a logarithmic axis grow, because its dots have labels, which need height */
  gtk_widget_set_vexpand (chart, block->chart->kind == LOOM_CHART_LINES && block->chart->lines.logarithmic);
  g_signal_connect (chart, "element-activated", G_CALLBACK (activated), self);
  g_signal_connect (chart, "element-hovered", G_CALLBACK (element_hovered), self);
  g_signal_connect (chart, "save-requested", G_CALLBACK (loom_page_view_save_chart), NULL);
  return chart;
}

static GtkWidget *
new_table (LoomPageView *self, const LoomBlock *block)
{
  GtkWidget *table = loom_table_view_new ();
  loom_table_view_set_table (LOOM_TABLE_VIEW (table), block->table);
  g_signal_connect (table, "row-activated", G_CALLBACK (activated), self);
  g_signal_connect (table, "row-hovered", G_CALLBACK (element_hovered), self);
  g_signal_connect (table, "save-requested", G_CALLBACK (loom_page_view_save_table), NULL);
  return table;
}

static void
whole_run_clicked (LoomPageView *self)
{
  g_signal_emit (self, signals[WHOLE_RUN_REQUESTED], 0);
}

/* Makes the widget of a text block that says which data are missing or how to record them. `is_alone`: the page has
 * no results. */
static GtkWidget *
new_missing (LoomPageView *self, const LoomBlock *block, gboolean is_alone)
{
  gboolean is_first = self->widgets->len == 0;
  GtkWidget *button =
    is_first && self->offers_whole_run ? loom_empty_page_new_button (G_CALLBACK (whole_run_clicked), self) : NULL;
  if (!is_alone)
    return loom_empty_page_put_button (new_sentence (block->text, "missing"), button);
  return is_first ? loom_empty_page_new (block->text, button) : loom_empty_page_new_note (block->text);
}

static void
fill_note (LoomPageView *self, GtkWidget *label, const LoomBlock *block)
{
  g_autofree char *bound = loom_sentence_dup_bound (block->text);
  if (self->has_links)
    loom_page_links_set_label (GTK_LABEL (label), bound);
  else
    loom_bounded_text_set_label (GTK_LABEL (label), bound);
  loom_bounded_text_set_tip (label, block->tooltip);
}

static GtkWidget *
new_note (LoomPageView *self, const LoomBlock *block)
{
  GtkWidget *label = new_sentence ("", block->large ? "answer" : NULL);
  fill_note (self, label, block);
  return label;
}

static GtkWidget *
new_widget (LoomPageView *self, const LoomBlock *block)
{
  if (self->inset == NULL && loom_empty_page_is (self->sheet))
    return new_missing (self, block, TRUE);
  switch (block->kind) {
  case LOOM_BLOCK_CHART: return new_chart (self, block);
  case LOOM_BLOCK_TABLE: return new_table (self, block);
  case LOOM_BLOCK_FACTS: return block->large ? new_figures (block) : new_facts (block);
  case LOOM_BLOCK_MISSING: return new_missing (self, block, FALSE);
  default: return new_note (self, block);
  }
}

/* Returns TRUE if the block is narrow enough to be placed beside another block. */
static gboolean
is_narrow (const LoomBlock *block)
{
  return (block->kind == LOOM_BLOCK_FACTS && !block->large) || (block->kind == LOOM_BLOCK_CHART && !block->wide);
}

static gboolean
is_small (const LoomBlock *block)
{
  return block->kind == LOOM_BLOCK_CHART && block->chart->small;
}

static GtkWidget *
add_flow (LoomPageView *self, const LoomBlock *block)
{
  self->is_flow_small = is_small (block);
  GtkWidget *flow =
    loom_flow_box_workaround_new (self->is_flow_small ? MAX_SMALL_COLUMNS : MAX_COLUMNS, COLUMN_PX, ROW_PX);
  gtk_box_append (GTK_BOX (self->box), flow);
  return flow;
}

static void
empty (GtkWidget *box)
{
  for (GtkWidget *child; (child = gtk_widget_get_first_child (box)) != NULL;)
    gtk_box_remove (GTK_BOX (box), child);
}

static void
clear (LoomPageView *self)
{
  self->flow = NULL;
  g_ptr_array_set_size (self->widgets, 0);
  empty (self->first);
  gtk_widget_set_visible (self->first, FALSE); /* an empty box would still take the spacing between two blocks */
  empty (self->box);
}

static gboolean
is_figures (const LoomBlock *block)
{
  return block->kind == LOOM_BLOCK_FACTS && block->large;
}

/* Adds the widget of the next block. If the caller has set an inset widget, main figures and notes at the top of the
 * page are placed above the inset widget (in the box `first`), and all other blocks below it (in `box`). */
static void
add_widget (LoomPageView *self, const LoomBlock *block)
{
  GtkWidget *widget = new_widget (self, block);
  g_ptr_array_add (self->widgets, widget);
  if (self->inset != NULL && gtk_widget_get_first_child (self->box) == NULL &&
      (is_figures (block) || block->kind == LOOM_BLOCK_NOTE)) {
    gtk_box_append (GTK_BOX (self->first), widget);
    gtk_widget_set_visible (self->first, TRUE);
    return;
  }
  if (!is_narrow (block)) {
    gtk_box_append (GTK_BOX (self->box), widget);
    self->flow = NULL;
    return;
  }
  if (self->flow == NULL || self->is_flow_small != is_small (block))
    self->flow = add_flow (self, block);
  loom_flow_box_workaround_append (LOOM_FLOW_BOX_WORKAROUND (self->flow), widget);
}

/* --- new content with the same kinds of blocks -------------------------------------------------------------------- */

static gboolean
has_same_shape (LoomPageContent *a, LoomPageContent *b)
{
  if (a == NULL || b == NULL || a->blocks->len != b->blocks->len)
    return FALSE;
  for (guint i = 0; i < a->blocks->len; i++) {
    const LoomBlock *x = loom_page_content_get_block (a, i), *y = loom_page_content_get_block (b, i);
    if (x->kind != y->kind || x->wide != y->wide || x->large != y->large)
      return FALSE;
  }
  return TRUE;
}

static void
refill (LoomPageView *self, GtkWidget *widget, const LoomBlock *block)
{
  if (block->kind == LOOM_BLOCK_CHART)
    loom_chart_view_set_chart (LOOM_CHART_VIEW (widget), block->chart);
  else if (block->kind == LOOM_BLOCK_TABLE)
    loom_table_view_set_table (LOOM_TABLE_VIEW (widget), block->table);
  else if (block->kind == LOOM_BLOCK_FACTS && block->large)
    fill_figures (widget, block);
  else if (block->kind == LOOM_BLOCK_FACTS)
    fill_facts (widget, block);
  else if (loom_empty_page_is_title (widget))
    loom_empty_page_set_title (widget, block->text);
  else
    fill_note (self, widget, block);
}

/* Makes or updates the widget of the next block of the content. Returns FALSE if all blocks are done. */
static gboolean
advance (gpointer user_data)
{
  LoomPageView *self = user_data;
  if (self->sheet == NULL || self->n_filled == self->sheet->blocks->len)
    return FALSE;
  const LoomBlock *block = loom_page_content_get_block (self->sheet, self->n_filled);
  if (self->n_filled < self->widgets->len)
    refill (self, self->widgets->pdata[self->n_filled], block);
  else
    add_widget (self, block);
  self->n_filled++;
  return TRUE;
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomPageView *self = LOOM_PAGE_VIEW (object);
  loom_idle_queue_stop (&self->turns);
  g_clear_handle_id (&self->look_id, g_source_remove);
  if (self->widgets != NULL)
    g_ptr_array_set_size (self->widgets, 0);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  g_clear_pointer (&self->sheet, loom_page_content_unref);
  g_clear_pointer (&self->widgets, g_ptr_array_unref);
  g_clear_object (&self->scene);
  G_OBJECT_CLASS (loom_page_view_parent_class)->dispose (object);
}

static void
loom_page_view_class_init (LoomPageViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-page-view.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomPageView, scrolled);
  gtk_widget_class_bind_template_child (widget_class, LoomPageView, clamp);
  gtk_widget_class_bind_template_child (widget_class, LoomPageView, headline);
  gtk_widget_class_bind_template_child (widget_class, LoomPageView, first);
  gtk_widget_class_bind_template_child (widget_class, LoomPageView, box);
  signals[PLACE_ACTIVATED] = g_signal_new ("place-activated", LOOM_TYPE_PAGE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                           NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  signals[WHOLE_RUN_REQUESTED] =
    g_signal_new ("whole-run-requested", LOOM_TYPE_PAGE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_page_view_init (LoomPageView *self)
{
  self->widgets = g_ptr_array_new ();
  loom_idle_queue_init (&self->turns, advance, self);
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
loom_page_view_new (LoomRenderContext *scene)
{
  LoomPageView *self = g_object_new (LOOM_TYPE_PAGE_VIEW, NULL);
  self->scene = g_object_ref (scene);
  g_signal_connect_object (hovered_of (self), "notify::target", G_CALLBACK (look_later), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

void
loom_page_view_set_grows (LoomPageView *self, gboolean grows)
{
  g_return_if_fail (LOOM_IS_PAGE_VIEW (self));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled), GTK_POLICY_NEVER,
                                  grows ? GTK_POLICY_NEVER : GTK_POLICY_AUTOMATIC);
}

void
loom_page_view_set_inset (LoomPageView *self, GtkWidget *inset)
{
  g_return_if_fail (LOOM_IS_PAGE_VIEW (self) && self->inset == NULL && self->widgets->len == 0);
  self->inset = inset;
  gtk_box_insert_child_after (GTK_BOX (gtk_widget_get_parent (self->first)), inset, self->first);
}

void
loom_page_view_set_headline (LoomPageView *self, const char *text)
{
  g_return_if_fail (LOOM_IS_PAGE_VIEW (self));
  g_autofree char *bound = loom_sentence_dup_bound (text != NULL ? text : "");
  loom_bounded_text_set_label (self->headline, bound);
  gtk_widget_set_visible (GTK_WIDGET (self->headline), text != NULL);
}

void
loom_page_view_set_has_links (LoomPageView *self, gboolean has_links)
{
  g_return_if_fail (LOOM_IS_PAGE_VIEW (self));
  self->has_links = has_links;
}

void
loom_page_view_set_offers_whole_run (LoomPageView *self, gboolean offers)
{
  if (self->offers_whole_run != offers)
    /* remove all widgets, so that they are made again: a widget that says which data are missing has a button if
     * `offers` is TRUE, and no button if `offers` is FALSE */
    loom_page_view_set_content (self, NULL);
  self->offers_whole_run = offers;
}

void
loom_page_view_set_content (LoomPageView *self, LoomPageContent *sheet)
{
  g_return_if_fail (LOOM_IS_PAGE_VIEW (self));
  gboolean same = !self->offers_whole_run && has_same_shape (self->sheet, sheet);
  /* the pointer may be over a widget whose content has just been replaced */
  for (guint i = 0; i < self->widgets->len; i++)
    loom_hovered_place_clear (hovered_of (self), self->widgets->pdata[i]);
  LoomPageContent *old = self->sheet;
  self->sheet = sheet != NULL ? loom_page_content_ref (sheet) : NULL;
  if (!same)
    clear (self);
  self->n_filled = 0;
  loom_idle_queue_begin (&self->turns);
  loom_page_content_unref (old);
}

LoomPageContent *
loom_page_view_get_content (LoomPageView *self)
{
  return self->sheet;
}

gboolean
loom_page_view_is_filling (LoomPageView *self)
{
  return loom_idle_queue_is_going (&self->turns);
}

GtkWidget *
loom_page_view_get_block (LoomPageView *self, guint block)
{
  return block < self->widgets->len ? self->widgets->pdata[block] : NULL;
}
