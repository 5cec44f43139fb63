/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-preferences.h"

#include "loom-combo-row-workaround.h"
#include "loom-dialog-size.h"
#include "loom-settings.h"
#include "loom-window-measure-workaround.h"

/* What the switch of the limit begins with. */
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
};

G_DEFINE_FINAL_TYPE (LoomPreferences, loom_preferences, ADW_TYPE_PREFERENCES_WINDOW)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* The settings' words, in the order of the rows. */
static const char *const styles[] = { "system", "light", "dark", NULL };
static const char *const readings[] = { "start", "utc", "local", "step", NULL };
static const char *const numbers[] = { "intended", "smdebug", NULL };
static const char *const shift_drags[] = { "zoom", "pan", NULL };

static const AdwColorScheme schemes[] = { ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_LIGHT,
                                          ADW_COLOR_SCHEME_FORCE_DARK };

static guint
index_of (const char *key, const char *const *words)
{
  g_autofree char *word = loom_settings_dup_string (key);
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], word))
      return i;
  return 0;
}

void
loom_preferences_apply_style (void)
{
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), schemes[index_of (LOOM_SETTING_STYLE, styles)]);
}

static void
apply (LoomPreferences *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
store_word (LoomPreferences *self, const char *key, const char *const *words, AdwComboRow *row)
{
  guint at = adw_combo_row_get_selected (row);
  if (at >= g_strv_length ((char **) words) || at == index_of (key, words))
    return;
  loom_settings_set_string (key, words[at]);
  apply (self);
}

static void
style_chosen (LoomPreferences *self)
{
  store_word (self, LOOM_SETTING_STYLE, styles, self->style);
}

static void
reading_chosen (LoomPreferences *self)
{
  store_word (self, LOOM_SETTING_RULER, readings, self->reading);
}

static void
shift_drag_chosen (LoomPreferences *self)
{
  store_word (self, LOOM_SETTING_SHIFT_DRAG, shift_drags, self->shift_drag);
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
}

static void
show_settings (LoomPreferences *self)
{
  int limit_mb = loom_settings_get_int (LOOM_SETTING_MEMORY_BUDGET);
  adw_combo_row_set_selected (self->style, index_of (LOOM_SETTING_STYLE, styles));
  adw_combo_row_set_selected (self->reading, index_of (LOOM_SETTING_RULER, readings));
  adw_combo_row_set_selected (self->shift_drag, index_of (LOOM_SETTING_SHIFT_DRAG, shift_drags));
  gtk_switch_set_active (self->restore, loom_settings_get_boolean (LOOM_SETTING_RESTORE));
  gtk_switch_set_active (self->numbers, index_of (LOOM_SETTING_NUMBERS, numbers) == 1);
  adw_expander_row_set_enable_expansion (self->limit, limit_mb > 0);
  adw_expander_row_set_expanded (self->limit, limit_mb > 0);
  gtk_spin_button_set_value (self->limit_mb, limit_mb > 0 ? limit_mb : FIRST_LIMIT_MB);
}

static void
loom_preferences_init (LoomPreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_combo_row_workaround_set (self->style);
  loom_combo_row_workaround_set (self->reading);
  loom_combo_row_workaround_set (self->shift_drag);
  show_settings (self);
  g_signal_connect_swapped (self->style, "notify::selected", G_CALLBACK (style_chosen), self);
  g_signal_connect_swapped (self->reading, "notify::selected", G_CALLBACK (reading_chosen), self);
  g_signal_connect_swapped (self->shift_drag, "notify::selected", G_CALLBACK (shift_drag_chosen), self);
  g_signal_connect_swapped (self->numbers, "notify::active", G_CALLBACK (numbers_chosen), self);
  g_signal_connect_swapped (self->restore, "notify::active", G_CALLBACK (restore_chosen), self);
  g_signal_connect_swapped (self->limit, "notify::enable-expansion", G_CALLBACK (limit_changed), self);
  g_signal_connect_swapped (self->limit_mb, "value-changed", G_CALLBACK (limit_changed), self);
}

LoomPreferences *
loom_preferences_new (GtkApplication *application)
{
  LoomPreferences *self =
    g_object_new (LOOM_TYPE_PREFERENCES, "transient-for", gtk_application_get_active_window (application), NULL);
  loom_dialog_size_set (GTK_WINDOW (self), 560, 560);
  return self;
}
