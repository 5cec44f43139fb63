/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes search queries: the first line of the input is the query, a regular expression if it begins with ~; the rest
 * are the args of an event. A text without filters matches what GLib's casefolding finds; a filter for a member matches
 * what json-glib finds in strict JSON.
 */
#include "fuzz.h"

#include "loom-search-query.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define MOST_QUERY_BYTES 200 /* limit, because matching a long regular expression can take very long */
#define MOST_ARGS_BYTES 1000
#define MOST_DEPTH 60

static void
check_name (const LoomSearchQuery *query, const char *text, const char *name)
{
  g_autofree char *folded = g_utf8_casefold (name, -1), *part = g_utf8_casefold (text, -1);
  gboolean wanted = strstr (folded, part) != NULL;
  fuzz_check (loom_search_query_matches_name (query, name) == wanted, "“%s” in “%s”: %d", text, name, !wanted);
}

static void
find_member (JsonObject *object, const char *name, JsonNode *node, gpointer user_data)
{
  gpointer *wanted = user_data;
  if (g_ascii_strcasecmp (name, wanted[0]) == 0)
    wanted[1] = node;
}

/* Parses args with json-glib if it agrees with the program on their keys, which have no escapes and no duplicates;
 * otherwise returns NULL. */
static JsonParser *
parse_plain (const char *args, gsize length)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  if (!fuzz_is_json (args, length, MOST_DEPTH) || memchr (args, '\\', length) != NULL ||
      !json_parser_load_from_data (parser, args, (gssize) length, NULL) ||
      !JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)))
    return NULL;
  return g_steal_pointer (&parser);
}

static void
check_exists (const LoomArgFilter *filter, JsonParser *parser, gboolean matches)
{
  gpointer wanted[] = { filter->key, NULL };
  if (filter->test != LOOM_ARG_EXISTS || filter->key == NULL || strchr (filter->key, '.') != NULL)
    return;
  json_object_foreach_member (json_node_get_object (json_parser_get_root (parser)), find_member, wanted);
  fuzz_check (matches == (wanted[1] != NULL), "a member “%s”: %d", filter->key, matches);
}

static void
check_filters (const LoomSearchQuery *query, const char *args, gsize length)
{
  const GPtrArray *filters = loom_search_query_get_filters (query);
  g_autoptr (JsonParser) parser = parse_plain (args, length);
  g_autoptr (GString) room = g_string_new (NULL);
  for (guint i = 0; i < filters->len; i++) {
    const LoomArgFilter *filter = filters->pdata[i];
    gboolean matches = loom_arg_filter_matches (filter, (LoomJsonSlice) { args, length }, room);
    if (parser != NULL)
      check_exists (filter, parser, matches);
  }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  const guint8 *end = size > 0 ? memchr (data, '\n', size) : NULL;
  gsize n_line = end != NULL ? (gsize) (end - data) : size, n_args = end != NULL ? size - n_line - 1 : 0;
  if (n_line > MOST_QUERY_BYTES || n_args > MOST_ARGS_BYTES || !g_utf8_validate_len ((const char *) data, n_line, NULL))
    return 0;
  g_autofree char *line = g_strndup ((const char *) data, n_line),
                  *args = fuzz_exact (n_args > 0 ? &data[n_line + 1] : data, n_args);
  gboolean regex = line[0] == '~';
  const char *text = line + regex;
  g_autoptr (LoomSearchQuery) query = loom_search_query_new (text, regex, NULL);
  g_autofree char *small = g_ascii_strdown (text, -1), *name = g_utf8_make_valid (args, (gssize) n_args);
  gboolean has_filters =
    strstr (small, "args") != NULL || strstr (small, "cat") != NULL || strstr (small, "dur") != NULL;
  fuzz_check (query != NULL || regex || has_filters, "a plain text is refused: “%s”", text);
  if (query == NULL)
    return 0;
  fuzz_check (has_filters || loom_search_query_get_filters (query)->len == 0, "a filter in “%s”", text);
  if (!regex && !has_filters) {
    check_name (query, text, name);
    check_name (query, text, text);
  }
  loom_search_query_matches_name (query, name);
  check_filters (query, args, n_args);
  return 0;
}
