/* SPDX-License-Identifier: Apache-2.0 */
/* What other people's headers most sources read, of those that the layer may see; read once for all with -Db_pch=true.
 * Every source still includes what it uses: the usual build is without, and house/includes looks. */

#define _GNU_SOURCE /* as the sources that need it: too late for them once these have been read */

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#if __has_include(<pango/pangocairo.h>)
#include <pango/pangocairo.h>
#endif
#if __has_include(<json-glib/json-glib.h>)
#include <json-glib/json-glib.h>
#endif
#if __has_include(<gtk/gtk.h>)
#include <gtk/gtk.h>
#endif
#if __has_include(<adwaita.h>)
#include <adwaita.h>
#endif
