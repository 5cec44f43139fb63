/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-json-editor.h"

#include "loom-bounded-text.h"

#include <glib/gi18n.h>

#define PAUSE_MS 300 /* the text is checked after this pause in typing */
#define NUMBER_GAP 9 /* pixels between a line number and the text */

struct _LoomJsonEditor {
  GtkBox parent;
  GtkTextView *view;
  GtkTextBuffer *buffer;
  GtkTextTag *wrong;
  GtkWidget *numbers;
  GtkWidget *status; /* a button that moves the cursor to the wrong line */
  GtkImage *icon;
  GtkLabel *message;
  guint line;      /* the marked line, which has an error; 0: none */
  guint pause;     /* timeout source of the pause; 0: none */
  gboolean is_set; /* the program, not a person, changes the text now */
};

G_DEFINE_FINAL_TYPE (LoomJsonEditor, loom_json_editor, GTK_TYPE_BOX)

enum { EDITED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- line numbers ---------------------------------------------------------------------------------------------------- */

static void
draw_number (LoomJsonEditor *self, cairo_t *cr, PangoLayout *layout, guint line, int y_px, int width_px)
{
  g_autofree char *text = g_strdup_printf ("%u", line);
  GdkRGBA color;
  int text_px;
  gtk_style_context_get_color (gtk_widget_get_style_context (self->numbers), &color);
  color.alpha *= line == self->line ? 1 : 0.5f;
  pango_layout_set_text (layout, text, -1);
  pango_layout_get_pixel_size (layout, &text_px, NULL);
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_move_to (cr, width_px - NUMBER_GAP - text_px, y_px);
  pango_cairo_show_layout (cr, layout);
}

static void
draw_numbers (GtkDrawingArea *area, cairo_t *cr, int width_px, int height_px, gpointer user_data)
{
  LoomJsonEditor *self = user_data;
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self->view), NULL);
  GdkRectangle seen;
  GtkTextIter iter;
  int top_px, y_px, line_px;
  gtk_text_view_get_visible_rect (self->view, &seen);
  gtk_text_view_get_line_at_y (self->view, &iter, seen.y, NULL);
  do {
    gtk_text_view_get_line_yrange (self->view, &iter, &top_px, &line_px);
    if (top_px > seen.y + seen.height)
      break;
    gtk_text_view_buffer_to_window_coords (self->view, GTK_TEXT_WINDOW_LEFT, 0, top_px, NULL, &y_px);
    draw_number (self, cr, layout, (guint) gtk_text_iter_get_line (&iter) + 1, y_px, width_px);
  } while (gtk_text_iter_forward_line (&iter));
}

static void
measure_numbers (LoomJsonEditor *self)
{
  g_autofree char *text = g_strdup_printf ("%d", MAX (gtk_text_buffer_get_line_count (self->buffer), 10));
  g_autoptr (PangoLayout) layout = loom_bounded_text_new_layout (GTK_WIDGET (self->view), text);
  int width_px;
  pango_layout_get_pixel_size (layout, &width_px, NULL);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (self->numbers), width_px + 2 * NUMBER_GAP);
  gtk_widget_queue_draw (self->numbers);
}

/* --- marking the wrong line ------------------------------------------------------------------------------------------ */

static void
mark_line (LoomJsonEditor *self, guint line)
{
  GtkTextIter begin, end;
  gtk_text_buffer_get_bounds (self->buffer, &begin, &end);
  gtk_text_buffer_remove_tag (self->buffer, self->wrong, &begin, &end);
  self->line = MIN (line, (guint) gtk_text_buffer_get_line_count (self->buffer));
  gtk_widget_queue_draw (self->numbers);
  if (self->line == 0)
    return;
  gtk_text_buffer_get_iter_at_line (self->buffer, &begin, (int) self->line - 1);
  end = begin;
  if (!gtk_text_iter_forward_line (&end))
    gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_apply_tag (self->buffer, self->wrong, &begin, &end);
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
  g_return_if_fail (LOOM_IS_JSON_EDITOR (self));
  g_autofree char *text = line > 0 ? g_strdup_printf (_ ("Line %u: %s"), line, message) : g_strdup (message);
  mark_line (self, line);
  show_status (self, "dialog-error-symbolic", text, "error");
}

void
loom_json_editor_show_good (LoomJsonEditor *self, const char *message)
{
  g_return_if_fail (LOOM_IS_JSON_EDITOR (self));
  mark_line (self, 0);
  show_status (self, "emblem-ok-symbolic", message, "dim-label");
}

static void
status_clicked (LoomJsonEditor *self)
{
  GtkTextIter at;
  if (self->line == 0)
    return;
  gtk_text_buffer_get_iter_at_line (self->buffer, &at, (int) self->line - 1);
  gtk_text_buffer_place_cursor (self->buffer, &at);
  gtk_text_view_scroll_to_iter (self->view, &at, 0.1, FALSE, 0, 0);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

/* --- the text -------------------------------------------------------------------------------------------------------- */

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
  measure_numbers (self);
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
  mark_line (self, 0);
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

/* --- the object ------------------------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  LoomJsonEditor *self = LOOM_JSON_EDITOR (object);
  g_clear_handle_id (&self->pause, g_source_remove);
  G_OBJECT_CLASS (loom_json_editor_parent_class)->dispose (object);
}

static void
loom_json_editor_class_init (LoomJsonEditorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  signals[EDITED] =
    g_signal_new ("edited", LOOM_TYPE_JSON_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-json-editor.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomJsonEditor, buffer);
  gtk_widget_class_bind_template_child (widget_class, LoomJsonEditor, icon);
  gtk_widget_class_bind_template_child (widget_class, LoomJsonEditor, message);
  gtk_widget_class_bind_template_child (widget_class, LoomJsonEditor, numbers);
  gtk_widget_class_bind_template_child (widget_class, LoomJsonEditor, status);
  gtk_widget_class_bind_template_child (widget_class, LoomJsonEditor, view);
  gtk_widget_class_bind_template_callback (widget_class, changed);
  gtk_widget_class_bind_template_callback (widget_class, gtk_widget_queue_draw);
  gtk_widget_class_bind_template_callback (widget_class, status_clicked);
}

static void
loom_json_editor_init (LoomJsonEditor *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_text_view_set_gutter (self->view, GTK_TEXT_WINDOW_LEFT, self->numbers);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->numbers), draw_numbers, self, NULL);
  self->wrong =
    gtk_text_buffer_create_tag (self->buffer, NULL, "paragraph-background", "rgba(224, 27, 36, 0.22)", NULL);
  measure_numbers (self);
}
