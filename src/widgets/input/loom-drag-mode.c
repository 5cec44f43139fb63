/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-drag-mode.h"

#include "loom-bounded-text.h"
#include "loom-lazy-menu.h"

#include <glib/gi18n.h>

static const struct {
  const char *word;
  const char *title;
  const char *key;
  const char *icon;
} modes[LOOM_N_DRAG_MODES] = {
  [LOOM_DRAG_MODE_SELECT] = { "select", N_ ("Select"), "1", "loom-mode-select-symbolic" },
  [LOOM_DRAG_MODE_PAN] = { "pan", N_ ("Pan"), "2", "loom-mode-pan-symbolic" },
  [LOOM_DRAG_MODE_ZOOM] = { "zoom", N_ ("Zoom"), "3", "loom-mode-zoom-symbolic" },
  [LOOM_DRAG_MODE_TIMING] = { "timing", N_ ("Measure"), "4", "loom-mode-timing-symbolic" },
};

const char *
loom_drag_mode_get_word (LoomDragMode mode)
{
  g_return_val_if_fail (mode < LOOM_N_DRAG_MODES, NULL);
  return modes[mode].word;
}

LoomDragMode
loom_drag_mode_from_word (const char *word)
{
  for (LoomDragMode mode = 0; mode < LOOM_N_DRAG_MODES; mode++)
    if (g_str_equal (modes[mode].word, word))
      return mode;
  return LOOM_DRAG_MODE_SELECT;
}

static GMenuModel *
new_menu (void)
{
  GMenu *menu = g_menu_new ();
  for (LoomDragMode mode = 0; mode < LOOM_N_DRAG_MODES; mode++) {
    g_autoptr (GMenuItem) item = g_menu_item_new (_ (modes[mode].title), NULL);
    g_menu_item_set_action_and_target (item, "timeline.mode", "s", modes[mode].word);
    g_menu_item_set_attribute (item, "accel", "s", modes[mode].key);
    g_menu_append_item (menu, item);
  }
  return G_MENU_MODEL (menu);
}

void
loom_drag_mode_button_set_menu (GtkWidget *button)
{
  g_autoptr (GMenuModel) menu = new_menu ();
  loom_lazy_menu_set (GTK_MENU_BUTTON (button), menu);
  loom_drag_mode_button_show (button, LOOM_DRAG_MODE_SELECT);
}

void
loom_drag_mode_button_show (GtkWidget *button, LoomDragMode mode)
{
  g_return_if_fail (GTK_IS_MENU_BUTTON (button) && mode < LOOM_N_DRAG_MODES);
  /* Translators: what dragging does: "Mode: Pan (2)"; the digit is its key */
  g_autofree char *text = g_strdup_printf (_ ("Mode: %s (%s)"), _ (modes[mode].title), modes[mode].key);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), modes[mode].icon);
  loom_bounded_text_set_tip (button, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}
