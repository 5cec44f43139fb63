/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-source-viewer.h"

#include "loom-archive-path.h"
#include "loom-dialog-size.h"
#include "loom-error.h"
#include "loom-json-slice.h"
#include "loom-locale-number.h"
#include "loom-range-text.h"
#include "loom-window-measure-workaround.h"
#include "loom-worker.h"

#include <adwaita.h>
#include <glib/gi18n.h>

void
loom_source_viewer_free (LoomSourceViewer *text)
{
  g_free (text->before);
  g_free (text->event);
  g_free (text->after);
  g_free (text);
}

static const LoomSource *
source_of (LoomTimeline *timeline, LoomSpanId event, guint64 *offset)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), event.trace);
  LoomRef ref = loom_trace_get_spans (trace)->ref[event.span];
  if (ref == LOOM_REF_NONE || loom_source_ref_source (ref) >= loom_trace_get_n_sources (trace))
    return NULL;
  *offset = loom_source_ref_offset (ref);
  return loom_trace_get_source (trace, loom_source_ref_source (ref));
}

/* Reads `n_bytes` bytes, or fewer at the end of the file. Returns the number of bytes read; −1 on error. */
static gssize
read_all (LoomByteSource *text, guint64 offset, char *buffer, gsize n_bytes, GError **error)
{
  gsize n = 0;
  while (n < n_bytes) {
    gssize got = loom_byte_source_read (text, offset + n, buffer + n, n_bytes - n, error);
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    n += (gsize) got;
  }
  return (gssize) n;
}

LoomSourceViewer *
loom_source_viewer_read (LoomTimeline *timeline, LoomSpanId event, GError **error)
{
  guint64 offset = 0;
  const LoomSource *source = source_of (timeline, event, &offset);
  if (source == NULL || source->text == NULL) {
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_EMPTY, _ ("This event has no position in a text file."));
    return NULL;
  }
  gsize n_before = (gsize) MIN (offset, (guint64) LOOM_SOURCE_VIEWER_BEFORE);
  g_autofree char *buffer = g_malloc (n_before + LOOM_SOURCE_VIEWER_AFTER + 1);
  gssize n = read_all (source->text, offset - n_before, buffer, n_before + LOOM_SOURCE_VIEWER_AFTER, error);
  if (n < 0)
    return NULL;
  const char *begin = buffer + MIN (n_before, (gsize) n), *end = buffer + n, *behind = begin;
  loom_json_slice_skip_value (&behind, end);
  LoomSourceViewer *text = g_new (LoomSourceViewer, 1);
  *text = (LoomSourceViewer) { g_utf8_make_valid (buffer, begin - buffer), g_utf8_make_valid (begin, behind - begin),
                               g_utf8_make_valid (behind, end - behind) };
  return text;
}

/* --- window that shows the text ----------------------------------------------------------------------------------- */

typedef struct {
  LoomTimeline *timeline;
  LoomSpanId event;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  g_free (input);
}

static LoomSourceViewer *
read_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  return loom_source_viewer_read (input->timeline, input->event, error);
}

/* Selects the text of the event, so that the view scrolls to it and Ctrl+C copies it. */
static void
show (GtkTextView *view, const LoomSourceViewer *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter begin, end;
  g_autofree char *whole = g_strconcat (text->before, text->event, text->after, NULL);
  int n_before = (int) g_utf8_strlen (text->before, -1);
  gtk_text_buffer_set_text (buffer, whole, -1);
  gtk_text_buffer_get_iter_at_offset (buffer, &begin, n_before);
  gtk_text_buffer_get_iter_at_offset (buffer, &end, n_before + (int) g_utf8_strlen (text->event, -1));
  gtk_text_buffer_select_range (buffer, &begin, &end);
  gtk_text_view_scroll_to_mark (view, gtk_text_buffer_get_insert (buffer), 0, TRUE, 0, 0.3);
}

static void
was_read (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  g_autoptr (GtkTextView) view = owner;
  g_autoptr (LoomSourceViewer) text = result;
  if (text != NULL)
    show (view, text);
  else
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (view), error->message, -1);
}

static void
open_file (GtkButton *button, GtkWindow *window)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_object_get_data (G_OBJECT (window), "loom-path"));
  g_autofree char *uri = g_file_get_uri (file);
  gtk_show_uri (window, uri, GDK_CURRENT_TIME);
}

static GtkWidget *
new_view (void)
{
  GtkWidget *view = gtk_text_view_new ();
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_CHAR);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Text of the event in the trace file"), -1);
  return view;
}

static void
add_escape (GtkWidget *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
}

static GtkWidget *
new_window (GtkWindow *parent, const LoomSource *source, guint64 offset, GtkWidget *view)
{
  g_autofree char *base = g_path_get_basename (source->path), *name = loom_archive_path_dup_printable (base),
                  *number = loom_locale_number_group (loom_range_text_get_offset_in_file (source->text, offset));
  g_autofree char *place = g_strdup_printf (source->packed ? _ ("byte %s (decompressed)") : _ ("byte %s"), number);
  GtkWidget *window = loom_window_measure_workaround_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *bar = adw_header_bar_new ();
  GtkWidget *open = gtk_button_new_with_mnemonic (_ ("_Open File")), *scrolled = gtk_scrolled_window_new ();
  gtk_window_set_title (GTK_WINDOW (window), name);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  loom_dialog_size_set (GTK_WINDOW (window), 760, 460);
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (bar), adw_window_title_new (name, place));
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), open);
  g_object_set_data_full (G_OBJECT (window), "loom-path", g_strdup (source->path), g_free);
  g_signal_connect (open, "clicked", G_CALLBACK (open_file), window);
  /* hide the button for a compressed file, because a text editor would show compressed bytes */
  gtk_widget_set_visible (open, !source->packed);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), scrolled);
  adw_window_set_content (ADW_WINDOW (window), box);
  add_escape (window);
  return window;
}

GtkWindow *
loom_source_viewer_present (GtkWindow *parent, LoomTimeline *timeline, LoomSpanId event)
{
  guint64 offset = 0;
  const LoomSource *source = source_of (timeline, event, &offset);
  g_return_val_if_fail (source != NULL, NULL);
  GtkWidget *view = new_view (), *window = new_window (parent, source, offset, view);
  static const LoomWorkerKind kind = { (LoomWorkerFunc) read_in_thread, (GDestroyNotify) input_free,
                                       (GDestroyNotify) loom_source_viewer_free };
  loom_worker_run (NULL, &kind, LOOM_WORKER_INPUT (Input, loom_timeline_ref (timeline), event), was_read,
                   g_object_ref (view));
  gtk_window_present (GTK_WINDOW (window));
  return GTK_WINDOW (window);
}
