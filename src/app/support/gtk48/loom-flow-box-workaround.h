/* SPDX-License-Identifier: Apache-2.0
 *
 * Widgets side by side in as many columns as have room, none of which is chosen. A GtkFlowBox does it, but for the focus: asked to move
 * on to a place where nothing takes the focus it says that it did, and Tab goes no further.
 */
#pragma once

#include <adwaita.h>

#define LOOM_TYPE_FLOW_BOX_WORKAROUND (loom_flow_box_workaround_get_type ())
G_DECLARE_FINAL_TYPE (LoomFlowBoxWorkaround, loom_flow_box_workaround, LOOM, FLOW_BOX_WORKAROUND, AdwBin)

GtkWidget *loom_flow_box_workaround_new (guint max_columns, guint column_px, guint row_px);
/* Takes ownership of the widget. */
void loom_flow_box_workaround_append (LoomFlowBoxWorkaround *self, GtkWidget *widget);
