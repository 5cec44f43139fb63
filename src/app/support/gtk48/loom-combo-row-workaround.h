/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the selected item of a combo row in full. libadwaita cuts it to a few letters rather than wrapping the subtitle
 * of the row. Called on the main thread.
 */
#pragma once

#include <adwaita.h>

/* Applies the workaround to a row whose model consists of GtkStringObject. The popup list is not changed. */
void loom_combo_row_workaround_set (AdwComboRow *row);
