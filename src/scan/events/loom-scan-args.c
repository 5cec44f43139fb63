/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-scan-args.h"

#include "loom-event-parser.h"

typedef struct {
  const LoomJsonSlice *keys;
  LoomJsonSlice *values;
  guint n, n_found;
} Search;

static void
clear (Search *search)
{
  search->n_found = 0;
  for (guint i = 0; i < search->n; i++)
    search->values[i] = (LoomJsonSlice) { NULL, 0 };
}

static inline void
take (Search *search, LoomJsonSlice key, LoomJsonSlice value)
{
  for (guint i = 0; i < search->n; i++)
    if (search->keys[i].length == key.length && memcmp (search->keys[i].text, key.text, key.length) == 0) {
      search->n_found += search->values[i].text == NULL;
      search->values[i] = search->values[i].text == NULL ? value : search->values[i];
      return;
    }
}

/* Moves `*p` from the opening quote of a key to the value after the colon. */
static inline gboolean
read_key (const char **p, const char *end, LoomJsonSlice *key)
{
  const char *start = *p;
  if (*start != '"' || loom_json_skip_string (p, end) != LOOM_JSON_SKIP_OK)
    return FALSE;
  *key = (LoomJsonSlice) { start, (gsize) (*p - start) };
  *p = loom_json_skip_blanks (*p, end);
  if (*p >= end || **p != ':')
    return FALSE;
  *p = loom_json_skip_blanks (*p + 1, end);
  return *p < end;
}

/* Moves `*p` from the opening brace of the args to the end of the args. If all keys are found before, moves `*p` only
 * to the end of the value that was found last. */
static gboolean
walk_args (Search *search, const char **p, const char *end)
{
  ++*p;
  while (search->n_found < search->n) {
    LoomJsonSlice key;
    *p = loom_json_skip_blanks_and_commas (*p, end);
    if (*p < end && **p == '}') {
      ++*p;
      return TRUE;
    }
    if (*p >= end || !read_key (p, end, &key))
      return FALSE;
    const char *start = *p;
    if (loom_json_skip_value (p, end) != LOOM_JSON_SKIP_OK)
      return FALSE;
    take (search, key, (LoomJsonSlice) { start, (gsize) (*p - start) });
  }
  return TRUE;
}

gboolean
loom_scan_args_find (const char *text, gsize length, const LoomJsonSlice *keys, guint n, LoomJsonSlice *values)
{
  Search search = { keys, values, n, 0 };
  const char *at = text, *end = text + length;
  clear (&search);
  if (at >= end || *at++ != '{')
    return FALSE;
  for (;;) {
    LoomMember member;
    if (loom_event_parser_to_value (&at, end, &member) != LOOM_JSON_SKIP_OK)
      return FALSE;
    if (member == LOOM_EVENT_ENDS)
      return TRUE;
    if (member == LOOM_MEMBER_ARGS)
      clear (&search); /* if the event has several members "args", only the last one is used */
    gboolean is_object = member == LOOM_MEMBER_ARGS && at < end && *at == '{';
    if (is_object ? !walk_args (&search, &at, end) : loom_event_parser_member (&at, end) != LOOM_JSON_SKIP_OK)
      return FALSE;
    if (n > 0 && search.n_found == n)
      return TRUE;
  }
}
