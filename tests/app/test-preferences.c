/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that preferences take effect in open windows and in new ones, and are saved in the settings.
 */
#include "fixture.h"

#include "loom-preferences.h"
#include "loom-settings.h"
#include "loom-threshold-button.h"

static GtkWidget *
child (LoomPreferences *preferences, const char *name)
{
  GObject *object = gtk_widget_get_template_child (GTK_WIDGET (preferences), LOOM_TYPE_PREFERENCES, name);
  g_assert_nonnull (object);
  return GTK_WIDGET (object);
}

static void
choose (LoomPreferences *preferences, const char *name, guint at)
{
  adw_combo_row_set_selected (ADW_COMBO_ROW (child (preferences, name)), at);
}

static guint
chosen (LoomPreferences *preferences, const char *name)
{
  return adw_combo_row_get_selected (ADW_COMBO_ROW (child (preferences, name)));
}

static LoomPreferences *
open_preferences (LoomWindow *window)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  g_action_group_activate_action (G_ACTION_GROUP (application), "preferences", NULL);
  fixture_spin (50);
  g_autoptr (GListModel) windows = g_object_ref (gtk_window_get_toplevels ());
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GObject) toplevel = g_list_model_get_item (windows, i);
    if (LOOM_IS_PREFERENCES (toplevel))
      return LOOM_PREFERENCES (toplevel);
  }
  g_assert_not_reached ();
}

static void
test_style (void)
{
  LoomWindow *window = fixture_window ();
  AdwStyleManager *manager = adw_style_manager_get_default ();
  LoomPreferences *preferences = open_preferences (window);
  choose (preferences, "style", 2);
  g_assert_true (adw_style_manager_get_dark (manager));
  choose (preferences, "style", 1);
  g_assert_false (adw_style_manager_get_dark (manager));
  g_autofree char *word = loom_settings_dup_string (LOOM_SETTING_STYLE);
  g_assert_cmpstr (word, ==, "light");
  choose (preferences, "style", 0);
  g_assert_cmpint (adw_style_manager_get_color_scheme (manager), ==, ADW_COLOR_SCHEME_DEFAULT);
  gtk_window_destroy (GTK_WINDOW (preferences));
  fixture_close (window);
}

/* --- style of the timeline --- */

static const LoomTheme *
theme_of (LoomWindow *window)
{
  return loom_render_context_get_theme (
    loom_timeline_view_get_scene (loom_run_page_get_timeline_view (loom_window_get_run_view (window))));
}

static LoomColor
color_of (LoomWindow *window, const char *name)
{
  GdkRGBA rgba;
  g_assert_true (gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (window)), name, &rgba));
  return LOOM_COLOR_RGB ((guint) (rgba.red * 255 + 0.5) << 16 | (guint) (rgba.green * 255 + 0.5) << 8 |
                         (guint) (rgba.blue * 255 + 0.5));
}

/* Asserts that the next frame is painted with the colours of the dark or the light theme. */
static void
assert_painted (LoomWindow *window, gboolean dark)
{
  fixture_frames (window);
  g_assert_cmpint (theme_of (window)->dark, ==, dark);
  g_assert_cmphex (theme_of (window)->role[LOOM_COLOR_ROLE_BACKGROUND], ==, color_of (window, "view_bg_color"));
  g_assert_cmphex (theme_of (window)->role[LOOM_COLOR_ROLE_ACCENT], ==,
                   color_of (window, dark ? "accent_color" : "accent_bg_color"));
}

static void
test_style_paints (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  LoomPreferences *preferences = open_preferences (window);
  static const guint styles[] = { 2, 1, 2, 0 };
  for (guint i = 0; i < G_N_ELEMENTS (styles); i++) {
    choose (preferences, "style", styles[i]);
    assert_painted (window, styles[i] == 2);
  }
  gtk_window_destroy (GTK_WINDOW (preferences));
  fixture_close (window);
}

/* A new accent colour, set by a style sheet as some desktops do, is painted. */
static void
test_accent_paints (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();
  gtk_css_provider_load_from_data (provider,
                                   "@define-color accent_color #123456; @define-color accent_bg_color #654321;", -1);
  gtk_style_context_add_provider_for_display (gtk_widget_get_display (GTK_WIDGET (window)),
                                              GTK_STYLE_PROVIDER (provider), GTK_STYLE_PROVIDER_PRIORITY_USER);
  assert_painted (window, FALSE);
  g_assert_cmphex (theme_of (window)->role[LOOM_COLOR_ROLE_ACCENT], ==, LOOM_COLOR_RGB (0x654321));
  gtk_style_context_remove_provider_for_display (gtk_widget_get_display (GTK_WIDGET (window)),
                                                 GTK_STYLE_PROVIDER (provider));
  assert_painted (window, FALSE);
  fixture_close (window);
}

static void
count (guint *n)
{
  ++*n;
}

/* A larger font is painted at once, in the timeline and in charts, which share its rendering. */
static void
test_font_paints (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (window));
  LoomRenderContext *scene =
    loom_timeline_view_get_scene (loom_run_page_get_timeline_view (loom_window_get_run_view (window)));
  guint n = 0;
  gulong id = g_signal_connect_swapped (scene, "changed", G_CALLBACK (count), &n);
  int dpi;
  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 144 * 1024, NULL);
  g_assert_cmpfloat (loom_render_context_get_text_scaling (scene), ==, 1.5);
  g_object_set (settings, "gtk-font-name", "Serif 14", NULL);
  g_assert_cmpuint (n, >=, 2);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  gtk_settings_reset_property (settings, "gtk-font-name");
  g_signal_handler_disconnect (scene, id);
  fixture_close (window);
}

typedef struct {
  LoomRulerUnit reading;
  const char *shift_drag;
  LoomNumberConvention numbers;
} Choices;

static void
assert_choices (LoomWindow *window, const Choices *choices)
{
  LoomAnalysisContext *analysis = loom_run_state_get_analysis (loom_window_get_run_state (window));
  g_autofree char *shift_drag = loom_settings_dup_string (LOOM_SETTING_SHIFT_DRAG);
  g_assert_cmpint (loom_timeline_state_get_reading (fixture_state (window)), ==, choices->reading);
  g_assert_cmpstr (shift_drag, ==, choices->shift_drag);
  g_assert_cmpint (loom_analysis_context_get_numbers (analysis), ==, choices->numbers);
}

/* The unit of the ruler, the function of Shift+drag, and the number convention take effect in the open window, in a
 * window opened later, and in the preferences when they are opened again. */
static void
test_windows (void)
{
  const Choices first = { LOOM_RULER_UNIT_SINCE_START, "zoom", LOOM_NUMBER_CONVENTION_INTENDED },
                second = { LOOM_RULER_UNIT_JOB, "pan", LOOM_NUMBER_CONVENTION_SMDEBUG };
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  LoomPreferences *preferences = open_preferences (window);
  g_assert_false (gtk_switch_get_active (GTK_SWITCH (child (preferences, "numbers"))));
  assert_choices (window, &first);
  choose (preferences, "reading", 1);
  choose (preferences, "shift_drag", 1);
  gtk_switch_set_active (GTK_SWITCH (child (preferences, "numbers")), TRUE);
  assert_choices (window, &second);
  LoomWindow *other = fixture_window ();
  assert_choices (other, &second);
  gtk_window_destroy (GTK_WINDOW (preferences));
  preferences = open_preferences (window);
  g_assert_cmpuint (chosen (preferences, "reading"), ==, 1);
  g_assert_cmpuint (chosen (preferences, "shift_drag"), ==, 1);
  g_assert_true (gtk_switch_get_active (GTK_SWITCH (child (preferences, "numbers"))));
  choose (preferences, "reading", 0);
  choose (preferences, "shift_drag", 0);
  gtk_switch_set_active (GTK_SWITCH (child (preferences, "numbers")), FALSE);
  assert_choices (other, &first);
  gtk_window_destroy (GTK_WINDOW (preferences));
  fixture_close (other);
  fixture_close (window);
}

static void
test_memory (void)
{
  LoomWindow *window = fixture_window ();
  loom_settings_set_int (LOOM_SETTING_MEMORY_BUDGET, 0);
  LoomPreferences *preferences = open_preferences (window);
  AdwExpanderRow *limit = ADW_EXPANDER_ROW (child (preferences, "limit"));
  g_assert_false (adw_expander_row_get_enable_expansion (limit));
  g_assert_cmpint (loom_settings_get_int (LOOM_SETTING_MEMORY_BUDGET), ==, 0);
  adw_expander_row_set_enable_expansion (limit, TRUE);
  g_assert_cmpint (loom_settings_get_int (LOOM_SETTING_MEMORY_BUDGET), >, 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child (preferences, "limit_mb")), 1234);
  g_assert_cmpint (loom_settings_get_int (LOOM_SETTING_MEMORY_BUDGET), ==, 1234);
  gtk_window_destroy (GTK_WINDOW (preferences));
  preferences = open_preferences (window);
  limit = ADW_EXPANDER_ROW (child (preferences, "limit"));
  g_assert_true (adw_expander_row_get_enable_expansion (limit));
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (child (preferences, "limit_mb"))), ==, 1234);
  adw_expander_row_set_enable_expansion (limit, FALSE);
  g_assert_cmpint (loom_settings_get_int (LOOM_SETTING_MEMORY_BUDGET), ==, 0);
  gtk_window_destroy (GTK_WINDOW (preferences));
  fixture_close (window);
}

/* The peak computing rate and the peak bandwidth of a device, set in the preferences, take effect
 * in the open window. Resetting the thresholds of a page does not change them. */
static void
test_peaks (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  LoomAnalysisContext *analysis = loom_run_state_get_analysis (loom_window_get_run_state (window));
  LoomPreferences *preferences = open_preferences (window);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child (preferences, "peak_tflops")), 500.5);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child (preferences, "peak_bandwidth")), 2.25);
  LoomPeakSettings peaks = loom_analysis_context_get_thresholds (analysis).peaks;
  g_assert_cmpfloat (peaks.tflops, ==, 500.5);
  g_assert_cmpfloat (peaks.tb_per_s, ==, 2.25);
  g_autoptr (LoomThresholdButton) button = g_object_ref_sink (g_object_new (LOOM_TYPE_THRESHOLD_BUTTON, NULL));
  loom_threshold_button_set (button, loom_analysis_context_get_thresholds (analysis));
  loom_threshold_button_reset (button);
  g_assert_cmpfloat (loom_threshold_button_get (button).peaks.tflops, ==, 500.5);
  gtk_window_destroy (GTK_WINDOW (preferences));
  preferences = open_preferences (window);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (child (preferences, "peak_bandwidth"))), ==, 2.25);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child (preferences, "peak_tflops")), 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child (preferences, "peak_bandwidth")), 0);
  g_assert_cmpfloat (loom_analysis_context_get_thresholds (analysis).peaks.tflops, ==, 0);
  gtk_window_destroy (GTK_WINDOW (preferences));
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/preferences/peaks", test_peaks);
  g_test_add_func ("/app/preferences/style", test_style);
  g_test_add_func ("/app/preferences/style-paints", test_style_paints);
  g_test_add_func ("/app/preferences/accent-paints", test_accent_paints);
  g_test_add_func ("/app/preferences/font-paints", test_font_paints);
  g_test_add_func ("/app/preferences/windows", test_windows);
  g_test_add_func ("/app/preferences/memory", test_memory);
  return fixture_run ();
}
