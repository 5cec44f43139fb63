/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests counters (plotted series of values) with simulated input: their display mode, such as differences or stacked,
 * is chosen in the menu of the row and in the command palette, with mouse and keyboard, and can be undone. Also tests
 * the values that are shown at the pointer.
 */
#include "hands-run.h"

#include "loom-command-palette.h"
#include "loom-hover-card.h"
#include "loom-timing-card.h"

#include <string.h>

#define C(name, ts, value) \
  "{\"ph\":\"C\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" ts ",\"args\":{\"bytes\":" value "}},"

#define X(name, ts, dur) "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":2,\"ts\":" ts ",\"dur\":" dur "},"

/* Counter "memory": 100 at 0 µs, 130 at 100 µs, 110 at 300 µs. A second counter is named "cache". Two spans "again", of
 * 100 and 300 µs, are in a step that starts at 250 µs. */
static const char trace[] = "[" C ("memory", "0", "100") C ("memory", "100", "130") C ("memory", "300", "110")
  C ("memory", "1000", "110") C ("cache", "0", "5")
    C ("cache", "500",
       "7") "{\"ph\":\"X\",\"name\":\"work\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":1000,"
            "\"args\":{\"note\":\"a<b\",\"Input Dims\":[[64,128]],\"step\":12}}," X ("ProfilerStep#4", "250", "700")
              X ("again", "300", "100") "{\"ph\":\"X\",\"name\":\"again\",\"pid\":1,\"tid\":2,\"ts\":600,\"dur\":300}]";

static const LoomTimelineRow *
counter_of (const char *name)
{
  for (guint i = 0; i < loom_row_list_get_n_rows (outline ()); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (outline (), i);
    if (row->kind == LOOM_ROW_COUNTER && strstr (row->label, name) != NULL)
      return row;
  }
  return NULL;
}

static LoomCounterMode
mode_of (const char *name)
{
  return counter_of (name)->parts->mode;
}

static double
middle_of (const char *name)
{
  guint row = loom_row_list_find (outline (), counter_of (name)->key);
  return loom_row_list_row_top (outline (), row, fixture_view (the_window ()).scroll_px) +
         counter_of (name)->height / 2;
}

/* --- widgets ------------------------------------------------------------------------------------------------------ */

static GtkWidget *
label_below (GtkWidget *widget, const char *words)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) &&
      g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), words))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = label_below (child, words);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static gboolean
shows_label (gpointer words)
{
  return label_below (GTK_WIDGET (view ()), words) != NULL;
}

static gboolean
hides_label (gpointer words)
{
  return !shows_label (words);
}

static gboolean
has_focus_on (const char *words)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (the_window ()));
  return focus != NULL && label_below (focus, words) != NULL;
}

/* Chooses an item of the open menu with the arrow keys. */
static void
choose_by_key (const char *words)
{
  g_assert_true (fixture_wait (shows_label, (gpointer) words));
  for (guint i = 0; i < 20 && !has_focus_on (words); i++) {
    hands_type (0, GDK_KEY_Down);
    fixture_spin (20);
  }
  g_assert_true (has_focus_on (words));
  hands_type (0, GDK_KEY_Return);
  g_assert_true (fixture_wait (hides_label, (gpointer) words));
}

/* Chooses an item of the menu that a secondary click on a plot opens. */
static void
choose_by_mouse (const char *name, const char *words)
{
  hands_move (tracks (), 100, middle_of (name));
  hands_click (3);
  choose_by_key (words);
}

static gboolean
is_difference (gpointer name)
{
  return mode_of (name).quantity == LOOM_QUANTITY_DIFFERENCE;
}

static gboolean
is_value (gpointer name)
{
  return mode_of (name).quantity == LOOM_QUANTITY_VALUE;
}

static gboolean
is_rate (gpointer name)
{
  return mode_of (name).quantity == LOOM_QUANTITY_RATE;
}

static gboolean
is_logarithmic (gpointer name)
{
  return mode_of (name).logarithmic;
}

static void
start (void)
{
  g_autoptr (LoomRowList) fresh = loom_row_list_new ();
  g_autoptr (GVariant) rows = loom_row_list_save (fresh);
  loom_row_list_restore (outline (), rows);
  loom_row_list_fold_all (outline (), FALSE);
  loom_timeline_state_rows_changed (state ());
  reset ();
}

/* --- the menu ----------------------------------------------------------------------------------------------------- */

static void
test_mouse (void)
{
  start ();
  choose_by_mouse ("memory", "Differences");
  g_assert_true (fixture_wait (is_difference, (gpointer) "memory"));
  g_assert_true (is_value ((gpointer) "cache"));
  g_assert_cmpstr (counter_of ("memory")->label, ==, "memory (Δ)");
  choose_by_mouse ("memory", "Logarithmic Scale");
  g_assert_true (fixture_wait (is_logarithmic, (gpointer) "memory"));
  g_assert_true (is_difference ((gpointer) "memory"));
  fixture_spin (600); /* longer than half a second, so that the undo stack does not join the next change to the previous
                       * one */
  choose_by_mouse ("memory", "Rate per Second");
  g_assert_true (fixture_wait (is_rate, (gpointer) "memory"));
  hands_type (GDK_KEY_Control_L, GDK_KEY_z);
  g_assert_true (fixture_wait (is_difference, (gpointer) "memory"));
  hands_type (GDK_KEY_Control_L, GDK_KEY_y);
  g_assert_true (fixture_wait (is_rate, (gpointer) "memory"));
}

static void
test_keys (void)
{
  start ();
  gtk_widget_grab_focus (headers ());
  for (guint i = 0; i < 10 && g_strcmp0 (loom_timeline_state_get_counter (state ()), counter_of ("cache")->key) != 0;
       i++)
    hands_type (0, GDK_KEY_Down);
  while (g_strcmp0 (loom_timeline_state_get_counter (state ()), counter_of ("memory")->key) != 0)
    hands_type (0, GDK_KEY_Down);
  hands_type (GDK_KEY_Shift_L, GDK_KEY_F10);
  choose_by_key ("Rate per Second");
  g_assert_true (fixture_wait (is_rate, (gpointer) "memory"));
  g_assert_true (is_value ((gpointer) "cache"));
}

static gboolean
is_at (gpointer name)
{
  return g_strcmp0 (loom_timeline_state_get_counter (state ()), counter_of (name)->key) == 0;
}

/* --- the palette -------------------------------------------------------------------------------------------------- */

static LoomCommandPalette *
find_palette (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *l = windows; l != NULL; l = l->next)
    if (LOOM_IS_COMMAND_PALETTE (l->data))
      return l->data;
  return NULL;
}

static void
command (const char *query)
{
  g_action_group_activate_action (G_ACTION_GROUP (the_window ()), "command-palette", NULL);
  LoomCommandPalette *palette = find_palette ();
  g_assert_nonnull (palette);
  fixture_spin (50);
  gtk_editable_set_text (loom_command_palette_get_entry (palette), query);
  g_signal_emit_by_name (loom_command_palette_get_entry (palette), "activate");
  g_assert_null (find_palette ());
}

/* Palette commands for counters apply to the counter that the pointer was over last. */
static void
test_palette (void)
{
  start ();
  hands_move (tracks (), 200, middle_of ("cache"));
  g_assert_true (fixture_wait (is_at, (gpointer) "cache"));
  command ("counter rate");
  g_assert_true (is_rate ((gpointer) "cache"));
  g_assert_true (is_value ((gpointer) "memory"));
  command ("counter logarithmic");
  g_assert_true (is_logarithmic ((gpointer) "cache"));
  command ("counter logarithmic");
  g_assert_false (is_logarithmic ((gpointer) "cache"));
  command ("counter stack");
  g_assert_true (mode_of ("cache").stacked);
  command ("counter values");
  g_assert_true (is_value ((gpointer) "cache"));
}

/* --- overlaid counters --- */

static gboolean
has_guest (gpointer guest)
{
  return loom_row_list_has_guest (outline (), counter_of ("memory")->key, counter_of (guest)->key);
}

static gboolean
has_no_guest (gpointer guest)
{
  return !has_guest (guest);
}

static gboolean
has_entry_focus (gpointer data)
{
  return GTK_IS_TEXT (gtk_window_get_focus (GTK_WINDOW (the_window ())));
}

static gboolean
has_no_entry_focus (gpointer data)
{
  return !has_entry_focus (data);
}

static void
test_lay_over (void)
{
  start ();
  hands_move (tracks (), 200, middle_of ("memory"));
  g_assert_true (fixture_wait (is_at, (gpointer) "memory"));
  command ("counter overlay");
  g_assert_true (fixture_wait (has_entry_focus, NULL));
  hands_type (0, GDK_KEY_c); /* first letter of “cache” */
  hands_type (0, GDK_KEY_Down);
  g_assert_true (fixture_wait (has_no_entry_focus, NULL));
  hands_type (0, GDK_KEY_Return);
  g_assert_true (fixture_wait (has_guest, (gpointer) "cache"));
  g_assert_cmpuint (counter_of ("memory")->n_series, ==, 2);
  hands_type (0, GDK_KEY_Return);
  g_assert_true (fixture_wait (has_no_guest, (gpointer) "cache"));
  hands_type (0, GDK_KEY_Return);
  g_assert_true (fixture_wait (has_guest, (gpointer) "cache"));
  hands_type (0, GDK_KEY_Escape);
  g_assert_true (fixture_wait (hides_label, (gpointer) "cache"));
  fixture_spin (600);
  hands_type (GDK_KEY_Control_L, GDK_KEY_z);
  g_assert_true (fixture_wait (has_no_guest, (gpointer) "cache"));
}

/* --- values at the pointer --- */

static gint64
after (gint64 us)
{
  return loom_timeline_state_get_extent (state ()).begin_ns + us * 1000;
}

static guint
n_tags (void)
{
  LoomPaintOptions options = { 0 };
  loom_timeline_state_fill_options (state (), &options);
  return options.n_tags;
}

static gboolean
is_reading (gpointer data)
{
  return loom_cursor_is_reading (loom_timeline_state_get_pointer (state ()));
}

static gboolean
is_not_reading (gpointer data)
{
  return !is_reading (data);
}

/* A time has the same x position in the ruler and in the tracks, even before the width of the headers was ever changed.
 * While the pointer is over the ruler, counters show their values; tests/core/test-counters.c tests which values. */
static void
test_ruler (void)
{
  start ();
  double x, y;
  GtkWidget *ruler = below (GTK_WIDGET (view ()), "ruler");
  gtk_widget_translate_coordinates (tracks (), ruler, 100, 0, &x, &y);
  g_assert_cmpuint (n_tags (), ==, 0);
  hands_move (ruler, x, 10);
  g_assert_true (fixture_wait (is_reading, NULL));
  g_assert_cmpint (loom_timeline_state_get_pointer (state ())->time_ns, ==,
                   loom_viewport_time (loom_timeline_state_get_viewport (state ()), 100));
  g_assert_cmpuint (n_tags (), ==, 1);
  hands_move (tracks (), 200, middle_of ("memory"));
  g_assert_true (fixture_wait (is_not_reading, NULL));
  g_assert_cmpuint (n_tags (), ==, 0);
}

/* Returns the text of the timing card, or NULL while it is hidden. */
static const char *
timing_text (void)
{
  GtkWidget *card = below (GTK_WIDGET (view ()), "timingcard");
  return gtk_widget_get_visible (card)
           ? gtk_label_get_text (GTK_LABEL (gtk_widget_get_template_child (card, LOOM_TYPE_TIMING_CARD, "label")))
           : NULL;
}

/* In timing mode, each counter shows its values at the pointer and at both marks. The card shows the time between the
 * marks or, if something is selected, the duration of the selection. */
static void
test_timing (void)
{
  start ();
  g_assert_null (timing_text ());
  hands_type (0, GDK_KEY_4);
  loom_timeline_state_toggle_mark (state (), after (50), FALSE);
  loom_timeline_state_toggle_mark (state (), after (150), FALSE);
  hands_move (tracks (), x_of (after (100)), middle_of ("memory"));
  g_assert_true (fixture_wait (is_reading, NULL));
  g_assert_cmpuint (n_tags (), ==, 3);
  g_assert_true (g_str_has_prefix (timing_text (), "Between marks: 100 µs · 1 span"));
  g_assert_nonnull (strstr (timing_text (), "memory: 100 → 130 (+30)"));
  g_assert_nonnull (strstr (timing_text (), "cache: 5 → 5 (0)"));
  loom_timeline_state_select_span (state (), span_of ("work", 0), FALSE);
  g_assert_true (g_str_has_prefix (timing_text (), "Selection: 1 ms · 1 span"));
  hands_type (0, GDK_KEY_1);
  g_assert_true (fixture_wait (is_not_reading, NULL));
  g_assert_null (timing_text ());
}

/* --- args in the hover card --- */

static gboolean
card_says (gpointer words)
{
  GtkWidget *card = below (GTK_WIDGET (view ()), "hovercard");
  const char *text = gtk_label_get_text (GTK_LABEL (gtk_widget_get_first_child (card)));
  return gtk_widget_get_visible (card) && strstr (text, words) != NULL;
}

static gboolean
card_does_not_say (gpointer words)
{
  return !card_says (words);
}

static void
test_card (void)
{
  start ();
  point_at (span_of ("work", 0));
  g_assert_true (fixture_wait (card_says, (gpointer) "work"));
  g_assert_true (fixture_wait (card_says, (gpointer) "step: 12\nInput Dims: [[64, 128]]\nnote: a<b"));
  hands_move (tracks (), 200, middle_of ("memory"));
  g_assert_true (fixture_wait (card_does_not_say, (gpointer) "step"));
}

/* The hover card of a span says in which step the span is. After the spans of the run have been compared, it also says
 * how the duration of the span compares with other spans of the same name. */
static void
test_card_compares (void)
{
  start ();
  point_at (span_of ("again", 1));
  g_assert_true (fixture_wait (card_says, (gpointer) "Start +600 µs · step 4 + 350 µs"));
  g_assert_true (fixture_wait (card_says, (gpointer) "Same name: 1.50 × the median of 200 µs"));
}

static gboolean
card_is_hidden (gpointer unused)
{
  return !gtk_widget_get_visible (below (GTK_WIDGET (view ()), "hovercard"));
}

/* The card is not shown while its window has a modal dialog. */
static void
test_card_and_dialog (void)
{
  start ();
  LoomHoverCard *card = LOOM_HOVER_CARD (below (GTK_WIDGET (view ()), "hovercard"));
  GtkWindow *dialog = GTK_WINDOW (gtk_window_new ());
  gtk_window_set_transient_for (dialog, GTK_WINDOW (the_window ()));
  gtk_window_set_modal (dialog, TRUE);
  gtk_window_present (dialog);
  loom_hover_card_show (card, "text", 1, 1);
  g_assert_true (card_is_hidden (NULL));
  gtk_window_destroy (dialog);
  loom_hover_card_show (card, "text", 1, 1);
  g_assert_false (card_is_hidden (NULL));
  loom_hover_card_show (card, NULL, 0, 0);
}

/* A new layout may move the tracks while the pointer rests. The card then describes the item that
 * is under the pointer now, or is hidden if there is none. */
static void
test_card_after_layout (void)
{
  start ();
  point_at (span_of ("work", 0));
  g_assert_true (fixture_wait (card_says, (gpointer) "work"));
  hands_type (GDK_KEY_Control_L, GDK_KEY_p); /* the row filter opens above the tracks and moves them down */
  g_assert_true (fixture_wait (card_does_not_say, (gpointer) "work"));
  hands_type (0, GDK_KEY_Escape);
  hands_move (tracks (), 100, middle_of ("memory"));
  g_assert_true (fixture_wait (card_says, (gpointer) "memory"));
  GtkPaned *names = GTK_PANED (gtk_widget_get_ancestor (tracks (), GTK_TYPE_PANED));
  int before = gtk_paned_get_position (names);
  gtk_paned_set_position (names, before + 120); /* the pointer is now over the column of row headers */
  g_assert_true (fixture_wait (card_is_hidden, NULL));
  gtk_paned_set_position (names, before);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/counters/mouse", test_mouse);
  g_test_add_func ("/app/counters/keys", test_keys);
  g_test_add_func ("/app/counters/palette", test_palette);
  g_test_add_func ("/app/counters/lay-over", test_lay_over);
  g_test_add_func ("/app/counters/ruler", test_ruler);
  g_test_add_func ("/app/counters/timing", test_timing);
  g_test_add_func ("/app/counters/card", test_card);
  g_test_add_func ("/app/counters/card-compares", test_card_compares);
  g_test_add_func ("/app/counters/card-after-layout", test_card_after_layout);
  g_test_add_func ("/app/counters/card-and-dialog", test_card_and_dialog);
  return hands_run_on (trace);
}
