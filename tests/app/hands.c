/* SPDX-License-Identifier: Apache-2.0 */
#include "hands.h"

#include <gdk/x11/gdkx.h>
#include <gmodule.h>

#define STEPS 8

static Display *display;
static LoomWindow *window;
static int (*fake_key) (Display *, unsigned int, Bool, unsigned long);
static int (*fake_button) (Display *, unsigned int, Bool, unsigned long);
static int (*fake_motion) (Display *, int, int, int, unsigned long);

/* Waits until the server has delivered the events and the window has handled them. Two syncs are needed, because the
 * server may answer the first one before it has read its devices. Then waits for two frames, because pointer moves and
 * layout are handled in frames. */
static void
settle (void)
{
  XSync (display, False);
  XSync (display, False);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  if (window != NULL)
    fixture_frames (window);
}

static Window
xid (void)
{
  return gdk_x11_surface_get_xid (gtk_native_get_surface (GTK_NATIVE (window)));
}

static gboolean
is_active (gpointer data)
{
  return gtk_window_is_active (GTK_WINDOW (window));
}

gboolean
hands_init (LoomWindow *the_window)
{
  GdkDisplay *gdk_display = gtk_widget_get_display (GTK_WIDGET (the_window));
  GModule *module = g_module_open ("libXtst.so.6", G_MODULE_BIND_LAZY);
  if (!GDK_IS_X11_DISPLAY (gdk_display) || module == NULL)
    return FALSE;
  if (!g_module_symbol (module, "XTestFakeKeyEvent", (gpointer *) &fake_key) ||
      !g_module_symbol (module, "XTestFakeButtonEvent", (gpointer *) &fake_button) ||
      !g_module_symbol (module, "XTestFakeMotionEvent", (gpointer *) &fake_motion))
    return FALSE;
  display = gdk_x11_display_get_xdisplay (gdk_display);
  g_set_weak_pointer (&window, the_window);
  XSetInputFocus (display, xid (), RevertToParent, CurrentTime);
  return fixture_wait (is_active, NULL);
}

static graphene_point_t
point_of (GtkWidget *widget, double x, double y)
{
  graphene_point_t point;
  g_assert_true (
    gtk_widget_compute_point (widget, GTK_WIDGET (window), &GRAPHENE_POINT_INIT ((float) x, (float) y), &point));
  return point;
}

static void
move_to (graphene_point_t point)
{
  double surface_x, surface_y;
  int root_x, root_y;
  Window child;
  gtk_native_get_surface_transform (GTK_NATIVE (window), &surface_x, &surface_y);
  XTranslateCoordinates (display, xid (), DefaultRootWindow (display), (int) (point.x + surface_x + 0.5),
                         (int) (point.y + surface_y + 0.5), &root_x, &root_y, &child);
  fake_motion (display, -1, root_x, root_y, 0);
  settle ();
}

/* Waits until the position of the widget no longer changes, because a bar may be sliding in, and
 * then moves the pointer. */
void
hands_move (GtkWidget *widget, double x, double y)
{
  graphene_point_t point = point_of (widget, x, y), before;
  do {
    before = point;
    settle ();
    point = point_of (widget, x, y);
  } while (!graphene_point_near (&point, &before, 0.5f));
  move_to (point);
}

void
hands_button (guint button, gboolean down)
{
  fake_button (display, button, down, 0);
  settle ();
}

void
hands_click (guint button)
{
  fake_button (display, button, True, 0);
  hands_button (button, FALSE);
}

static gboolean
is_laid_out (gpointer laid_out)
{
  return *(gboolean *) laid_out;
}

static void
set (gboolean *flag)
{
  *flag = TRUE;
}

/* Releases the button in the frame clock's first signal, before GTK handles the frame. */
static gboolean
let_go_now (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer button)
{
  fake_button (display, GPOINTER_TO_UINT (button), False, 0);
  XSync (display, False);
  XSync (display, False);
  return FALSE;
}

/* Lays out the window before the press, because GTK then synthesises a pointer motion in the next
 * frame, as it does when a hover card appears. */
void
hands_tap (guint button)
{
  GdkFrameClock *clock = gdk_surface_get_frame_clock (gtk_native_get_surface (GTK_NATIVE (window)));
  gboolean laid_out = FALSE;
  gulong id = g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (set), &laid_out);
  gtk_widget_queue_allocate (GTK_WIDGET (window));
  g_assert_true (fixture_wait (is_laid_out, &laid_out));
  g_signal_handler_disconnect (clock, id);
  fake_button (display, button, True, 0);
  XSync (display, False);
  g_signal_add_emission_hook (g_signal_lookup ("flush-events", GDK_TYPE_FRAME_CLOCK), 0, let_go_now,
                              GUINT_TO_POINTER (button), NULL);
  settle ();
}

/* Sends both clicks at once: on a slow machine the second might otherwise arrive too late for a double click. */
void
hands_double_click (guint button)
{
  for (guint i = 0; i < 4; i++)
    fake_button (display, button, i % 2 == 0, 0);
  settle ();
}

void
hands_key (guint keyval, gboolean down)
{
  fake_key (display, XKeysymToKeycode (display, keyval), down, 0);
  settle ();
}

/* Sends press and release at once: on a slow machine the key might otherwise be held long enough to repeat. */
void
hands_type (guint modifier, guint keyval)
{
  KeyCode code = XKeysymToKeycode (display, keyval), held = XKeysymToKeycode (display, modifier);
  if (modifier != 0)
    fake_key (display, held, True, 0);
  fake_key (display, code, True, 0);
  fake_key (display, code, False, 0);
  if (modifier != 0)
    fake_key (display, held, False, 0);
  settle ();
}

void
hands_drag (GtkWidget *widget, guint button, double x0, double y0, double x1, double y1)
{
  hands_move (widget, x0, y0);
  hands_button (button, TRUE);
  for (guint i = 1; i <= STEPS; i++)
    move_to (point_of (widget, x0 + (x1 - x0) * i / STEPS, y0 + (y1 - y0) * i / STEPS));
  hands_button (button, FALSE);
}
