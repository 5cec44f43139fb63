/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests LoomWindowMeasureWorkaround, a window that measures its content only a few times, where AdwWindow measures it
 * for many widths. The window must never be smaller than its content.
 */
#include "groups.h"

#include "loom-window-measure-workaround.h"

/* Width × height in px² of the test widget's content, which is higher if it is narrower, as wrapped text is. */
#define AREA_PX 90000
#define NARROWEST_PX 150
#define NATURAL_PX 300
#define WIDE_PX 900

G_DECLARE_FINAL_TYPE (Words, words, TEST, WORDS, GtkWidget)

struct _Words {
  GtkWidget parent;
  guint n; /* number of measurements */
};

G_DEFINE_FINAL_TYPE (Words, words, GTK_TYPE_WIDGET)

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
         int *natural_baseline)
{
  TEST_WORDS (widget)->n++;
  if (orientation == GTK_ORIENTATION_VERTICAL) {
    *minimum = *natural = (AREA_PX - 1) / MAX (for_size < 0 ? NATURAL_PX : for_size, NARROWEST_PX) + 1;
  } else {
    *minimum = for_size > 0 ? MAX ((AREA_PX - 1) / for_size + 1, NARROWEST_PX) : NARROWEST_PX;
    *natural = for_size > 0 ? *minimum : NATURAL_PX;
  }
}

static GtkSizeRequestMode
request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
words_class_init (WordsClass *klass)
{
  GTK_WIDGET_CLASS (klass)->measure = measure;
  GTK_WIDGET_CLASS (klass)->get_request_mode = request_mode;
}

static void
words_init (Words *self)
{
}

static gboolean
is_laid_out (gpointer words)
{
  return gtk_widget_get_width (words) > 0;
}

static gboolean
is_narrower (gpointer words)
{
  return gtk_widget_get_width (words) < WIDE_PX / 2;
}

static Words *
show (GtkWidget *window, int width, int height)
{
  Words *words = g_object_new (words_get_type (), NULL);
  adw_window_set_content (ADW_WINDOW (window), GTK_WIDGET (words));
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_present (GTK_WINDOW (window));
  g_assert_true (fixture_wait (is_laid_out, words));
  fixture_frames_of (window);
  return words;
}

static void
close_window (Words *words)
{
  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (words))));
}

/* Asserts the width of the content, and that its height is the height that it needs at this width. */
static void
assert_height (Words *words, int width)
{
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (words)), ==, width);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (words)), ==, (AREA_PX - 1) / width + 1);
}

/* AdwWindow measures its content for many widths, because GTK searches for the smallest window of
 * the given aspect ratio; LoomWindowMeasureWorkaround measures it only a few times. */
static void
test_asked (void)
{
  Words *theirs = show (adw_window_new (), 300, 600),
        *ours = show (loom_window_measure_workaround_window_new (), 300, 600);
  g_test_message ("asked %u times, and %u times", theirs->n, ours->n);
  g_assert_cmpuint (ours->n, <=, 4);
  g_assert_cmpuint (theirs->n, >, 2 * ours->n);
  close_window (theirs);
  close_window (ours);
}

/* The window gets the width that GTK would choose for each requested width, including too small ones. */
static void
test_size (void)
{
  static const int widths[] = { WIDE_PX, 450, 1, -1 };
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++) {
    Words *theirs = show (adw_window_new (), widths[i], 20),
          *ours = show (loom_window_measure_workaround_window_new (), widths[i], 20);
    assert_height (ours, gtk_widget_get_width (GTK_WIDGET (theirs)));
    close_window (theirs);
    close_window (ours);
  }
}

/* When the window is made narrower, it becomes as high as its content needs. */
static void
test_narrower (void)
{
  Words *words = show (loom_window_measure_workaround_window_new (), WIDE_PX, 20);
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (words)));
  gtk_window_set_default_size (GTK_WINDOW (window), 300, 20);
  g_assert_true (fixture_wait (is_narrower, words));
  fixture_frames_of (window);
  assert_height (words, gtk_widget_get_width (GTK_WIDGET (words)));
  close_window (words);
}

void
groups_add_measure_once (void)
{
  g_test_add_func ("/app/measure-once/asked", test_asked);
  g_test_add_func ("/app/measure-once/size", test_size);
  g_test_add_func ("/app/measure-once/narrower", test_narrower);
}
