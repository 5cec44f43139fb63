/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-json-editor.h"

#include "loom-bounded-text.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>
#include <string.h>

#define PAUSE_MS 300  /* time in ms without typing after which the text is checked */
#define WRONG "wrong" /* category of the source mark on the line with the error */

struct _LoomJsonEditor {
  GtkBox parent;
  GtkTextView *view;
  GtkTextBuffer *buffer;
  GtkWidget *status; /* a button that moves the cursor to the error */
  GtkImage *icon;
  GtkLabel *message;
  GtkTextTag *place; /* tag that underlines the error; borrowed from the buffer */
  int wrong;         /* position of the error in the text, in characters; −1 if there is no error */
  guint pause;       /* id of the timeout source that will check the text; 0 if no check is scheduled */
  gboolean is_set;   /* TRUE while the program changes the text; no signal is emitted then */
};

G_DEFINE_FINAL_TYPE (LoomJsonEditor, loom_json_editor, GTK_TYPE_BOX)

enum { PROP_0, PROP_LANGUAGE };

enum { EDITED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- marking the wrong line --------------------------------------------------------------------------------------- */

static void
unmark (LoomJsonEditor *self)
{
  GtkTextIter begin, end;
  gtk_text_buffer_get_bounds (self->buffer, &begin, &end);
  gtk_source_buffer_remove_source_marks (GTK_SOURCE_BUFFER (self->buffer), &begin, &end, WRONG);
  gtk_text_buffer_remove_tag (self->buffer, self->place, &begin, &end);
  self->wrong = -1;
}

/* Marks the line that contains a position. */
static void
mark_line (LoomJsonEditor *self, const GtkTextIter *place)
{
  GtkTextIter begin = *place;
  unmark (self);
  self->wrong = gtk_text_iter_get_offset (place);
  gtk_text_iter_set_line_offset (&begin, 0);
  gtk_source_buffer_create_source_mark (GTK_SOURCE_BUFFER (self->buffer), NULL, WRONG, &begin);
}

/* Underlines the word at a position, or one character if there is no word. */
static void
underline (LoomJsonEditor *self, const GtkTextIter *place)
{
  GtkTextIter end = *place;
  if (!gtk_text_iter_inside_word (&end) || !gtk_text_iter_forward_word_end (&end))
    gtk_text_iter_forward_char (&end);
  gtk_text_buffer_apply_tag (self->buffer, self->place, place, &end);
}

static void
show_status (LoomJsonEditor *self, const char *icon, const char *message, const char *style)
{
  static const char *const styles[] = { "error", "dim-label" };
  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    gtk_widget_remove_css_class (self->status, styles[i]);
  gtk_widget_add_css_class (self->status, style);
  gtk_image_set_from_icon_name (self->icon, icon);
  loom_bounded_text_set_label (self->message, message);
  gtk_widget_set_visible (self->status, message[0] != '\0');
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->status), GTK_ACCESSIBLE_PROPERTY_LABEL, message, -1);
}

void
loom_json_editor_show_problem (LoomJsonEditor *self, guint line, const char *message)
{
  g_autofree char *text = line > 0 ? g_strdup_printf (_ ("Line %u: %s"), line, message) : g_strdup (message);
  GtkTextIter place;
  unmark (self);
  if (line > 0) {
    gtk_text_buffer_get_iter_at_line (self->buffer, &place, (int) line - 1);
    mark_line (self, &place);
  }
  show_status (self, "dialog-error-symbolic", text, "error");
}

void
loom_json_editor_show_problem_at (LoomJsonEditor *self, gint64 byte, const char *message)
{
  g_autofree char *text = loom_json_editor_dup_text (self);
  gboolean is_known = byte >= 0 && (gsize) byte <= strlen (text);
  GtkTextIter place;
  gtk_text_buffer_get_iter_at_offset (self->buffer, &place, is_known ? (int) g_utf8_strlen (text, (gssize) byte) : -1);
  loom_json_editor_show_problem (self, is_known ? (guint) gtk_text_iter_get_line (&place) + 1 : 0, message);
  if (is_known) {
    mark_line (self, &place);
    underline (self, &place);
  }
}

void
loom_json_editor_show_good (LoomJsonEditor *self, const char *message)
{
  unmark (self);
  show_status (self, "emblem-ok-symbolic", message, "dim-label");
}

static void
status_clicked (LoomJsonEditor *self)
{
  GtkTextIter at;
  if (self->wrong < 0)
    return;
  gtk_text_buffer_get_iter_at_offset (self->buffer, &at, self->wrong);
  gtk_text_buffer_place_cursor (self->buffer, &at);
  gtk_text_view_scroll_to_iter (self->view, &at, 0.1, FALSE, 0, 0);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

/* --- text and its changes ----------------------------------------------------------------------------------------- */

static gboolean
paused (gpointer editor)
{
  LoomJsonEditor *self = editor;
  self->pause = 0;
  g_signal_emit (self, signals[EDITED], 0);
  return G_SOURCE_REMOVE;
}

static void
changed (LoomJsonEditor *self)
{
  if (self->is_set)
    return;
  g_clear_handle_id (&self->pause, g_source_remove);
  self->pause = g_timeout_add (PAUSE_MS, paused, self);
}

void
loom_json_editor_set_text (LoomJsonEditor *self, const char *text)
{
  GtkTextIter begin;
  g_return_if_fail (LOOM_IS_JSON_EDITOR (self) && text != NULL);
  g_clear_handle_id (&self->pause, g_source_remove);
  self->is_set = TRUE;
  gtk_text_buffer_begin_irreversible_action (self->buffer);
  gtk_text_buffer_set_text (self->buffer, text, -1);
  gtk_text_buffer_end_irreversible_action (self->buffer);
  self->is_set = FALSE;
  gtk_text_buffer_get_start_iter (self->buffer, &begin);
  gtk_text_buffer_place_cursor (self->buffer, &begin);
  unmark (self);
}

/* The text is replaced within a user action, because gtk_text_buffer_set_text() cannot be undone. */
void
loom_json_editor_replace_text (LoomJsonEditor *self, const char *text)
{
  GtkTextIter begin, end;
  g_return_if_fail (LOOM_IS_JSON_EDITOR (self) && text != NULL);
  g_clear_handle_id (&self->pause, g_source_remove);
  self->is_set = TRUE;
  gtk_text_buffer_begin_user_action (self->buffer);
  gtk_text_buffer_get_bounds (self->buffer, &begin, &end);
  gtk_text_buffer_delete (self->buffer, &begin, &end);
  gtk_text_buffer_insert (self->buffer, &begin, text, -1);
  gtk_text_buffer_end_user_action (self->buffer);
  self->is_set = FALSE;
  gtk_text_buffer_get_start_iter (self->buffer, &begin);
  gtk_text_buffer_place_cursor (self->buffer, &begin);
  unmark (self);
}

char *
loom_json_editor_dup_text (LoomJsonEditor *self)
{
  GtkTextIter begin, end;
  gtk_text_buffer_get_bounds (self->buffer, &begin, &end);
  return gtk_text_buffer_get_text (self->buffer, &begin, &end, TRUE);
}

GtkTextView *
loom_json_editor_get_view (LoomJsonEditor *self)
{
  return self->view;
}

/* --- widget class ------------------------------------------------------------------------------------------------- */

static void
style_changed (LoomJsonEditor *self)
{
  const char *name = adw_style_manager_get_dark (adw_style_manager_get_default ()) ? "Adwaita-dark" : "Adwaita";
  GtkSourceStyleSchemeManager *schemes = gtk_source_style_scheme_manager_get_default ();
  gtk_source_buffer_set_style_scheme (GTK_SOURCE_BUFFER (self->buffer),
                                      gtk_source_style_scheme_manager_get_scheme (schemes, name));
}

static void
dispose (GObject *object)
{
  LoomJsonEditor *self = LOOM_JSON_EDITOR (object);
  g_clear_handle_id (&self->pause, g_source_remove);
  G_OBJECT_CLASS (loom_json_editor_parent_class)->dispose (object);
}

static void
set_language (LoomJsonEditor *self, const char *id)
{
  GtkSourceLanguageManager *languages = gtk_source_language_manager_get_default ();
  gtk_source_buffer_set_language (GTK_SOURCE_BUFFER (self->buffer),
                                  gtk_source_language_manager_get_language (languages, id));
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  set_language (LOOM_JSON_EDITOR (object), g_value_get_string (value));
}

static void
loom_json_editor_class_init (LoomJsonEditorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  gtk_source_init ();
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->set_property = set_property;
  g_object_class_install_property (
    G_OBJECT_CLASS (klass), PROP_LANGUAGE,
    g_param_spec_string ("language", NULL, NULL, "json", G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  signals[EDITED] =
    g_signal_new ("edited", LOOM_TYPE_JSON_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-json-editor.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomJsonEditor, buffer);
  gtk_widget_class_bind_template_child (widget_class, LoomJsonEditor, icon);
  gtk_widget_class_bind_template_child (widget_class, LoomJsonEditor, message);
  gtk_widget_class_bind_template_child (widget_class, LoomJsonEditor, status);
  gtk_widget_class_bind_template_child (widget_class, LoomJsonEditor, view);
  gtk_widget_class_bind_template_callback (widget_class, changed);
  gtk_widget_class_bind_template_callback (widget_class, status_clicked);
}

static void
loom_json_editor_init (LoomJsonEditor *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  set_language (self, "json");
  self->wrong = -1;
  self->place = gtk_text_buffer_create_tag (self->buffer, NULL, "underline", PANGO_UNDERLINE_ERROR, NULL);
  g_autoptr (GtkSourceMarkAttributes) wrong = gtk_source_mark_attributes_new ();
  gtk_source_mark_attributes_set_background (wrong, &(GdkRGBA) { 0.88f, 0.11f, 0.14f, 0.22f });
  gtk_source_view_set_mark_attributes (GTK_SOURCE_VIEW (self->view), WRONG, wrong, 0);
  AdwStyleManager *style = adw_style_manager_get_default ();
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (style_changed), self, G_CONNECT_SWAPPED);
  style_changed (self);
}
