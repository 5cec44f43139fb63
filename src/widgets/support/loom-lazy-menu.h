/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds a menu when its button is first pressed: building costs as much as the rest of the header bar, and a built
 * menu is updated for every action that is added while a window starts. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

void loom_lazy_menu_set (GtkMenuButton *button, GMenuModel *model);
