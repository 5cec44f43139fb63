/* SPDX-License-Identifier: Apache-2.0
 *
 * A menu that is made when its button is first pressed: what it lists costs as much as the rest of the header bar, and follows every
 * action that comes and goes while a window starts. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

void loom_lazy_menu_set (GtkMenuButton *button, GMenuModel *model);
