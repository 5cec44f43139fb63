/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-completion.h"

#include "loom-ellipsize.h"
#include "loom-query-names.h"
#include "loom-query-words.h"

#include <string.h>

#define MOST_PROPOSALS 50
/* names of tables and columns are proposed when the user has typed at least this number of letters */
#define LEAST_LETTERS 2
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

/* --- word at the cursor ------------------------------------------------------------------------------------------- */

/* Returns the kind of the word before the cursor, and sets `begin` and `end` to its range, which ends at the cursor.
 * O(length of the query). */
static LoomQueryWordsKind
find_typed (GtkSourceCompletionContext *context, GtkTextIter *begin, GtkTextIter *end)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (gtk_source_completion_context_get_buffer (context));
  GtkTextIter start;
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_get_iter_at_mark (buffer, end, gtk_text_buffer_get_insert (buffer));
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, end, TRUE);
  const char *word = text;
  LoomQueryWordsKind kind = loom_query_words_find_typed (text, &word);
  gtk_text_buffer_get_iter_at_offset (buffer, begin, (int) g_utf8_strlen (text, word - text));
  return kind;
}

/* --- provider of completions -------------------------------------------------------------------------------------- */

struct _LoomQueryCompletion {
  GObject parent;
  LoomQueryState *query;
};

/* Returns the texts that can complete a quoted text that begins at `begin`. If the quoted text is compared with a known
 * column, these are the values of this column; otherwise they are the names of the run. Borrowed; NULL if the texts are
 * not collected yet. */
static const GPtrArray *
get_texts (LoomQueryCompletion *self, GtkSourceCompletionContext *context, const GtkTextIter *begin)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (gtk_source_completion_context_get_buffer (context));
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *before = gtk_text_buffer_get_text (buffer, &start, begin, TRUE),
                  *text = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  /* remove the opening quote, and everything after it, from `before`, as loom_query_words_dup_values() requires */
  *strrchr (before, '\'') = '\0';
  g_autofree char *sql = loom_query_words_dup_values (before, text, LOOM_QUERY_NAMES_MOST);
  return sql != NULL ? loom_query_state_get_values (self->query, sql) : loom_query_state_get_names (self->query);
}

/* Returns the names that complete `typed`, which begins at `begin`. The caller owns the array; the names are borrowed.
 * If the user has requested the list of proposals, returns names even if `typed` is empty. If not, returns names of
 * tables and columns only if `typed` has at least LEAST_LETTERS letters. */
static GPtrArray *
find_names (LoomQueryCompletion *self, GtkSourceCompletionContext *context, LoomQueryWordsKind kind,
            const GtkTextIter *begin, const char *typed)
{
  const GPtrArray *names = kind == LOOM_QUERY_WORDS_TEXT ? get_texts (self, context, begin) : NULL;
  gboolean is_asked =
    gtk_source_completion_context_get_activation (context) == GTK_SOURCE_COMPLETION_ACTIVATION_USER_REQUESTED;
  if (kind == LOOM_QUERY_WORDS_TEXT && names != NULL)
    return loom_query_names_find (names, typed, MOST_PROPOSALS);
  gboolean is_name = kind == LOOM_QUERY_WORDS_NAME || kind == LOOM_QUERY_WORDS_TABLE;
  if (is_asked ? kind != LOOM_QUERY_WORDS_TEXT : is_name && strlen (typed) >= LEAST_LETTERS)
    return loom_query_words_list (typed, kind == LOOM_QUERY_WORDS_TABLE);
  return g_ptr_array_new ();
}

static void
fill (LoomQueryCompletion *self, GtkSourceCompletionContext *context, GListStore *store)
{
  GtkTextIter begin, end;
  LoomQueryWordsKind kind = find_typed (context, &begin, &end);
  g_autofree char *typed = gtk_text_iter_get_text (&begin, &end);
  g_autoptr (GPtrArray) found = find_names (self, context, kind, &begin, typed);
  g_list_store_remove_all (store);
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

/* Replaces the typed text by the chosen name. For a text in quotes, doubles the quotes in the name, and adds the
 * closing quote if it is missing. */
static void
activate (GtkSourceCompletionProvider *provider, GtkSourceCompletionContext *context,
          GtkSourceCompletionProposal *proposal)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (gtk_source_completion_context_get_buffer (context));
  GtkTextIter begin, end;
  LoomQueryWordsKind kind = find_typed (context, &begin, &end);
  gboolean has_quote = gtk_text_iter_get_char (&end) == '\'';
  g_auto (GStrv) parts = g_strsplit (LOOM_QUERY_COMPLETION_NAME (proposal)->name, "'", -1);
  g_autofree char *escaped = g_strjoinv ("''", parts);
  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_delete (buffer, &begin, &end);
  gtk_text_buffer_insert (buffer, &begin, escaped, -1);
  if (kind == LOOM_QUERY_WORDS_TEXT && !has_quote)
    gtk_text_buffer_insert (buffer, &begin, "'", 1);
  else if (kind == LOOM_QUERY_WORDS_TEXT && gtk_text_iter_forward_char (&begin))
    gtk_text_buffer_place_cursor (buffer, &begin);
  gtk_text_buffer_end_user_action (buffer);
}

static gboolean
is_trigger (GtkSourceCompletionProvider *provider, const GtkTextIter *iter, gunichar ch)
{
  return ch == '\'';
}

static void
init_provider (GtkSourceCompletionProviderInterface *interface)
{
  interface->populate = populate;
  interface->refilter = refilter;
  interface->display = display;
  interface->activate = activate;
  interface->is_trigger = is_trigger;
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
