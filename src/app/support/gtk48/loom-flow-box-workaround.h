/* SPDX-License-Identifier: Apache-2.0
 *
 * Arranges widgets in as many columns as fit, without selection. It replaces GtkFlowBox, in which Tab does not leave
 * the box: when no other child can take the focus, GtkFlowBox nevertheless reports that it has moved the focus.
 */
#pragma once

#include <adwaita.h>

#define LOOM_TYPE_FLOW_BOX_WORKAROUND (loom_flow_box_workaround_get_type ())
G_DECLARE_FINAL_TYPE (LoomFlowBoxWorkaround, loom_flow_box_workaround, LOOM, FLOW_BOX_WORKAROUND, AdwBin)

GtkWidget *loom_flow_box_workaround_new (guint max_columns, guint column_px, guint row_px);
/* Appends a child, of which it takes ownership. */
void loom_flow_box_workaround_append (LoomFlowBoxWorkaround *self, GtkWidget *widget);
