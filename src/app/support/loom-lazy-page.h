/* SPDX-License-Identifier: Apache-2.0
 *
 * A page of a stack whose content is created when the page is first shown or requested. Creating the contents of all
 * pages would delay the first frame of the window. Main thread only.
 */
#pragma once

#include <adwaita.h>

#define LOOM_TYPE_LAZY_PAGE (loom_lazy_page_get_type ())
G_DECLARE_FINAL_TYPE (LoomLazyPage, loom_lazy_page, LOOM, LAZY_PAGE, AdwBin)

/* Makes the content of a lazy page. Called at most once, with the arguments `owner` and `data` of
 * loom_lazy_page_new(); both must live as long as the page. */
typedef GtkWidget *(*LoomLateMaker) (gpointer owner, gconstpointer data);
GtkWidget *loom_lazy_page_new (LoomLateMaker make, gpointer owner, gconstpointer data);

/* Returns the content of the page; makes it if it does not exist yet. Borrowed. */
GtkWidget *loom_lazy_page_get (LoomLazyPage *self);
