/* SPDX-License-Identifier: Apache-2.0
 *
 * The dialog in which the user types a location to open. For a remote location, the first click on the button lists the
 * files, and the second click opens the location. If the user changes an entry after the first click, the files are
 * listed again. Local paths are opened at the first click.
 */
#include "loom-location-dialog.h"

#include "loom-bounded-text.h"
#include "loom-dialog-size.h"
#include "loom-ellipsize.h"
#include "loom-help-key.h"
#include "loom-recent-runs.h"
#include "loom-remote-folder.h"
#include "loom-window-measure-workaround.h"
#include "loom-worker.h"

#include <glib/gi18n.h>

#define MAX_RECENT 5
#define MOST_LOOKED_AT 40 /* maximum number of recent runs that are examined */

struct _LoomLocationDialog {
  AdwWindow parent;
  GtkButton *go;
  AdwEntryRow *location, *suffix, *first_hour, *last_hour;
  GtkLabel *status;
  GtkSpinner *spinner;
  GtkWidget *parts; /* widgets to choose which parts of a remote location are downloaded */
  AdwPreferencesGroup *recent;
  GCancellable *cancellable; /* cancels reading the list of files at a location; NULL if no list is being read */
  /* the location whose listing is shown; NULL if no listing is shown, or the user has changed an entry after the
   * listing */
  char *listed;
};

G_DEFINE_FINAL_TYPE (LoomLocationDialog, loom_location_dialog, ADW_TYPE_WINDOW)

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static const char *
text_of (AdwEntryRow *row)
{
  return gtk_editable_get_text (GTK_EDITABLE (row));
}

/* Returns the local path that the user typed: an absolute path, a path that begins with "~", or the path of a
 * file:// URI. Returns NULL if the text is not a local path. Owned by the caller. */
static char *
dup_local (LoomLocationDialog *self)
{
  g_autofree char *bare = g_strstrip (g_strdup (text_of (self->location)));
  if (g_str_has_prefix (bare, "file://"))
    return g_filename_from_uri (bare, NULL, NULL);
  if (bare[0] == '~' && (bare[1] == '/' || bare[1] == '\0'))
    return g_build_filename (g_get_home_dir (), bare + 1, NULL);
  return g_path_is_absolute (bare) ? g_steal_pointer (&bare) : NULL;
}

/* Returns the location to open: the typed location, limited to files with the typed suffix and from the typed hours, if
 * the user has typed a suffix or hours. Owned by the caller. */
static char *
dup_location (LoomLocationDialog *self)
{
  const char *first = text_of (self->first_hour), *last = text_of (self->last_hour);
  gboolean hours = first[0] != '\0' || last[0] != '\0';
  g_autofree char *bare = g_strstrip (g_strdup (text_of (self->location)));
  return loom_remote_location_dup_text (bare, text_of (self->suffix),
                                        hours ? (first[0] != '\0' ? first : "0000000000") : NULL,
                                        hours ? (last[0] != '\0' ? last : "9999999999") : NULL);
}

static void
show_state (LoomLocationDialog *self, const char *text, gboolean is_error)
{
  loom_bounded_text_set_label (self->status, text);
  gtk_widget_set_visible (GTK_WIDGET (self->status), text[0] != '\0');
  if (is_error)
    gtk_widget_add_css_class (GTK_WIDGET (self->status), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->status), "error");
  g_autofree char *local = dup_local (self);
  gboolean busy = self->cancellable != NULL;
  gtk_spinner_set_spinning (self->spinner, busy);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), busy);
  gtk_widget_set_sensitive (GTK_WIDGET (self->go),
                            !busy && (local != NULL || loom_remote_location_is_remote (text_of (self->location))));
  gtk_widget_set_sensitive (self->parts, local == NULL);
  gtk_button_set_label (self->go, self->listed != NULL || local != NULL ? _ ("_Open") : _ ("_List Files"));
}

static void
entry_changed (LoomLocationDialog *self)
{
  loom_worker_cancel (&self->cancellable);
  g_clear_pointer (&self->listed, g_free);
  show_state (self, "", FALSE);
}

/* --- listing ------------------------------------------------------------------------------------------------------ */

/* Returns a text about the files at the location: their number, their total size, and the size of those that would be
 * downloaded. Owned by the caller. */
static char *
describe (const LoomRemoteListing *listing)
{
  guint n = listing->files->len;
  guint64 n_missing = loom_remote_folder_count_missing (listing);
  if (n == 0)
    return g_strdup (listing->others->len > 0 ? _ ("No files match.") : _ ("No files found."));
  g_autofree char *size = g_format_size (listing->n_bytes), *missing = g_format_size (n_missing);
  g_autofree char *count = g_strdup_printf (ngettext ("%u file", "%u files", n), n);
  if (n_missing > 0)
    return g_strdup_printf (
      /* Translators: the files at a location: "12 files, 3.4 GB; 1.2 GB to download" */ _ ("%s, %s; %s to download"),
      count, size, missing);
  return g_strdup_printf (
    /* Translators: the files at a location: "12 files, 3.4 GB; already downloaded" */ _ ("%s, %s; already downloaded"),
    count, size);
}

static char *
list_in_thread (char *location, GCancellable *cancellable, GError **error)
{
  g_autoptr (LoomRemoteListing) listing = loom_remote_folder_list (location, cancellable, error);
  if (listing == NULL)
    return NULL;
  g_autofree char *words = describe (listing);
  if (listing->files->len > 0)
    return g_steal_pointer (&words);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, words);
  return NULL;
}

static void
on_listed (gpointer owner, gpointer result, const GError *error, gpointer location)
{
  LoomLocationDialog *self = owner;
  g_autofree char *found = result;
  if (found != NULL)
    self->listed = g_strdup (location);
  show_state (self, found != NULL ? found : error->message, found == NULL);
}

static void
list (LoomLocationDialog *self)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) list_in_thread, g_free, g_free };
  loom_worker_start (&self->cancellable, &kind, dup_location (self), on_listed, self);
  show_state (self, _ ("Listing…"), FALSE);
}

static void
choose (LoomLocationDialog *self, const char *location)
{
  g_signal_emit (self, signals[CHOSEN], 0, location);
  gtk_window_close (GTK_WINDOW (self));
}

/* --- locations on this machine ------------------------------------------------------------------------------------ */

static void
on_looked (GObject *file, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (LoomLocationDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (file), result, &error);
  /* reading was cancelled because the user changed an entry or closed the dialog */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  if (info == NULL)
    show_state (self, error->message, TRUE);
  else
    choose (self, g_file_peek_path (G_FILE (file)));
}

static void
look (LoomLocationDialog *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  self->cancellable = g_cancellable_new ();
  g_file_query_info_async (file, G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NONE, G_PRIORITY_DEFAULT,
                           self->cancellable, on_looked, g_object_ref (self));
  show_state (self, "", FALSE);
}

static void
go_clicked (LoomLocationDialog *self)
{
  g_autofree char *local = dup_local (self);
  if (!gtk_widget_get_sensitive (GTK_WIDGET (self->go)))
    return;
  if (local != NULL) {
    look (self, local);
    return;
  }
  if (self->listed == NULL) {
    list (self);
    return;
  }
  g_autofree char *location = g_steal_pointer (&self->listed);
  choose (self, location);
}

/* --- recent locations --------------------------------------------------------------------------------------------- */

static void
recent_activated (GtkWidget *row, LoomLocationDialog *self)
{
  g_autoptr (LoomRemoteLocation) location =
    loom_remote_location_new (g_object_get_data (G_OBJECT (row), "loom-location"), NULL);
  if (location == NULL)
    return;
  gtk_editable_set_text (GTK_EDITABLE (self->location), location->uri);
  gtk_editable_set_text (GTK_EDITABLE (self->suffix), location->suffix != NULL ? location->suffix : "");
  gtk_editable_set_text (GTK_EDITABLE (self->first_hour), location->first_hour != NULL ? location->first_hour : "");
  gtk_editable_set_text (GTK_EDITABLE (self->last_hour), location->last_hour != NULL ? location->last_hour : "");
  gtk_widget_grab_focus (GTK_WIDGET (self->go));
}

static void
add_recent (LoomLocationDialog *self)
{
  g_autoptr (GPtrArray) all = loom_recent_runs_list (MOST_LOOKED_AT);
  guint n_shown = 0;
  for (guint i = 0; i < all->len && n_shown < MAX_RECENT; i++) {
    const LoomRecentRuns *recent = g_ptr_array_index (all, i);
    if (!loom_remote_location_is_remote (recent->uri))
      continue;
    g_autofree char *escaped = loom_ellipsize_markup (recent->uri);
    GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "title", escaped, "title-lines", 1, "activatable", TRUE, NULL);
    g_object_set_data_full (G_OBJECT (row), "loom-location", g_strdup (recent->uri), g_free);
    g_signal_connect (row, "activated", G_CALLBACK (recent_activated), self);
    adw_preferences_group_add (self->recent, row);
    n_shown++;
  }
  gtk_widget_set_visible (GTK_WIDGET (self->recent), n_shown > 0);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomLocationDialog *self = LOOM_LOCATION_DIALOG (object);
  loom_worker_cancel (&self->cancellable);
  g_clear_pointer (&self->listed, g_free);
  G_OBJECT_CLASS (loom_location_dialog_parent_class)->dispose (object);
}

static void
loom_location_dialog_class_init (LoomLocationDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  loom_window_measure_workaround_install (widget_class);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  signals[CHOSEN] = g_signal_new ("chosen", LOOM_TYPE_LOCATION_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-location-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomLocationDialog, go);
  gtk_widget_class_bind_template_child (widget_class, LoomLocationDialog, location);
  gtk_widget_class_bind_template_child (widget_class, LoomLocationDialog, parts);
  gtk_widget_class_bind_template_child (widget_class, LoomLocationDialog, suffix);
  gtk_widget_class_bind_template_child (widget_class, LoomLocationDialog, first_hour);
  gtk_widget_class_bind_template_child (widget_class, LoomLocationDialog, last_hour);
  gtk_widget_class_bind_template_child (widget_class, LoomLocationDialog, status);
  gtk_widget_class_bind_template_child (widget_class, LoomLocationDialog, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomLocationDialog, recent);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
loom_location_dialog_init (LoomLocationDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  AdwEntryRow *rows[] = { self->location, self->suffix, self->first_hour, self->last_hour };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_signal_connect_swapped (rows[i], "changed", G_CALLBACK (entry_changed), self);
    g_signal_connect_swapped (rows[i], "entry-activated", G_CALLBACK (go_clicked), self);
  }
  g_signal_connect_swapped (self, "map", G_CALLBACK (gtk_widget_grab_focus), self->location);
  g_signal_connect_swapped (self->go, "clicked", G_CALLBACK (go_clicked), self);
  add_recent (self);
  show_state (self, "", FALSE);
}

LoomLocationDialog *
loom_location_dialog_new (GtkWindow *parent)
{
  LoomLocationDialog *self = g_object_new (LOOM_TYPE_LOCATION_DIALOG, "transient-for", parent, NULL);
  loom_dialog_size_set (GTK_WINDOW (self), 520, 560);
  loom_help_key_add (GTK_WINDOW (self));
  return self;
}
