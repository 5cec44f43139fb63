/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds a menu when its button is pressed for the first time. A menu that is built earlier would slow down the start
 * of the window: building the menu takes as long as the rest of the header bar, and it is updated whenever an action is
 * added. The functions must be called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

void loom_lazy_menu_set (GtkMenuButton *button, GMenuModel *model);
