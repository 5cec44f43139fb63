/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-help-page.h"

#include "loom-idle-queue.h"

#include <adwaita.h>

#define TEXT_WIDTH_PX 640
#define MARGIN_PX 24

typedef struct {
  GtkBox *box;
  char **lines;
  guint n_shown; /* number of elements of `lines` that have a widget */
  char *item;    /* title of the item to scroll to; NULL if the page is not about to scroll */
  LoomIdleQueue turns;
} Blocks;

/* Returns the Pango markup of a line. The target of a link is the name of a page. */
static char *
dup_markup (const char *line)
{
  static GRegex *strong, *typed, *link;
  if (strong == NULL) {
    strong = g_regex_new ("\\*\\*(.+?)\\*\\*", 0, 0, NULL);
    typed = g_regex_new ("`(.+?)`", 0, 0, NULL);
    link = g_regex_new ("\\[([^\\]]+)\\]\\(([\\w-]+)\\.md\\)", 0, 0, NULL);
  }
  g_autofree char *escaped = g_markup_escape_text (line, -1);
  g_autofree char *linked = g_regex_replace (link, escaped, -1, 0, "<a href=\"\\2\">\\1</a>", 0, NULL);
  g_autofree char *bold = g_regex_replace (strong, linked, -1, 0, "<b>\\1</b>", 0, NULL);
  return g_regex_replace (typed, bold, -1, 0, "<tt>\\1</tt>", 0, NULL);
}

static gboolean
follow_link (GtkLabel *label, const char *name)
{
  return gtk_widget_activate_action (GTK_WIDGET (label), "help.show-page", "s", name);
}

static GtkWidget *
new_text (const char *line, const char *style)
{
  g_autofree char *markup = dup_markup (line);
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  g_signal_connect (label, "activate-link", G_CALLBACK (follow_link), NULL);
  gtk_widget_set_hexpand (label, TRUE);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

/* Makes a list item. Uses a grid, because a GtkBox of GTK 4.8 may make the item wider than the window: the box asks its
 * children for their width at a given height. A label whose lines have different heights, for example because one line
 * contains code, then returns a width that is too large. */
static GtkWidget *
new_item (const char *line)
{
  GtkWidget *grid = gtk_grid_new (), *dot = gtk_label_new ("•");
  gtk_grid_set_column_spacing (GTK_GRID (grid), 9);
  gtk_widget_set_valign (dot, GTK_ALIGN_START);
  gtk_widget_set_margin_start (grid, 6);
  gtk_grid_attach (GTK_GRID (grid), dot, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), new_text (line, NULL), 1, 0, 1, 1);
  return grid;
}

static GtkWidget *
new_block (const char *line)
{
  if (g_str_has_prefix (line, "# "))
    return new_text (line + 2, "title-1");
  if (g_str_has_prefix (line, "## ")) {
    GtkWidget *heading = new_text (line + 3, "title-4");
    gtk_widget_set_margin_top (heading, 12);
    return heading;
  }
  return g_str_has_prefix (line, "- ") ? new_item (line + 2) : new_text (line, NULL);
}

static gboolean
add_block (gpointer user_data)
{
  Blocks *blocks = user_data;
  const char *line = blocks->lines[blocks->n_shown];
  if (line == NULL)
    return FALSE;
  if (line[0] != '\0')
    gtk_box_append (blocks->box, new_block (line));
  blocks->n_shown++;
  return TRUE;
}

static void
blocks_free (gpointer data)
{
  Blocks *blocks = data;
  loom_idle_queue_stop (&blocks->turns);
  g_strfreev (blocks->lines);
  g_free (blocks->item);
  g_free (blocks);
}

static void
begin (GtkBox *box, const char *text)
{
  Blocks *blocks = g_new0 (Blocks, 1);
  *blocks = (Blocks) { .box = box, .lines = g_strsplit (text, "\n", -1) };
  loom_idle_queue_init (&blocks->turns, add_block, blocks);
  g_object_set_data_full (G_OBJECT (box), "loom-blocks", blocks, blocks_free);
  loom_idle_queue_begin (&blocks->turns);
}

GtkWidget *
loom_help_page_new (const char *text)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *clamp = adw_clamp_new (),
            *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  g_object_set (box, "margin-top", MARGIN_PX, "margin-bottom", MARGIN_PX, "margin-start", 18, "margin-end", 18, NULL);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), TEXT_WIDTH_PX);
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), clamp);
  begin (GTK_BOX (box), text);
  return scrolled;
}

/* Returns the widget of the item that begins with `title`; NULL if there is none. All lines must have their widgets. */
static GtkWidget *
find_item (const Blocks *blocks, const char *title)
{
  g_autofree char *begin = g_strdup_printf ("- **%s**", title);
  GtkWidget *block = gtk_widget_get_first_child (GTK_WIDGET (blocks->box));
  for (guint i = 0; blocks->lines[i] != NULL; i++) {
    if (g_str_has_prefix (blocks->lines[i], begin))
      return block;
    if (blocks->lines[i][0] != '\0')
      block = gtk_widget_get_next_sibling (block);
  }
  return NULL;
}

static gboolean
is_shown (GtkWidget *box)
{
  GtkWidget *stack = gtk_widget_get_ancestor (box, GTK_TYPE_STACK);
  return stack != NULL && gtk_widget_is_ancestor (box, gtk_stack_get_visible_child (GTK_STACK (stack)));
}

/* Scrolls to the item after the layout of the page is complete. A page that is not shown any more has no layout. */
static gboolean
scroll (GtkWidget *box, GdkFrameClock *clock, gpointer user_data)
{
  Blocks *blocks = user_data;
  if (!is_shown (box)) {
    g_clear_pointer (&blocks->item, g_free);
    return G_SOURCE_REMOVE;
  }
  if (loom_idle_queue_is_going (&blocks->turns) || gtk_widget_get_height (gtk_widget_get_last_child (box)) == 0)
    return G_SOURCE_CONTINUE;
  GtkWidget *item = find_item (blocks, blocks->item),
            *scrolled = gtk_widget_get_ancestor (box, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  double y;
  if (item != NULL && gtk_widget_translate_coordinates (item, scrolled, 0, -MARGIN_PX, NULL, &y))
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + y);
  g_clear_pointer (&blocks->item, g_free);
  return G_SOURCE_REMOVE;
}

void
loom_help_page_show_item (GtkWidget *page, const char *title)
{
  GtkWidget *viewport = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (page)),
            *box = adw_clamp_get_child (ADW_CLAMP (gtk_viewport_get_child (GTK_VIEWPORT (viewport))));
  Blocks *blocks = g_object_get_data (G_OBJECT (box), "loom-blocks");
  gboolean scrolls = blocks->item != NULL;
  g_free (blocks->item);
  blocks->item = g_strdup (title);
  if (!scrolls)
    gtk_widget_add_tick_callback (box, scroll, blocks, NULL);
}
