/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-command-palette.h"

#include "loom-bounded-text.h"
#include "loom-commands.h"
#include "loom-dialog-size.h"
#include "loom-idle-queue.h"
#include "loom-page-index.h"
#include "loom-window-measure-workaround.h"

#include <glib/gi18n.h>
#include <string.h>

#define WIDTH_PX 560
#define HEIGHT_PX 420
#define SPACING_PX 12
#define MAX_RECENT 5
/* The fit of an entry says how well the entry matches the search text; lower is better. A number is added to the fit in
 * two cases: BY_QUESTION if the search text matches only the question (or the group) of a page, and not its title;
 * BY_COMMAND for a command if the search text matches only words of its title. BY_QUESTION is greater than any fit of a
 * page title. */
#define BY_QUESTION 1000
#define BY_COMMAND 2000

struct _LoomCommandPalette {
  AdwWindow parent;
  LoomTimelineView *timeline; /* borrowed: the palette is destroyed with its parent window */
  gboolean shows_run;
  LoomPageLacks *lacks; /* states which data the run lacks; owned; NULL if no run is open */
  GtkWidget *entry, *nothing;
  GtkListBox *list;
  GPtrArray *entries;  /* Entry *: all entries, in the order in which they are shown if the search text is empty */
  guint n_rows;        /* number of entries that already have a row in the list */
  LoomIdleQueue turns; /* makes the rows of the list, a few per iteration of the main loop */
};

typedef struct {
  /* `title`: the displayed title. `action`: the action to activate; NULL for a command of the timeline, which `key`
   * runs. */
  char *title, *action;
  /* only for pages: names[0] is the title of the page, names[1] its name in session files; static. For commands,
   * names[0] is NULL. */
  const char *names[2];
  char *words; /* only for pages: the group of the page and the question that the page answers; NULL for commands */
  const char *key;
  const char *obstacle; /* sentence that says why the command cannot be run now; NULL if the command can be run */
  /* a few words about the data that the run lacks for the page; NULL if the entry is not a page, or no data are
   * known to be missing. The page can be opened, and shows how to record the data. */
  const char *lack;
  guint place; /* index of this entry in LoomCommandPalette.entries */
} Entry;

G_DEFINE_FINAL_TYPE (LoomCommandPalette, loom_command_palette, ADW_TYPE_WINDOW)

/* Titles, in the user's language, of the commands that were run since the program was started; latest first. */
static GPtrArray *recent;

static const Entry *
entry_of (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "entry");
}

/* --- running ---------------------------------------------------------------------------------------------------- */

static void
activate_action (GtkWidget *widget, const char *detailed)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  if (g_action_parse_detailed_name (detailed, &name, &target, NULL))
    gtk_widget_activate_action_variant (widget, name, target);
}

static void
press_key (LoomTimelineView *timeline, const char *accelerator)
{
  guint key;
  GdkModifierType modifiers;
  gtk_accelerator_parse (accelerator, &key, &modifiers);
  gtk_widget_grab_focus (GTK_WIDGET (timeline));
  loom_timeline_view_press_key (timeline, key, modifiers);
}

static void
remember (const char *title)
{
  guint at;
  if (recent == NULL)
    recent = g_ptr_array_new_with_free_func (g_free);
  if (g_ptr_array_find_with_equal_func (recent, title, g_str_equal, &at))
    g_ptr_array_remove_index (recent, at);
  g_ptr_array_insert (recent, 0, g_strdup (title));
  if (recent->len > MAX_RECENT)
    g_ptr_array_remove_index (recent, MAX_RECENT);
}

static void
run (LoomCommandPalette *self, GtkListBoxRow *row)
{
  g_autofree char *action = g_strdup (entry_of (row)->action);
  const char *key = entry_of (row)->key;
  g_autoptr (LoomTimelineView) timeline = g_object_ref (self->timeline);
  remember (entry_of (row)->title);
  gtk_window_destroy (GTK_WINDOW (self));
  if (action != NULL)
    /* the command is an action of the timeline, the window or the program */
    activate_action (GTK_WIDGET (timeline), action);
  else
    press_key (timeline, key);
}

/* --- choosing --------------------------------------------------------------------------------------------------- */

static gboolean
is_possible (LoomCommandPalette *self, const LoomCommand *command)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  gboolean enabled = TRUE;
  if (command->action == NULL)
    return gtk_widget_get_mapped (GTK_WIDGET (self->timeline));
  GtkWindow *window = gtk_window_get_transient_for (GTK_WINDOW (self));
  const struct {
    const char *prefix;
    GActionGroup *group;
  } groups[] = { { "win.", G_ACTION_GROUP (window) },
                 { "app.", G_ACTION_GROUP (gtk_window_get_application (window)) },
                 { "counter.", loom_timeline_view_get_counter_actions (self->timeline) } };
  g_action_parse_detailed_name (command->action, &name, &target, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (g_str_has_prefix (name, groups[i].prefix))
      return g_action_group_query_action (groups[i].group, name + strlen (groups[i].prefix), &enabled, NULL, NULL, NULL,
                                          NULL) &&
             enabled;
  return TRUE;
}

/* Returns how well an entry matches the query; lower is better. Entries with a name that equals the query or begins
 * with it come first, then other pages, then other commands. Pages precede commands because a user who types "gpu"
 * usually looks for an answer about GPUs. */
static guint
fit_of (LoomCommandPalette *self, const Entry *entry)
{
  const char *query = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  if (*query == '\0')
    return 0;
  guint by_name = loom_command_fit_name (entry->title, query), by_words = loom_command_fit (entry->title, query);
  for (guint i = 0; i < G_N_ELEMENTS (entry->names) && entry->names[i] != NULL; i++)
    by_name = MIN (by_name, loom_command_fit_name (entry->names[i], query));
  if (by_name != LOOM_COMMAND_NO_FIT)
    return by_name;
  /* a fit by name is at most 1; because 2 is added here, every fit by words is worse */
  if (by_words != LOOM_COMMAND_NO_FIT)
    return by_words + 2 + (entry->words != NULL ? 0 : BY_COMMAND);
  guint by_question = entry->words != NULL ? loom_command_fit (entry->words, query) : LOOM_COMMAND_NO_FIT;
  return by_question != LOOM_COMMAND_NO_FIT ? by_question + BY_QUESTION : LOOM_COMMAND_NO_FIT;
}

static gboolean
is_wanted (GtkListBoxRow *row, gpointer user_data)
{
  return fit_of (user_data, entry_of (row)) != LOOM_COMMAND_NO_FIT;
}

static gboolean
asks_nothing (LoomCommandPalette *self)
{
  return *gtk_editable_get_text (GTK_EDITABLE (self->entry)) == '\0';
}

/* While the search text is empty, the recently used commands are listed first. Returns the position of the entry among
 * the recently used commands. Returns G_MAXUINT if it is not one of them, or if its command cannot be run now. */
static guint
rank_of (LoomCommandPalette *self, const Entry *entry)
{
  guint at;
  gboolean found = entry->obstacle == NULL && recent != NULL && asks_nothing (self) &&
                   g_ptr_array_find_with_equal_func (recent, entry->title, g_str_equal, &at);
  return found ? at : G_MAXUINT;
}

/* Sections of the list, in the order in which they are shown, with or without a search text. */
typedef enum { SECTION_USEFUL, SECTION_WITHOUT_DATA, SECTION_UNAVAILABLE } Section;

static Section
section_of (const Entry *entry)
{
  return entry->obstacle != NULL ? SECTION_UNAVAILABLE : entry->lack != NULL ? SECTION_WITHOUT_DATA : SECTION_USEFUL;
}

static int
compare (LoomCommandPalette *self, const Entry *a, const Entry *b)
{
  if (section_of (a) != section_of (b))
    return section_of (a) < section_of (b) ? -1 : 1;
  guint x = rank_of (self, a), y = rank_of (self, b);
  if (x == y) {
    x = fit_of (self, a);
    y = fit_of (self, b);
  }
  if (x != y)
    return x < y ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

static int
compare_rows (GtkListBoxRow *a, GtkListBoxRow *b, gpointer user_data)
{
  return compare (user_data, entry_of (a), entry_of (b));
}

static int
compare_entries (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return compare (user_data, *(const Entry *const *) a, *(const Entry *const *) b);
}

/* Returns the header above the row of `entry`; NULL if the row has no header. `before`: entry of the row above; may be
 * NULL. Usually, the first row of each section has a header. Exception: while no recently used commands are shown, the
 * section of usable entries (SECTION_USEFUL) has no header. */
static const char *
head_of (LoomCommandPalette *self, const Entry *entry, const Entry *before)
{
  gboolean is_recent = rank_of (self, entry) != G_MAXUINT,
           was_recent = before != NULL && rank_of (self, before) != G_MAXUINT;
  if (section_of (entry) != SECTION_USEFUL) {
    const char *title = entry->obstacle != NULL ? _ ("Unavailable") : _ ("Pages Without Data");
    return before == NULL || section_of (before) != section_of (entry) ? title : NULL;
  }
  if (is_recent)
    return before == NULL ? _ ("Recently Used") : NULL;
  return was_recent ? _ ("All Commands") : NULL;
}

static void
head_row (GtkListBoxRow *row, GtkListBoxRow *before, gpointer user_data)
{
  const char *text = head_of (user_data, entry_of (row), before != NULL ? entry_of (before) : NULL);
  GtkWidget *head = text != NULL ? loom_bounded_text_new_label (text) : NULL;
  if (head != NULL) {
    gtk_label_set_xalign (GTK_LABEL (head), 0);
    gtk_widget_add_css_class (head, "command-head");
  }
  gtk_list_box_row_set_header (row, head);
}

/* Returns the n-th visible row, counted from 0; NULL if there are fewer visible rows. */
static GtkListBoxRow *
shown_row (LoomCommandPalette *self, int n)
{
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (gtk_widget_get_child_visible (GTK_WIDGET (row)) && n-- == 0)
      return row;
  return NULL;
}

static void
query_changed (LoomCommandPalette *self)
{
  /* add all remaining rows now, because the best match may be the last one */
  loom_idle_queue_finish (&self->turns);
  /* `nothing` is the placeholder “no command matches”, which the list shows while no row is visible; it was hidden
   * while rows were being made */
  gtk_widget_set_visible (self->nothing, TRUE);
  gtk_list_box_invalidate_filter (self->list);
  gtk_list_box_invalidate_sort (self->list); /* sorts the rows and updates the headers */
  gtk_list_box_select_row (self->list, shown_row (self, 0));
}

static void
entry_activated (LoomCommandPalette *self)
{
  loom_idle_queue_finish (&self->turns);
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);
  if (row != NULL && gtk_widget_get_child_visible (GTK_WIDGET (row)) && entry_of (row)->obstacle == NULL)
    run (self, row);
  else
    gtk_widget_error_bell (GTK_WIDGET (self));
}

static void
move_selection (LoomCommandPalette *self, int step)
{
  GtkListBoxRow *row, *selected = gtk_list_box_get_selected_row (self->list);
  int at = 0;
  loom_idle_queue_finish (&self->turns);
  while ((row = shown_row (self, at)) != NULL && row != selected)
    at++;
  row = shown_row (self, MAX (at + step, 0));
  if (row == NULL)
    return;
  gtk_list_box_select_row (self->list, row);
  gtk_widget_grab_focus (GTK_WIDGET (row)); /* focusing the row also scrolls to it */
  gtk_widget_grab_focus (self->entry);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
}

static gboolean
key_pressed (LoomCommandPalette *self, guint keyval)
{
  switch (keyval) {
  case GDK_KEY_Up: move_selection (self, -1); return GDK_EVENT_STOP;
  case GDK_KEY_Down: move_selection (self, 1); return GDK_EVENT_STOP;
  case GDK_KEY_Escape: gtk_window_close (GTK_WINDOW (self)); return GDK_EVENT_STOP;
  default: return GDK_EVENT_PROPAGATE;
  }
}

/* --- building --------------------------------------------------------------------------------------------------- */

static void
entry_free (gpointer data)
{
  Entry *entry = data;
  g_free (entry->title);
  g_free (entry->action);
  g_free (entry->words);
  g_free (entry);
}

static GtkWidget *
new_label (const char *text, const char *css_class)
{
  GtkWidget *label = loom_bounded_text_new_label (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/* Returns the reason why the command cannot be run now, or the data that the page lacks; NULL if there is no reason
 * and no data are missing. */
static const char *
reason_of (const Entry *entry)
{
  return entry->obstacle != NULL ? entry->obstacle : entry->lack;
}

/* Makes a widget with the title of an entry. If the entry is dimmed, the reason is shown below the title. */
static GtkWidget *
new_title (const Entry *entry)
{
  if (reason_of (entry) == NULL)
    return new_label (entry->title, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *obstacle = new_label (reason_of (entry), "caption");
  gtk_widget_add_css_class (obstacle, "dim-label");
  gtk_label_set_ellipsize (GTK_LABEL (obstacle), PANGO_ELLIPSIZE_NONE);
  gtk_label_set_wrap (GTK_LABEL (obstacle), TRUE);
  gtk_box_append (GTK_BOX (box), new_label (entry->title, "dim-label"));
  gtk_box_append (GTK_BOX (box), obstacle);
  return box;
}

static void
show_entry (GtkListBoxRow *row, const Entry *entry)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING_PX);
  gtk_box_append (GTK_BOX (box), new_title (entry));
  if (entry->key != NULL)
    gtk_box_append (GTK_BOX (box), gtk_shortcut_label_new (entry->key));
  gtk_list_box_row_set_child (row, box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, entry->title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  reason_of (entry) != NULL ? reason_of (entry) : "", -1);
}

static GtkWidget *
new_row (Entry *entry)
{
  GtkWidget *row = gtk_list_box_row_new ();
  show_entry (GTK_LIST_BOX_ROW (row), entry);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), entry->obstacle == NULL);
  g_object_set_data (G_OBJECT (row), "entry", entry);
  gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_DISABLED, entry->obstacle != NULL, -1);
  return row;
}

/* Makes the widget of the next row. Returns FALSE if all rows are made. */
static gboolean
advance (gpointer palette)
{
  LoomCommandPalette *self = palette;
  if (self->n_rows == self->entries->len)
    return FALSE;
  gtk_list_box_append (self->list, new_row (self->entries->pdata[self->n_rows++]));
  if (gtk_list_box_get_selected_row (self->list) == NULL)
    gtk_list_box_select_row (self->list, shown_row (self, 0));
  return TRUE;
}

static Entry *
add (LoomCommandPalette *self, const char *title, const char *action)
{
  Entry *entry = g_new0 (Entry, 1);
  *entry = (Entry) { .title = g_strdup (title), .action = g_strdup (action), .place = self->entries->len };
  g_ptr_array_add (self->entries, entry);
  return entry;
}

/* Returns the reason why the command cannot be run, such as data that the run lacks; NULL if it can be run. The
 * palette also lists commands that cannot be run, so that users learn that they exist. */
static const char *
obstacle_of (LoomCommandPalette *self, const LoomCommand *command)
{
  if (is_possible (self, command))
    return NULL;
  if (command->needs != NULL)
    return _ (command->needs);
  return self->shows_run ? _ ("Unavailable while files are being read or saved") : _ ("Open a run first");
}

static void
add_commands (LoomCommandPalette *self)
{
  guint n;
  const LoomCommand *commands = loom_commands_get (&n);
  for (guint i = 0; i < n; i++) {
    Entry *entry = add (self, _ (commands[i].title), commands[i].action);
    entry->key = commands[i].accels[0] != NULL ? commands[i].accels[0] : commands[i].keys[0];
    entry->obstacle = obstacle_of (self, &commands[i]);
  }
}

/* Called when the program has found out which data the run lacks. Updates the rows of pages that lack data. If a row
 * already shows such a text, the text is not removed: a palette is open only for a short time, so its texts should not
 * change. */
static void
lacks_changed (LoomCommandPalette *self)
{
  GtkListBoxRow *row;
  gboolean was_first = gtk_list_box_get_selected_row (self->list) == shown_row (self, 0);
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = self->entries->pdata[i];
    entry->lack = entry->names[1] != NULL ? loom_page_lacks_get (self->lacks, entry->names[1]) : NULL;
  }
  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (entry_of (row)->lack != NULL)
      show_entry (row, entry_of (row));
  gtk_list_box_invalidate_sort (self->list); /* sorts the rows and updates the headers */
  if (was_first)
    gtk_list_box_select_row (self->list, shown_row (self, 0));
}

/* Adds an entry for each page that the run can show now. */
static void
add_pages (LoomCommandPalette *self, LoomRunState *run)
{
  guint n;
  const LoomPageIndex *pages = loom_page_index_get (&n);
  for (guint i = 0; i < n; i++) {
    g_autofree char *title = g_strdup_printf (_ ("Page: %s"), _ (pages[i].title));
    g_autofree char *action = g_strconcat ("win.show-page::", pages[i].name, NULL);
    if (!loom_run_state_has_page (run, pages[i].name))
      continue;
    Entry *entry = add (self, title, action);
    entry->names[0] = _ (pages[i].title);
    entry->names[1] = pages[i].name;
    entry->lack = loom_page_lacks_get (self->lacks, pages[i].name);
    entry->words = g_strjoin (" ", pages[i].group != NULL ? _ (pages[i].group) : "",
                              pages[i].question != NULL ? _ (pages[i].question) : "", NULL);
  }
}

/* Removes the header, sort and filter functions of the list, because they read the search entry. The list may be
 * destroyed after the search entry, and would call these functions while its rows are removed. */
static void
dispose (GObject *object)
{
  LoomCommandPalette *self = LOOM_COMMAND_PALETTE (object);
  GtkListBox *list = g_steal_pointer (&self->list);
  loom_idle_queue_stop (&self->turns);
  if (list != NULL) {
    gtk_list_box_set_header_func (list, NULL, NULL, NULL);
    gtk_list_box_set_sort_func (list, NULL, NULL, NULL);
    gtk_list_box_set_filter_func (list, NULL, NULL, NULL);
  }
  G_OBJECT_CLASS (loom_command_palette_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_ptr_array_unref (LOOM_COMMAND_PALETTE (object)->entries);
  g_clear_object (&LOOM_COMMAND_PALETTE (object)->lacks);
  G_OBJECT_CLASS (loom_command_palette_parent_class)->finalize (object);
}

static void
loom_command_palette_class_init (LoomCommandPaletteClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  loom_window_measure_workaround_install (widget_class);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-command-palette.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomCommandPalette, entry);
  gtk_widget_class_bind_template_child (widget_class, LoomCommandPalette, list);
  gtk_widget_class_bind_template_child (widget_class, LoomCommandPalette, nothing);
  gtk_widget_class_bind_template_callback (widget_class, entry_activated);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed);
  gtk_widget_class_bind_template_callback (widget_class, query_changed);
  gtk_widget_class_bind_template_callback (widget_class, run);
}

static void
loom_command_palette_init (LoomCommandPalette *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  loom_idle_queue_init (&self->turns, advance, self);
  gtk_list_box_set_filter_func (self->list, is_wanted, self, NULL);
  gtk_list_box_set_sort_func (self->list, compare_rows, self, NULL);
  gtk_list_box_set_header_func (self->list, head_row, self, NULL);
  loom_dialog_size_set (GTK_WINDOW (self), WIDTH_PX, HEIGHT_PX);
}

LoomCommandPalette *
loom_command_palette_new (GtkWindow *window, LoomTimelineView *timeline, LoomRunState *run)
{
  LoomCommandPalette *self = g_object_new (LOOM_TYPE_COMMAND_PALETTE, "transient-for", window, NULL);
  self->timeline = timeline;
  self->shows_run = run != NULL;
  add_commands (self);
  if (run != NULL) {
    self->lacks = g_object_ref (loom_run_state_get_lacks (run));
    g_signal_connect_object (self->lacks, "changed", G_CALLBACK (lacks_changed), self, G_CONNECT_SWAPPED);
    loom_page_lacks_ask (self->lacks);
    add_pages (self, run);
  }
  g_ptr_array_sort_with_data (self->entries, compare_entries, self);
  loom_idle_queue_begin (&self->turns);
  gtk_widget_grab_focus (self->entry);
  return self;
}

GtkEditable *
loom_command_palette_get_entry (LoomCommandPalette *self)
{
  return GTK_EDITABLE (self->entry);
}
