/* SPDX-License-Identifier: Apache-2.0
 *
 * Hides the tooltips of buttons while their menus are open, for all windows of the program: GTK shows the tooltip below
 * the button, where it covers the first entry of the menu. Called on the main thread.
 */
#pragma once

/* From now on, while a menu or another popover that closes on a click outside of it is open, the widgets that contain
 * it show no tooltips. Call once. */
void loom_menu_tooltip_install (void);
