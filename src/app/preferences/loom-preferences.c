/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-preferences.h"

#include "loom-combo-row-workaround.h"
#include "loom-dialog-size.h"
#include "loom-help-key.h"
#include "loom-settings.h"
#include "loom-window-measure-workaround.h"

/* The initial memory limit, in MB, when the user enables the limit for the first time. */
#define FIRST_LIMIT_MB 8000

struct _LoomPreferences {
  AdwPreferencesWindow parent;
  AdwComboRow *style;
  AdwComboRow *reading;
  AdwComboRow *shift_drag;
  GtkSwitch *numbers;
  GtkSwitch *restore;
  AdwExpanderRow *limit;
  GtkSpinButton *limit_mb;
  GtkSpinButton *peak_tflops;
  GtkSpinButton *peak_bandwidth;
};

G_DEFINE_FINAL_TYPE (LoomPreferences, loom_preferences, ADW_TYPE_PREFERENCES_WINDOW)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* A row of the preferences for a setting whose value is one of several texts. */
typedef struct {
  /* `key`: key of the setting. `words`: the possible values, in the order of the row's items, NULL-terminated. */
  const char *key, *words[5];
} Choice;

static const Choice style = { LOOM_SETTING_STYLE, { "system", "light", "dark" } },
                    reading = { LOOM_SETTING_RULER, { "start", "job", "utc", "local", "step" } },
                    shift_drag = { LOOM_SETTING_SHIFT_DRAG, { "zoom", "pan" } };

static const AdwColorScheme schemes[] = { ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_LIGHT,
                                          ADW_COLOR_SCHEME_FORCE_DARK };

static guint
index_of (const Choice *choice)
{
  g_autofree char *word = loom_settings_dup_string (choice->key);
  for (guint i = 0; choice->words[i] != NULL; i++)
    if (g_str_equal (choice->words[i], word))
      return i;
  return 0;
}

void
loom_preferences_apply_style (void)
{
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), schemes[index_of (&style)]);
}

static void
apply (LoomPreferences *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
chosen (LoomPreferences *self, GParamSpec *pspec, AdwComboRow *row)
{
  const Choice *choice = g_object_get_data (G_OBJECT (row), "loom-choice");
  guint at = adw_combo_row_get_selected (row);
  if (at == GTK_INVALID_LIST_POSITION || at == index_of (choice))
    return;
  loom_settings_set_string (choice->key, choice->words[at]);
  apply (self);
}

static void
add_choice (LoomPreferences *self, AdwComboRow *row, const Choice *choice)
{
  loom_combo_row_workaround_set (row);
  adw_combo_row_set_selected (row, index_of (choice));
  g_object_set_data (G_OBJECT (row), "loom-choice", (gpointer) choice);
  g_signal_connect_swapped (row, "notify::selected", G_CALLBACK (chosen), self);
}

static void
restore_chosen (LoomPreferences *self)
{
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, gtk_switch_get_active (self->restore));
}

static void
numbers_chosen (LoomPreferences *self)
{
  loom_settings_set_string (LOOM_SETTING_NUMBERS, gtk_switch_get_active (self->numbers) ? "smdebug" : "intended");
  apply (self);
}

static void
limit_changed (LoomPreferences *self)
{
  gboolean limited = adw_expander_row_get_enable_expansion (self->limit);
  loom_settings_set_int (LOOM_SETTING_MEMORY_BUDGET, limited ? gtk_spin_button_get_value_as_int (self->limit_mb) : 0);
}

static void
peak_changed (LoomPreferences *self, GtkSpinButton *spin)
{
  loom_settings_set_double (spin == self->peak_tflops ? LOOM_SETTING_PEAK_TFLOPS : LOOM_SETTING_PEAK_BANDWIDTH,
                            gtk_spin_button_get_value (spin));
  apply (self);
}

static void
loom_preferences_class_init (LoomPreferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  loom_window_measure_workaround_install (widget_class);
  signals[CHANGED] =
    g_signal_new ("changed", LOOM_TYPE_PREFERENCES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-preferences.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomPreferences, style);
  gtk_widget_class_bind_template_child (widget_class, LoomPreferences, reading);
  gtk_widget_class_bind_template_child (widget_class, LoomPreferences, shift_drag);
  gtk_widget_class_bind_template_child (widget_class, LoomPreferences, numbers);
  gtk_widget_class_bind_template_child (widget_class, LoomPreferences, restore);
  gtk_widget_class_bind_template_child (widget_class, LoomPreferences, limit);
  gtk_widget_class_bind_template_child (widget_class, LoomPreferences, limit_mb);
  gtk_widget_class_bind_template_child (widget_class, LoomPreferences, peak_tflops);
  gtk_widget_class_bind_template_child (widget_class, LoomPreferences, peak_bandwidth);
}

static void
show_settings (LoomPreferences *self)
{
  int limit_mb = loom_settings_get_int (LOOM_SETTING_MEMORY_BUDGET);
  g_autofree char *numbers = loom_settings_dup_string (LOOM_SETTING_NUMBERS);
  gtk_switch_set_active (self->restore, loom_settings_get_boolean (LOOM_SETTING_RESTORE));
  gtk_switch_set_active (self->numbers, g_str_equal (numbers, "smdebug"));
  adw_expander_row_set_enable_expansion (self->limit, limit_mb > 0);
  adw_expander_row_set_expanded (self->limit, limit_mb > 0);
  gtk_spin_button_set_value (self->limit_mb, limit_mb > 0 ? limit_mb : FIRST_LIMIT_MB);
  gtk_spin_button_set_value (self->peak_tflops, loom_settings_get_double (LOOM_SETTING_PEAK_TFLOPS));
  gtk_spin_button_set_value (self->peak_bandwidth, loom_settings_get_double (LOOM_SETTING_PEAK_BANDWIDTH));
}

static void
loom_preferences_init (LoomPreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  add_choice (self, self->style, &style);
  add_choice (self, self->reading, &reading);
  add_choice (self, self->shift_drag, &shift_drag);
  show_settings (self);
  g_signal_connect_swapped (self->numbers, "notify::active", G_CALLBACK (numbers_chosen), self);
  g_signal_connect_swapped (self->restore, "notify::active", G_CALLBACK (restore_chosen), self);
  g_signal_connect_swapped (self->limit, "notify::enable-expansion", G_CALLBACK (limit_changed), self);
  g_signal_connect_swapped (self->peak_tflops, "value-changed", G_CALLBACK (peak_changed), self);
  g_signal_connect_swapped (self->peak_bandwidth, "value-changed", G_CALLBACK (peak_changed), self);
  g_signal_connect_swapped (self->limit_mb, "value-changed", G_CALLBACK (limit_changed), self);
}

LoomPreferences *
loom_preferences_new (GtkApplication *application)
{
  LoomPreferences *self =
    g_object_new (LOOM_TYPE_PREFERENCES, "transient-for", gtk_application_get_active_window (application), NULL);
  loom_dialog_size_set (GTK_WINDOW (self), 560, 560);
  loom_help_key_add (GTK_WINDOW (self));
  return self;
}
