/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-arg-filter.h: finds the named args in the JSON text of an event, and tests their values.
 */
#include "loom-arg-filter.h"

#include "loom-parse-time.h"

#include <math.h>
#include <string.h>

#define MOST_DEPTH 64 /* maximum nesting depth of args that are searched */

static double
number_of (const char *text)
{
  double number;
  return loom_parse_time_parse_double (text, strlen (text), &number) ? number : NAN;
}

LoomArgFilter *
loom_arg_filter_new (char *key, LoomArgTest test, char *value, GRegex *regex)
{
  LoomArgFilter *filter = g_new (LoomArgFilter, 1);
  g_autofree char *text = value;
  *filter = (LoomArgFilter) { key, test, value != NULL ? g_utf8_casefold (value, -1) : NULL, regex,
                              value != NULL ? number_of (value) : NAN };
  if (test < LOOM_ARG_LESS || !isnan (filter->number))
    return filter;
  loom_arg_filter_free (filter);
  return NULL;
}

void
loom_arg_filter_free (LoomArgFilter *filter)
{
  g_free (filter->key);
  g_free (filter->value);
  g_clear_pointer (&filter->regex, g_regex_unref);
  g_free (filter);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static gboolean
contains (const LoomArgFilter *filter, LoomJsonSlice slice, GString *room)
{
  g_string_truncate (room, 0);
  loom_json_slice_decode (slice, room);
  if (filter->regex != NULL)
    return g_regex_match (filter->regex, room->str, 0, NULL);
  g_autofree char *folded = g_utf8_casefold (room->str, (gssize) room->len);
  return strstr (folded, filter->value) != NULL;
}

/* Returns TRUE if `text` is equal to the value of the filter, as text or as number. Compares integers as integers,
 * because large neighbouring integers would be equal as doubles. */
static gboolean
is_same (const LoomArgFilter *filter, const char *text)
{
  gint64 a, b;
  g_autofree char *folded = g_utf8_casefold (text, -1);
  if (strcmp (folded, filter->value) == 0)
    return TRUE;
  if (loom_parse_time_parse_int (text, strlen (text), &a) &&
      loom_parse_time_parse_int (filter->value, strlen (filter->value), &b))
    return a == b;
  return !isnan (filter->number) && number_of (text) == filter->number;
}

static gboolean
leaf_matches (const LoomArgFilter *filter, LoomJsonSlice value, GString *room)
{
  if (filter->test == LOOM_ARG_EXISTS)
    return TRUE;
  if (filter->test == LOOM_ARG_HAS)
    return contains (filter, value, room);
  g_string_truncate (room, 0);
  loom_json_slice_decode (value, room);
  if (filter->test <= LOOM_ARG_IS_NOT)
    return is_same (filter, room->str) == (filter->test == LOOM_ARG_IS);
  double number = number_of (room->str); /* NaN if the text is not a number: the comparisons below then return FALSE */
  switch (filter->test) {
  case LOOM_ARG_LESS: return number < filter->number;
  case LOOM_ARG_AT_MOST: return number <= filter->number;
  case LOOM_ARG_MORE: return number > filter->number;
  default: return number >= filter->number;
  }
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

/* Tests whether `key`, a path such as "data.size", begins with `name`. Returns "" if `key` is equal to `name`; the part
 * of `key` after the dot ("size") if `name` is followed by a dot; NULL if `key` begins with another name. */
static const char *
rest_behind (const char *key, const char *name, gsize length)
{
  if (g_ascii_strncasecmp (key, name, length) != 0 || strlen (key) < length)
    return NULL;
  return key[length] == '\0' ? "" : key[length] == '.' ? key + length + 1 : NULL;
}

/* Tests whether `key` begins with `name`, the name of a member. For an element of an array, `name` is absent, and its
 * index `number` is tested instead. Returns the part of `key` after the name or index, as rest_behind() does. If `key`
 * is "", every name and index matches, and "" is returned. */
static const char *
follow (const char *key, LoomJsonSlice name, guint number, GString *room)
{
  if (*key == '\0')
    return key;
  if (name.text != NULL && memchr (name.text, '\\', name.length) == NULL)
    return rest_behind (key, name.text + 1, name.length - 2);
  g_string_truncate (room, 0);
  if (name.text != NULL)
    loom_json_slice_decode (name, room);
  else
    g_string_append_printf (room, "%u", number);
  return rest_behind (key, room->str, room->len);
}

/* Returns TRUE if the value that `key` names within `value`, or any value nested in the named value, passes the test.
 * If `key` is "", tests `value` itself and all values nested in it. */
static gboolean
any_matches (const LoomArgFilter *filter, LoomJsonSlice value, const char *key, guint depth, GString *room)
{
  LoomJsonIter iter;
  LoomJsonSlice name, member;
  if (!loom_json_slice_iter_init (&iter, value) || depth > MOST_DEPTH)
    return *key == '\0' && leaf_matches (filter, value, room);
  if (*key == '\0' && filter->test == LOOM_ARG_EXISTS)
    return TRUE;
  for (guint number = 0; loom_json_slice_iter_next (&iter, &name, &member); number++) {
    if (filter->key == NULL && filter->test == LOOM_ARG_HAS && name.text != NULL && contains (filter, name, room))
      return TRUE;
    const char *rest = follow (key, name, number, room);
    if (rest != NULL && any_matches (filter, member, rest, depth + 1, room))
      return TRUE;
  }
  return FALSE;
}

gboolean
loom_arg_filter_matches (const LoomArgFilter *filter, LoomJsonSlice args, GString *room)
{
  return loom_json_slice_is_object (args) &&
         any_matches (filter, args, filter->key != NULL ? filter->key : "", 0, room);
}
