/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-load-timing.h"

#include "loom-main-loop-watchdog.h"

/* 1.5 frames at 60 Hz, in µs: a longer interval between two frames means that a frame was skipped. */
#define LATE_US 25000

typedef struct {
  GtkWidget *window;
  LoomDocument *document;
  guint tick_id; /* id of the tick callback; 0 if no load is being measured */
  /* id of the handler that waits until the frame with the first source is painted; 0 if no handler is connected */
  gulong painted_id;
  gboolean pictured; /* TRUE if a frame with the first loaded source has been painted */
  /* TRUE after the first frame of the window. Slow frames before this are not counted, because the start of the program
   * causes them, not the load. */
  gboolean counts;
  gint64 last_us; /* time of the previous frame during the measured load; 0 if no frame was drawn yet */
  gint64 longest_us;
  guint n_frames, n_late;
} LoadWatch;

static void
count_from_here (LoadWatch *watch)
{
  loom_main_loop_watchdog_reset ();
  watch->counts = TRUE;
  watch->last_us = watch->longest_us = 0;
  watch->n_frames = watch->n_late = 0;
}

static gboolean
tick (GtkWidget *window, GdkFrameClock *clock, gpointer user_data)
{
  LoadWatch *watch = user_data;
  gint64 now_us = g_get_monotonic_time (), passed_us = watch->last_us != 0 ? now_us - watch->last_us : 0;
  watch->last_us = now_us;
  watch->longest_us = MAX (watch->longest_us, passed_us);
  watch->n_frames++;
  watch->n_late += passed_us > LATE_US;
  if (!watch->counts && gdk_frame_clock_get_frame_counter (clock) > 0)
    count_from_here (watch);
  return G_SOURCE_CONTINUE;
}

static void
stop_waiting (LoadWatch *watch)
{
  if (watch->painted_id != 0)
    g_signal_handler_disconnect (gtk_widget_get_frame_clock (watch->window), watch->painted_id);
  watch->painted_id = 0;
}

static void
painted (GdkFrameClock *clock, gpointer user_data)
{
  LoadWatch *watch = user_data;
  gint64 waited_us = g_get_monotonic_time () - loom_document_get_ready_time (watch->document);
  g_printerr ("load: first picture %.1f ms after its source was ready\n", (double) waited_us / 1000);
  stop_waiting (watch);
}

static void
timeline_changed (LoadWatch *watch)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (watch->window);
  if (watch->pictured || clock == NULL || loom_document_get_timeline (watch->document) == NULL ||
      loom_document_get_ready_time (watch->document) == 0)
    return;
  watch->pictured = TRUE;
  watch->painted_id = g_signal_connect (clock, "after-paint", G_CALLBACK (painted), watch);
}

static void
begin (LoadWatch *watch)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (watch->window);
  count_from_here (watch);
  watch->counts = clock != NULL && gdk_frame_clock_get_frame_counter (clock) >= 0;
  watch->pictured = FALSE;
  watch->tick_id = gtk_widget_add_tick_callback (watch->window, tick, watch, NULL);
}

static void
end (LoadWatch *watch)
{
  gtk_widget_remove_tick_callback (watch->window, watch->tick_id);
  watch->tick_id = 0;
  g_printerr ("load: longest turn %.1f ms, most computing %.1f ms; %u frames, %u late, longest wait for one %.1f ms\n",
              (double) loom_main_loop_watchdog_get_longest_us () / 1000,
              (double) loom_main_loop_watchdog_get_longest_cpu_us () / 1000, watch->n_frames, watch->n_late,
              (double) watch->longest_us / 1000);
}

static void
loading_changed (LoadWatch *watch)
{
  gboolean loading = loom_document_is_loading (watch->document);
  if (loading && watch->tick_id == 0)
    begin (watch);
  else if (!loading && watch->tick_id != 0)
    end (watch);
}

static void
realized (GtkWidget *window)
{
  loom_main_loop_watchdog_leave_out_drawing (gtk_native_get_surface (gtk_widget_get_native (window)));
}

static void
forget (gpointer user_data, GObject *window)
{
  LoadWatch *watch = user_data;
  g_signal_handlers_disconnect_by_data (watch->document, watch);
  g_object_unref (watch->document);
  g_free (watch);
}

void
loom_load_timing_start (GtkWidget *window, LoomDocument *document)
{
  if (!loom_main_loop_watchdog_are_watched ())
    return;
  LoadWatch *watch = g_new0 (LoadWatch, 1);
  watch->window = window;
  watch->document = g_object_ref (document);
  g_signal_connect_swapped (document, "timeline-changed", G_CALLBACK (timeline_changed), watch);
  g_signal_connect_swapped (document, "loading-changed", G_CALLBACK (loading_changed), watch);
  g_signal_connect (window, "realize", G_CALLBACK (realized), NULL);
  if (gtk_widget_get_realized (window))
    realized (window);
  g_signal_connect_swapped (window, "unrealize", G_CALLBACK (stop_waiting), watch);
  g_object_weak_ref (G_OBJECT (window), forget, watch);
}
