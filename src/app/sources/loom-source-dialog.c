/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-source-dialog.h"

#include "loom-archive-path.h"
#include "loom-ellipsize.h"
#include "loom-form-dialog.h"
#include "loom-source-commands.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  GtkWindow *window;
  LoomDocument *document;
  GStrv paths;
  AdwEntryRow *name; /* entry of the name; NULL if several sources are edited, because they cannot have one name */
  AdwEntryRow *rank, *node;
  GtkButton *apply;
  LoomSourceMembers changed; /* which members of the sources the user has changed; the other members are not saved */
} SourceDialog;

static void
dialog_free (gpointer data)
{
  SourceDialog *dialog = data;
  g_object_unref (dialog->document);
  g_strfreev (dialog->paths);
  g_free (dialog);
}

static const char *
text_of (AdwEntryRow *row)
{
  return gtk_editable_get_text (GTK_EDITABLE (row));
}

/* Sets `rank` to the rank that the user typed; −1 if the entry is empty. Returns FALSE if the text is not a rank. */
static gboolean
get_rank (SourceDialog *dialog, gint *rank)
{
  guint64 number;
  *rank = -1;
  if (*text_of (dialog->rank) == '\0')
    return TRUE;
  if (!g_ascii_string_to_unsigned (text_of (dialog->rank), 10, 0, G_MAXINT - 1, &number, NULL))
    return FALSE;
  *rank = (gint) number;
  return TRUE;
}

static void
rank_changed (SourceDialog *dialog)
{
  dialog->changed |= LOOM_SOURCE_RANK;
  gint rank;
  gboolean good = get_rank (dialog, &rank);
  loom_form_dialog_mark (dialog->rank, !good);
  gtk_widget_set_sensitive (GTK_WIDGET (dialog->apply), good);
}

static void
name_changed (SourceDialog *dialog)
{
  dialog->changed |= LOOM_SOURCE_NAME;
}

static void
node_changed (SourceDialog *dialog)
{
  dialog->changed |= LOOM_SOURCE_NODE;
}

static void
apply_clicked (SourceDialog *dialog)
{
  gint rank;
  if (!get_rank (dialog, &rank))
    return;
  loom_source_commands_describe (dialog->document, (const char *const *) dialog->paths, dialog->changed,
                                 dialog->name != NULL ? text_of (dialog->name) : NULL, rank, text_of (dialog->node));
  gtk_window_close (dialog->window);
}

/* Sets `rank` to a text with the rank of the edited sources, and `node` to a text with their node. If the ranks of the
 * sources differ, sets `rank` to ""; if their nodes differ, sets `node` to "". */
static void
find_common (SourceDialog *dialog, char **rank, char **node)
{
  const LoomSourceOverrides *edits = loom_document_get_source_edits (dialog->document);
  for (guint i = 0; dialog->paths[i] != NULL; i++) {
    const LoomSourceEdit *edit = loom_source_overrides_find (edits, dialog->paths[i]);
    g_autofree char *its_rank = edit != NULL && edit->has_rank ? g_strdup_printf ("%d", edit->rank) : g_strdup ("");
    const char *its_node = edit != NULL && edit->node != NULL ? edit->node : "";
    if (i == 0 || strcmp (*rank, its_rank) != 0) {
      g_free (*rank);
      *rank = g_strdup (i == 0 ? its_rank : "");
    }
    if (i == 0 || strcmp (*node, its_node) != 0) {
      g_free (*node);
      *node = g_strdup (i == 0 ? its_node : "");
    }
  }
}

static GtkWidget *
new_page (SourceDialog *dialog)
{
  const LoomSourceEdit *edit =
    loom_source_overrides_find (loom_document_get_source_edits (dialog->document), dialog->paths[0]);
  guint n = g_strv_length (dialog->paths);
  g_autofree char *shown = loom_archive_path_dup_shown (dialog->paths[0]), *escaped = loom_ellipsize_markup (shown);
  g_autofree char *several =
    g_strdup_printf (ngettext ("These settings apply to %u file. Empty fields use the values in the file.",
                               "These settings apply to %u files. Empty fields use the values in each file.", n),
                     n);
  g_autofree char *single = g_strdup_printf (
    /* Translators: %s is the path of a file */
    _ ("%s\nEmpty fields use the values in the file."), escaped);
  g_autofree char *rank = NULL, *node = NULL;
  GtkWidget *group = adw_preferences_group_new ();
  find_common (dialog, &rank, &node);
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group), n == 1 ? single : several);
  if (n == 1)
    dialog->name =
      loom_form_dialog_add_entry (ADW_PREFERENCES_GROUP (group), _ ("Name"), edit != NULL ? edit->name : NULL);
  dialog->rank = loom_form_dialog_add_entry (ADW_PREFERENCES_GROUP (group), _ ("Rank"), rank);
  dialog->node = loom_form_dialog_add_entry (ADW_PREFERENCES_GROUP (group), _ ("Node"), node);
  gtk_widget_set_margin_start (group, 18);
  gtk_widget_set_margin_end (group, 18);
  gtk_widget_set_margin_top (group, 18);
  gtk_widget_set_margin_bottom (group, 18);
  return group;
}

GtkWindow *
loom_source_dialog_present (GtkWindow *parent, LoomDocument *document, const char *const *paths)
{
  g_return_val_if_fail (paths != NULL && paths[0] != NULL, NULL);
  SourceDialog *dialog = g_new0 (SourceDialog, 1);
  dialog->document = g_object_ref (document);
  dialog->paths = g_strdupv ((GStrv) paths);
  dialog->window = loom_form_dialog_new (parent, _ ("Edit Source"), new_page (dialog), _ ("_Apply"), &dialog->apply);
  g_object_set_data_full (G_OBJECT (dialog->window), "loom-dialog", dialog, dialog_free);
  if (dialog->name != NULL)
    g_signal_connect_swapped (dialog->name, "changed", G_CALLBACK (name_changed), dialog);
  g_signal_connect_swapped (dialog->node, "changed", G_CALLBACK (node_changed), dialog);
  g_signal_connect_swapped (dialog->rank, "changed", G_CALLBACK (rank_changed), dialog);
  g_signal_connect_swapped (dialog->apply, "clicked", G_CALLBACK (apply_clicked), dialog);
  gtk_window_present (dialog->window);
  gtk_widget_grab_focus (GTK_WIDGET (dialog->name != NULL ? dialog->name : dialog->rank));
  return dialog->window;
}
