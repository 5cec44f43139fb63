/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rank-pattern-dialog.h"

#include "loom-archive-path.h"
#include "loom-bounded-text.h"
#include "loom-ellipsize.h"
#include "loom-form-dialog.h"
#include "loom-source-commands.h"

#include <glib/gi18n.h>

/* The maximum number of sources that the preview lists. If there are more, only their number is shown. */
#define MOST_SHOWN 100
#define MOST_LETTERS 56

typedef struct {
  GtkWindow *window;
  LoomDocument *document;
  AdwEntryRow *pattern;
  GtkLabel *status;
  GtkStringList *lines; /* lines of the preview */
  GtkButton *apply;
} PatternDialog;

static void
dialog_free (gpointer data)
{
  PatternDialog *dialog = data;
  g_object_unref (dialog->document);
  g_object_unref (dialog->lines);
  g_free (dialog);
}

static const char *
pattern_of (PatternDialog *dialog)
{
  return gtk_editable_get_text (GTK_EDITABLE (dialog->pattern));
}

/* Returns the rank and node of a source as text, such as "rank 3, node b". Owned by the caller. */
static char *
describe (const LoomSourcePlace *place)
{
  if (place->has_rank && place->has_node)
    return g_strdup_printf (
      /* Translators: the rank and the node in the path of a source, found with a regular expression */
      _ ("rank %d, node %s"), place->rank, place->node);
  return place->has_rank ? g_strdup_printf (_ ("rank %d"), place->rank) : g_strdup_printf (_ ("node %s"), place->node);
}

static char *
new_line (const GRegex *regex, const char *path, gboolean *matches)
{
  LoomSourcePlace place = { 0 };
  g_autofree char *shown = loom_archive_path_dup_shown (path), *tail = loom_ellipsize_head (shown, MOST_LETTERS);
  *matches = regex != NULL && loom_source_overrides_pattern_match (regex, path, &place);
  g_autofree char *what = *matches
                            ? describe (&place)
                            /* Translators: the regular expression does not change the rank and node of this source */
                            : g_strdup (_ ("unchanged"));
  loom_source_overrides_place_clear (&place);
  return g_strdup_printf ("%s → %s", tail, what);
}

/* Fills the preview. Returns the number of sources that the regular expression matches. */
static guint
show_lines (PatternDialog *dialog, const GRegex *regex)
{
  LoomRun *run = loom_document_get_run (dialog->document);
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  guint n = run != NULL ? loom_run_get_n_sources (run) : 0, n_matches = 0;
  for (guint i = 0; i < n; i++) {
    gboolean matches;
    g_autofree char *line = new_line (regex, loom_run_get_source (run, i)->path, &matches);
    n_matches += matches;
    if (i < MOST_SHOWN)
      g_strv_builder_add (lines, line);
  }
  g_auto (GStrv) texts = g_strv_builder_end (lines);
  gtk_string_list_splice (dialog->lines, 0, g_list_model_get_n_items (G_LIST_MODEL (dialog->lines)),
                          (const char *const *) texts);
  return n_matches;
}

static void
pattern_changed (PatternDialog *dialog)
{
  g_autoptr (GError) error = NULL;
  gboolean none = *pattern_of (dialog) == '\0';
  g_autoptr (GRegex) regex = none ? NULL : loom_source_overrides_pattern_new (pattern_of (dialog), &error);
  guint n = show_lines (dialog, regex);
  g_autofree char *found = g_strdup_printf (ngettext ("Matches %u source.", "Matches %u sources.", n), n);
  loom_bounded_text_set_label (dialog->status, error != NULL ? error->message
                                               : none ? _ ("Without a pattern, ranks and nodes come from the files.")
                                                      : found);
  loom_form_dialog_mark (dialog->pattern, error != NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (dialog->apply), error == NULL);
}

static void
apply_clicked (PatternDialog *dialog)
{
  loom_source_commands_set_pattern (dialog->document, pattern_of (dialog));
  gtk_window_close (dialog->window);
}

static void
setup_line (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  gtk_list_item_set_child (item, label);
}

static void
bind_line (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  loom_bounded_text_set_label (GTK_LABEL (gtk_list_item_get_child (item)),
                               gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

static GtkWidget *
new_preview (PatternDialog *dialog)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (setup_line), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_line), NULL);
  GtkNoSelection *model = gtk_no_selection_new (g_object_ref (G_LIST_MODEL (dialog->lines)));
  GtkWidget *list = gtk_list_view_new (GTK_SELECTION_MODEL (model), factory), *scrolled = gtk_scrolled_window_new ();
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Preview"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (scrolled, -1, 220);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_add_css_class (scrolled, "card");
  return scrolled;
}

static GtkWidget *
new_page (PatternDialog *dialog)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12), *group = adw_preferences_group_new ();
  /* Translators: (?<rank>…) and (?<node>…) are parts of a regular expression and must not be translated. */
  g_autofree char *about =
    g_markup_escape_text (_ ("Regular expression matched against each source’s path. The named groups (?<rank>…) and "
                             "(?<node>…) set its rank and node. Example: (?<node>node-\\d+)/rank(?<rank>\\d+)"),
                          -1);
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group), about);
  dialog->pattern =
    loom_form_dialog_add_entry (ADW_PREFERENCES_GROUP (group), _ ("Pattern"),
                                loom_source_overrides_get_pattern (loom_document_get_source_edits (dialog->document)));
  dialog->status = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (dialog->status, 0);
  gtk_label_set_wrap (dialog->status, TRUE);
  gtk_box_append (GTK_BOX (box), group);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (dialog->status));
  gtk_box_append (GTK_BOX (box), new_preview (dialog));
  gtk_widget_set_margin_start (box, 18);
  gtk_widget_set_margin_end (box, 18);
  gtk_widget_set_margin_top (box, 18);
  gtk_widget_set_margin_bottom (box, 18);
  return box;
}

GtkWindow *
loom_rank_pattern_dialog_present (GtkWindow *parent, LoomDocument *document)
{
  PatternDialog *dialog = g_new0 (PatternDialog, 1);
  dialog->document = g_object_ref (document);
  dialog->lines = gtk_string_list_new (NULL);
  dialog->window = loom_form_dialog_new (parent, _ ("Assign Ranks and Nodes by Pattern"), new_page (dialog),
                                         _ ("_Apply"), &dialog->apply);
  g_object_set_data_full (G_OBJECT (dialog->window), "loom-dialog", dialog, dialog_free);
  g_signal_connect_swapped (dialog->pattern, "changed", G_CALLBACK (pattern_changed), dialog);
  g_signal_connect_swapped (dialog->apply, "clicked", G_CALLBACK (apply_clicked), dialog);
  pattern_changed (dialog);
  gtk_window_present (dialog->window);
  gtk_widget_grab_focus (GTK_WIDGET (dialog->pattern));
  return dialog->window;
}
