/* SPDX-License-Identifier: Apache-2.0
 *
 * What is chosen in a row, whole: libadwaita shortens it to a few letters before it wraps the sentence below the title. Main
 * thread.
 */
#pragma once

#include <adwaita.h>

/* For rows whose model holds GtkStringObject. The popup list is not changed. */
void loom_combo_row_workaround_set (AdwComboRow *row);
