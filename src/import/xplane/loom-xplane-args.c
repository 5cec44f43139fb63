/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the statistics of the events of an XSpace as args. The interface is described in loom-xplane-args.h.
 */
#include "loom-xplane-args.h"

#include "loom-json-slice.h"
#include "loom-limits.h"
#include "loom-made-json.h"
#include "loom-xplane-fields.h"

#include <string.h>

enum { EVENT_STAT = 4 };
enum { NAME_STAT = 5 };

#define MOST_DETAIL_BYTES 4096

static void
append_string (GString *text, const guint8 *bytes, guint64 n_bytes)
{
  loom_json_slice_append_string (text, (const char *) bytes, (gsize) MIN (n_bytes, LOOM_LIMIT_NAME_BYTES));
}

static void
append_double (GString *text, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  if (value - value == 0) /* FALSE for infinite values and NaN, which JSON cannot express */
    g_string_append (text, g_ascii_dtostr (digits, sizeof digits, value));
  else
    loom_made_json_append (text, "null");
}

void
loom_xplane_args_append_unsigned (GString *text, guint64 value)
{
  char digits[24];
  if (value <= G_MAXINT64) {
    loom_made_json_append_int (text, (gint64) value);
    return;
  }
  g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, value);
  loom_made_json_append (text, digits);
}

void
loom_xplane_args_append_value (const LoomXplane *plane, const LoomProtoField *value, GString *text)
{
  const char *name;
  switch (value->number) {
  case LOOM_XPLANE_STAT_DOUBLE: append_double (text, loom_proto_to_double (value->value)); break;
  case LOOM_XPLANE_STAT_UNSIGNED: loom_xplane_args_append_unsigned (text, value->value); break;
  case LOOM_XPLANE_STAT_SIGNED: loom_made_json_append_int (text, (gint64) value->value); break;
  case LOOM_XPLANE_STAT_TEXT:
    append_string (text, value->wire == LOOM_PROTO_BYTES ? value->bytes : NULL,
                   value->wire == LOOM_PROTO_BYTES ? value->value : 0);
    break;
  case LOOM_XPLANE_STAT_NAME:
    name = g_hash_table_lookup (plane->stats, &value->value);
    loom_made_json_append (text, "\"");
    loom_made_json_append (text, name != NULL ? name : "");
    loom_made_json_append (text, "\"");
    break;
  default: g_string_append_printf (text, "\"%" G_GUINT64_FORMAT " bytes\"", value->value); break;
  }
}

/* Returns the number after "key:" in a text such as "regs:32 grid:1,2,3". Sets `end` to the character after the
 * number. Returns −1 if the key is missing or the number exceeds `most`. */
static gint64
find_detail (const char *text, const char *key, gint64 most, const char **end)
{
  const char *at = strstr (text, key);
  /* continues the search if `at` is the end of a longer key */
  while (at != NULL && at > text && at[-1] != ' ')
    at = strstr (at + 1, key);
  if (at == NULL)
    return -1;
  char *rest;
  gint64 value = g_ascii_strtoll (at + strlen (key), &rest, 10);
  *end = rest;
  return value >= 0 && value <= most ? value : -1;
}

/* Reads a comma and a number, and moves `*at` behind the number. Returns FALSE if the text at `*at` is anything
 * else. */
static gboolean
read_next (const char **at, gint64 *number)
{
  char *end = NULL;
  if (**at != ',')
    return FALSE;
  *number = g_ascii_strtoll (*at + 1, &end, 10);
  gboolean has_number = end > *at + 1;
  *at = end;
  return has_number;
}

static void
append_triple (const char *details, const char *key, const char *name, GString *text)
{
  const char *rest = NULL;
  gint64 sizes[3] = { find_detail (details, key, G_MAXINT32, &rest), 0, 0 };
  if (sizes[0] < 0 || !read_next (&rest, &sizes[1]) || !read_next (&rest, &sizes[2]))
    return;
  loom_made_json_append (text, ",\"");
  loom_made_json_append (text, name);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    loom_made_json_append (text, i == 0 ? "\":[" : ",");
    loom_made_json_append_int (text, sizes[i]);
  }
  loom_made_json_append (text, "]");
}

/* Returns the text of a statistic; NULL if its value is not a text. Owned by the caller. */
static char *
dup_details (const LoomXplane *plane, const LoomProtoField *value)
{
  if (value->number == LOOM_XPLANE_STAT_NAME)
    return g_strdup (g_hash_table_lookup (plane->stats, &value->value));
  return value->number == LOOM_XPLANE_STAT_TEXT && value->wire == LOOM_PROTO_BYTES
           ? g_strndup ((const char *) value->bytes, (gsize) MIN (value->value, MOST_DETAIL_BYTES))
           : NULL;
}

void
loom_xplane_args_append_details (const LoomXplane *plane, const char *name, const LoomProtoField *value, GString *text)
{
  gboolean is_kernel = strcmp (name, "kernel_details") == 0;
  if (!is_kernel && strcmp (name, "memcpy_details") != 0)
    return;
  const char *rest;
  g_autofree char *details = dup_details (plane, value);
  gint64 number = details == NULL ? -1
                  : is_kernel     ? find_detail (details, "regs:", G_MAXINT32, &rest)
                              : find_detail (details, "size:", G_MAXINT64 - 1, &rest); /* rejects G_MAXINT64, because
                                                                                        * that value means that the
                                                                                        * number in the text was too
                                                                                        * large */
  if (number >= 0) {
    loom_made_json_append_key (text, is_kernel ? "registers per thread" : "bytes");
    loom_made_json_append_int (text, number);
  }
  if (is_kernel && details != NULL) {
    append_triple (details, "grid:", "grid", text);
    append_triple (details, "block:", "block", text);
  }
}

/* The args of an event, as far as they have been written to the text. */
typedef struct {
  gsize first; /* offset in the text at which the args begin */
  /* set of the names of the statistics; NULL: the event has only few statistics, so names are searched for in the
   * text */
  GHashTable *names;
} Args;

/* Returns TRUE if the args already contain this key. Otherwise records the key, because the caller then adds the arg.
 * This check is needed because an event and its metadata may have the same statistic. */
static gboolean
has_key (const Args *args, const GString *text, const char *name)
{
  if (args->names != NULL)
    return !g_hash_table_add (args->names, g_strdup (name));
  if (text->len == args->first)
    return FALSE;
  g_autofree char *key = g_strconcat ("\"", name, "\":", NULL);
  return strstr (text->str + args->first, key) != NULL;
}

static void
append_stat (const LoomXplane *plane, const LoomProtoField *message, const Args *args, GString *text)
{
  LoomXplaneStat stat;
  if (!loom_xplane_space_parse_stat (message, &stat))
    return;
  const char *name = g_hash_table_lookup (plane->stats, &stat.id);
  g_autofree char *number = name == NULL ? g_strdup_printf ("#%" G_GINT64_FORMAT, stat.id) : NULL;
  name = name != NULL ? name : number;
  if (strcmp (name, "correlation_id") == 0)
    name = "correlation";
  if (has_key (args, text, name))
    return;
  loom_made_json_append_key (text, name);
  loom_xplane_args_append_value (plane, &stat.value, text);
  loom_xplane_args_append_details (plane, name, &stat.value, text);
}

static void
append_stats (const LoomXplane *plane, const guint8 *p, const guint8 *end, guint number, const Args *args,
              GString *text)
{
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field))
    if (field.number == number && field.wire == LOOM_PROTO_BYTES)
      append_stat (plane, &field, args, text);
}

void
loom_xplane_args_append (const LoomXplane *plane, const LoomXplaneEvent *event, const LoomXplaneName *known,
                         GString *text)
{
  gsize n_known = known != NULL ? known->n_stats : 0, n_bytes = (gsize) (event->end - event->begin) + n_known;
  g_autoptr (GHashTable) names =
    n_bytes > LOOM_XPLANE_FEW_STAT_BYTES ? g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) : NULL;
  const Args args = { text->len, names };
  append_stats (plane, event->begin, event->end, EVENT_STAT, &args, text);
  if (event->duration_ps % LOOM_XPLANE_PS_PER_NS != 0 || event->offset_ps % LOOM_XPLANE_PS_PER_NS != 0) {
    loom_made_json_append_key (text, "duration_ps");
    loom_made_json_append_int (text, event->duration_ps);
    if (names != NULL)
      g_hash_table_add (names, g_strdup ("duration_ps"));
  }
  if (n_known > 0)
    append_stats (plane, known->stats, known->stats + n_known, NAME_STAT, &args, text);
}
