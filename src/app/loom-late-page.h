/* SPDX-License-Identifier: Apache-2.0
 *
 * A place in a stack whose widget is made when it is first seen, or asked for: a window is quicker there when it need not make what
 * nobody has looked at. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_LATE_PAGE (loom_late_page_get_type ())
G_DECLARE_FINAL_TYPE (LoomLatePage, loom_late_page, LOOM, LATE_PAGE, GtkWidget)

/* `make` is called once, with both; they outlive the page. */
typedef GtkWidget *(*LoomLateMaker) (gpointer owner, gconstpointer data);
GtkWidget *loom_late_page_new (LoomLateMaker make, gpointer owner, gconstpointer data);

/* Makes it if it is not there; borrowed. */
GtkWidget *loom_late_page_get (LoomLatePage *page);

G_END_DECLS
