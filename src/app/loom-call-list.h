/* SPDX-License-Identifier: Apache-2.0
 *
 * Who called a function of a Python profile, or what it called: a line each. A double click (or Return) goes there.
 * Signal "function-chosen" (guint function). Main thread.
 */
#pragma once

#include "loom-profile.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_CALL_LIST (loom_call_list_get_type ())
G_DECLARE_FINAL_TYPE (LoomCallList, loom_call_list, LOOM, CALL_LIST, GtkWidget)

/* `callees`: what it called, else who called it. */
GtkWidget *loom_call_list_new (gboolean callees);
/* `profile` NULL or `function` G_MAXUINT32: empty. */
void loom_call_list_show (LoomCallList *list, LoomProfile *profile, guint32 function);
guint loom_call_list_get_n (LoomCallList *list);

G_END_DECLS
