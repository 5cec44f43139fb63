/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the whole text of the selected item of a combo row. Without this workaround, libadwaita truncates the text to a
 * few letters, so that the subtitle of the row does not have to wrap. Called on the main thread.
 */
#pragma once

#include <adwaita.h>

/* Applies the workaround to a combo row. The items of its model must be GtkStringObject. The popup list is not
 * changed. */
void loom_combo_row_workaround_set (AdwComboRow *row);
