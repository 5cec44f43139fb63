/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-completion.h"

#include "loom-ellipsize.h"
#include "loom-query-names.h"

#include <string.h>

#define MOST_PROPOSALS 50
#define LONGEST_SHOWN 60 /* maximum number of characters of a name that are shown in the list of proposals */

/* --- proposals ---------------------------------------------------------------------------------------------------- */

#define LOOM_TYPE_QUERY_COMPLETION_NAME (loom_query_completion_name_get_type ())
G_DECLARE_FINAL_TYPE (LoomQueryCompletionName, loom_query_completion_name, LOOM, QUERY_COMPLETION_NAME, GObject)

struct _LoomQueryCompletionName {
  GObject parent;
  char *name;
};

static void
init_proposal (GtkSourceCompletionProposalInterface *interface)
{
}

G_DEFINE_FINAL_TYPE_WITH_CODE (LoomQueryCompletionName, loom_query_completion_name, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GTK_SOURCE_TYPE_COMPLETION_PROPOSAL, init_proposal))

static void
finalize_name (GObject *object)
{
  g_free (LOOM_QUERY_COMPLETION_NAME (object)->name);
  G_OBJECT_CLASS (loom_query_completion_name_parent_class)->finalize (object);
}

static void
loom_query_completion_name_class_init (LoomQueryCompletionNameClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize_name;
}

static void
loom_query_completion_name_init (LoomQueryCompletionName *self)
{
}

/* --- quoted text at the cursor ------------------------------------------------------------------------------------ */

/* Returns TRUE if the cursor is inside quotes. Sets `begin` to the position after the opening quote or, if a pattern
 * begins there with %, after the %. A doubled quote is read as the end of one text and the start of another, which
 * gives the same result. O(length of the query). */
static gboolean
find_quoted (GtkSourceCompletionContext *context, GtkTextIter *begin, GtkTextIter *end)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (gtk_source_completion_context_get_buffer (context));
  GtkTextIter start;
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_get_iter_at_mark (buffer, end, gtk_text_buffer_get_insert (buffer));
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, end, TRUE);
  const char *open = NULL;
  for (const char *at = text; *at != '\0'; at++)
    if (*at == '\'')
      open = open == NULL ? at : NULL;
    else if (open == NULL && at[0] == '-' && at[1] == '-')
      at += strcspn (at, "\n") - 1;
  if (open == NULL || strchr (open, '\n') != NULL)
    return FALSE;
  open += 1 + strspn (open + 1, "%");
  gtk_text_buffer_get_iter_at_offset (buffer, begin, (int) g_utf8_strlen (text, open - text));
  return TRUE;
}

/* --- provider of completions -------------------------------------------------------------------------------------- */

struct _LoomQueryCompletion {
  GObject parent;
  LoomQueryState *query;
};

static void
fill (LoomQueryCompletion *self, GtkSourceCompletionContext *context, GListStore *store)
{
  const GPtrArray *names = loom_query_state_get_names (self->query);
  GtkTextIter begin, end;
  g_list_store_remove_all (store);
  if (names == NULL || !find_quoted (context, &begin, &end))
    return;
  g_autofree char *typed = gtk_text_iter_get_text (&begin, &end);
  g_autoptr (GPtrArray) found = loom_query_names_find (names, typed, MOST_PROPOSALS);
  for (guint i = 0; i < found->len; i++) {
    g_autoptr (LoomQueryCompletionName) name = g_object_new (LOOM_TYPE_QUERY_COMPLETION_NAME, NULL);
    name->name = g_strdup (found->pdata[i]);
    g_list_store_append (store, name);
  }
}

static GListModel *
populate (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context, GError **error)
{
  GListStore *store = g_list_store_new (LOOM_TYPE_QUERY_COMPLETION_NAME);
  fill (LOOM_QUERY_COMPLETION (provider), context, store);
  return G_LIST_MODEL (store);
}

static void
refilter (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context, GListModel *model)
{
  fill (LOOM_QUERY_COMPLETION (provider), context, G_LIST_STORE (model));
}

static void
display (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context,
         GtkSourceCompletionProposal *proposal, GtkSourceCompletionCell *cell)
{
  if (gtk_source_completion_cell_get_column (cell) != GTK_SOURCE_COMPLETION_COLUMN_TYPED_TEXT) {
    gtk_source_completion_cell_set_text (cell, NULL);
    return;
  }
  g_autofree char *shown = loom_ellipsize_middle (LOOM_QUERY_COMPLETION_NAME (proposal)->name, LONGEST_SHOWN);
  gtk_source_completion_cell_set_text (cell, shown);
}

/* Replaces the typed text by the name, in which quotes are doubled. */
static void
activate (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context,
          GtkSourceCompletionProposal *proposal)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (gtk_source_completion_context_get_buffer (context));
  GtkTextIter begin, end;
  if (!find_quoted (context, &begin, &end))
    return;
  g_auto (GStrv) parts = g_strsplit (LOOM_QUERY_COMPLETION_NAME (proposal)->name, "'", -1);
  g_autofree char *escaped = g_strjoinv ("''", parts);
  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_delete (buffer, &begin, &end);
  gtk_text_buffer_insert (buffer, &begin, escaped, -1);
  gtk_text_buffer_end_user_action (buffer);
}

static gboolean
is_trigger (GtkSourceCompletionProvider *provider, const GtkTextIter *iter, gunichar ch)
{
  return ch == '\'';
}

static int
get_priority (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context)
{
  return 100; /* the names of the run are listed before SQL keywords, whose provider has a lower priority */
}

static void
init_provider (GtkSourceCompletionProviderInterface *interface)
{
  interface->populate = populate;
  interface->refilter = refilter;
  interface->display = display;
  interface->activate = activate;
  interface->is_trigger = is_trigger;
  interface->get_priority = get_priority;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (LoomQueryCompletion, loom_query_completion, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GTK_SOURCE_TYPE_COMPLETION_PROVIDER, init_provider))

static void
finalize (GObject *object)
{
  g_clear_object (&LOOM_QUERY_COMPLETION (object)->query);
  G_OBJECT_CLASS (loom_query_completion_parent_class)->finalize (object);
}

static void
loom_query_completion_class_init (LoomQueryCompletionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
loom_query_completion_init (LoomQueryCompletion *self)
{
}

GtkSourceCompletionProvider *
loom_query_completion_new (LoomQueryState *query)
{
  LoomQueryCompletion *self = g_object_new (LOOM_TYPE_QUERY_COMPLETION, NULL);
  self->query = g_object_ref (query);
  return GTK_SOURCE_COMPLETION_PROVIDER (self);
}
