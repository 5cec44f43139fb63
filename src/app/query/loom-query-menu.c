/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-menu.h"

#include "loom-ellipsize.h"
#include "loom-query-library.h"

#include <glib/gi18n.h>

/* Maximum number of characters of a query's title in the menu. */
#define LONGEST_LABEL 60

/* Appends an item to the menu. Doubles underscores in its title, because a single underscore would mark a mnemonic. */
static void
append (GMenu *menu, const char *title, const char *action, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (title, "_", -1);
  g_autofree char *label = g_strjoinv ("__", parts), *shown = loom_ellipsize_middle (label, LONGEST_LABEL);
  g_autoptr (GMenuItem) item = g_menu_item_new (shown, NULL);
  g_menu_item_set_action_and_target (item, action, "s", name);
  g_menu_append_item (menu, item);
}

static void
append_section (GMenu *menu, const char *title, GMenu *section)
{
  if (g_menu_model_get_n_items (G_MENU_MODEL (section)) > 0)
    g_menu_append_section (menu, title, G_MENU_MODEL (section));
}

void
loom_query_menu_fill (GMenu *menu, LoomSavedQueries *saved, const GPtrArray *named)
{
  g_autoptr (GMenu) of_session = g_menu_new (), shipped = g_menu_new (), own = g_menu_new ();
  while (g_menu_model_get_n_items (G_MENU_MODEL (menu)) > 1)
    g_menu_remove (menu, 1);
  for (guint i = 0; i < loom_saved_queries_get_n (saved); i++)
    append (of_session, loom_saved_queries_get_name (saved, i), "query.take-saved",
            loom_saved_queries_get_name (saved, i));
  for (guint i = 0; i < named->len; i++) {
    const LoomNamedQuery *each = named->pdata[i];
    append (each->shipped ? shipped : own, each->shipped ? _ (each->title) : each->title, "query.take", each->name);
  }
  append_section (menu, _ ("Saved in the Session"), of_session);
  append_section (menu, _ ("Your Queries"), own);
  append_section (menu, _ ("Examples"), shipped);
}
