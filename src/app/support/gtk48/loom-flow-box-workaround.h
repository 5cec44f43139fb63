/* SPDX-License-Identifier: Apache-2.0
 *
 * Arranges widgets in as many columns as fit, without selection. It replaces GtkFlowBox because of an error of GTK: Tab
 * cannot leave a GtkFlowBox, because the box reports that it has moved the focus although no other child can take it.
 * Main thread only.
 */
#pragma once

#include <adwaita.h>

#define LOOM_TYPE_FLOW_BOX_WORKAROUND (loom_flow_box_workaround_get_type ())
G_DECLARE_FINAL_TYPE (LoomFlowBoxWorkaround, loom_flow_box_workaround, LOOM, FLOW_BOX_WORKAROUND, AdwBin)

GtkWidget *loom_flow_box_workaround_new (guint max_columns, guint column_px, guint row_px);
/* Appends a child; takes ownership of it. */
void loom_flow_box_workaround_append (LoomFlowBoxWorkaround *self, GtkWidget *widget);
