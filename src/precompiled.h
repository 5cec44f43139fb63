/* SPDX-License-Identifier: Apache-2.0 */
/* Headers from outside of this program that most source files include; precompiled once per library of src with
 * -Db_pch=true. Every source file still includes all headers that it uses, because the default build has no precompiled
 * header; the test house/includes checks this. */

#define _GNU_SOURCE /* must be before all headers; a definition in a source file would come too late */

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
