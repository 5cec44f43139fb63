/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-event-args.h.
 *
 * json-glib would round numbers. So before parsing, each number is replaced by a string that consists of the character
 * MARK and the number. When strings are shown, MARK is omitted. MARK is U+FDD0, a noncharacter, which does not occur in
 * valid texts.
 */
#include "loom-event-args.h"

#include "loom-event-stack.h"
#include "loom-locale-number.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <string.h>

#define MARK "\xEF\xB7\x90"
#define MARK_UNIT 0xFDD0
#define ESCAPE_BYTES 6 /* length of \uXXXX */
/* Maximum length, in bytes, of the text of an array that is shown in one row. For a longer array, the row shows only
 * the number of elements, and each element has its own row below it. */
#define MAX_INLINE_BYTES 160
/* Whole numbers with LEAST_GROUPED to MOST_GROUPED digits are shown with separators of thousands. All numbers of up
 * to 18 digits are less than the maximum of a 64-bit integer. */
#define LEAST_GROUPED 5
#define MOST_GROUPED 18
#define MAX_PRETTY_BYTES \
  (4u * 1024 * 1024) /* maximum length, in bytes, of a text that is formatted for the clipboard */

struct _LoomArg {
  GObject parent;
  char *name;
  char *value;
  gboolean is_inline;
  guint order; /* sort key: 0 if the arg explains the event; 2 if the arg only identifies something; 1 for other args */
  GListStore *children;
};

G_DEFINE_FINAL_TYPE (LoomArg, loom_arg, G_TYPE_OBJECT)

static void
finalize (GObject *object)
{
  LoomArg *self = LOOM_ARG (object);
  g_free (self->name);
  g_free (self->value);
  g_clear_object (&self->children);
  G_OBJECT_CLASS (loom_arg_parent_class)->finalize (object);
}

static void
loom_arg_class_init (LoomArgClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
loom_arg_init (LoomArg *self)
{
}

const char *
loom_event_arg_get_name (LoomArg *self)
{
  return self->name;
}

const char *
loom_event_arg_get_value (LoomArg *self)
{
  return self->value;
}

/* Returns TRUE if the name contains one of the words. Words are separated by characters that are not letters. */
static gboolean
has_word (const char *name, const char *const *words)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  g_auto (GStrv) parts = g_strsplit_set (g_strcanon (lower, "abcdefghijklmnopqrstuvwxyz", ' '), " ", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (g_strv_contains (words, parts[i]))
      return TRUE;
  return FALSE;
}

/* Returns TRUE if the name contains a word such as "id", which means that the value identifies something. */
static gboolean
is_identifier (const char *name)
{
  static const char *const words[] = { "id",   "ids",       "pid",   "tid",  "correlation", "corr",
                                       "addr", "address",   "ptr",   "hash", "sequence",    "version",
                                       "port", "timestamp", "index", NULL };
  return has_word (name, words);
}

/* Returns the sort key of an arg. 0: the arg is a size, type or group, from which the user can see how much work the
 * event did. 2: the arg identifies the event or the place where it ran; the details of the span show this anyway. 1:
 * all other args. */
static guint
get_order (const char *name)
{
  static const char *const explaining[] = { "bytes", "collective", "msg",   "dtype",  "group",     "dims",    "type",
                                            "shape", "shapes",     "sizes", "stride", "bandwidth", "strides", NULL };
  static const char *const places[] = { "device", "context", "stream", "queue", NULL };
  if (is_identifier (name))
    return 2;
  return has_word (name, explaining) ? 0 : g_strv_contains (places, name) ? 2 : 1;
}

char *
loom_event_arg_dup_shown (LoomArg *self)
{
  gsize n = strlen (self->value);
  gboolean is_whole = strspn (self->value, "0123456789") == n && self->value[0] != '0';
  if (!is_whole || n < LEAST_GROUPED || n > MOST_GROUPED || is_identifier (self->name))
    return g_strdup (self->value);
  return loom_locale_number_group (g_ascii_strtoull (self->value, NULL, 10));
}

gboolean
loom_event_arg_is_inline (LoomArg *self)
{
  return self->is_inline;
}

GListModel *
loom_event_args_get_children (LoomArg *self)
{
  return self->children != NULL ? G_LIST_MODEL (self->children) : NULL;
}

/* Returns the position after the string literal that starts at p. */
static const char *
string_end (const char *p, const char *end)
{
  for (p++; p < end && *p != '"'; p++)
    if (*p == '\\')
      p++;
  return MIN (p + 1, end);
}

static gboolean
is_number_byte (char c)
{
  return g_ascii_isdigit (c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* Returns the code unit of the escape \uXXXX that starts at p; −1 if no such escape starts there. */
static int
unit_at (const char *p, const char *end)
{
  int unit = 0;
  if (end - p < ESCAPE_BYTES || p[0] != '\\' || p[1] != 'u')
    return -1;
  for (guint i = 2; i < ESCAPE_BYTES; i++) {
    if (!g_ascii_isxdigit (p[i]))
      return -1;
    unit = unit << 4 | g_ascii_xdigit_value (p[i]);
  }
  return unit;
}

/* Appends the escape \uXXXX that starts at p. Two escapes are replaced by others, which are shown as visible
 * characters. \u0000 is replaced by \u2400, because json-glib would end the string there. The escape of MARK, the
 * character that marks numbers, is replaced by \ufffd. Returns the number of bytes read, or 0 if no escape starts at
 * p. */
static gsize
append_escape (GString *out, const char *p, const char *end)
{
  int unit = unit_at (p, end);
  if (unit < 0)
    return 0;
  if (unit == 0)
    g_string_append (out, "\\u2400");
  else if (unit == MARK_UNIT)
    g_string_append (out, "\\ufffd");
  else
    g_string_append_len (out, p, ESCAPE_BYTES);
  return ESCAPE_BYTES;
}

static void
append_string (GString *out, const char *p, const char *end)
{
  while (p < end) {
    gsize n = append_escape (out, p, end);
    if (n > 0) {
      p += n;
    } else if ((gsize) (end - p) >= strlen (MARK) &&
               /* replace MARK, because a string that starts with it would be taken for a number */
               strncmp (p, MARK, strlen (MARK)) == 0) {
      g_string_append (out, "\\ufffd");
      p += strlen (MARK);
    } else if (*p == '\\' && p + 1 < end) {
      g_string_append_len (out, p, 2);
      p += 2;
    } else
      g_string_append_c (out, *p++);
  }
}

/* Returns the text as strict JSON, with each number replaced by a string that consists of MARK and the number.
 * json-glib would round numbers, but does not change strings. */
static char *
mark_numbers (const char *text, gsize length)
{
  GString *out = g_string_sized_new (length + length / 4);
  const char *p = text, *end = text + length;
  while (p < end) {
    const char *from = p;
    if (*p == '"') {
      p = string_end (p, end);
      append_string (out, from, p);
    } else if (*p == '-' || g_ascii_isdigit (*p)) {
      while (p < end && is_number_byte (*p))
        p++;
      g_string_append_printf (out, "\"" MARK "%.*s\"", (int) (p - from), from);
    } else
      g_string_append_c (out, *p++);
  }
  return g_string_free (out, FALSE);
}

/* In the output of json-glib, replaces each string that begins with MARK by the number after MARK. This reverses
 * mark_numbers(). */
static char *
unmark_numbers (const char *text)
{
  GString *out = g_string_sized_new (strlen (text));
  const char *p = text, *mark;
  while ((mark = strstr (p, "\"" MARK)) != NULL) {
    const char *number = mark + strlen ("\"" MARK), *quote = strchr (number, '"');
    g_string_append_len (out, p, mark - p);
    if (quote == NULL)
      break;
    g_string_append_len (out, number, quote - number);
    p = quote + 1;
  }
  g_string_append (out, p);
  return g_string_free (out, FALSE);
}

static char *
text_of_leaf (JsonNode *node)
{
  if (JSON_NODE_HOLDS_NULL (node))
    return g_strdup ("null");
  if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    return g_strdup (json_node_get_boolean (node) ? "true" : "false");
  const char *text = json_node_get_string (node);
  if (text == NULL)
    return g_strdup ("");
  return g_strdup (g_str_has_prefix (text, MARK) ? text + strlen (MARK) : text);
}

static GListStore *members_of (JsonNode *node);

/* Appends an array as one line, for example "[8, [1, 2]]". Returns FALSE if the array contains objects, or if the line
 * is longer than MAX_INLINE_BYTES. */
static gboolean
append_inline (GString *out, JsonArray *array)
{
  g_string_append_c (out, '[');
  for (guint i = 0; i < json_array_get_length (array); i++) {
    JsonNode *node = json_array_get_element (array, i);
    g_autofree char *leaf = NULL;
    g_string_append (out, i > 0 ? ", " : "");
    if (JSON_NODE_HOLDS_OBJECT (node) ||
        (JSON_NODE_HOLDS_ARRAY (node) && !append_inline (out, json_node_get_array (node))))
      return FALSE;
    if (!JSON_NODE_HOLDS_ARRAY (node))
      g_string_append (out, leaf = text_of_leaf (node));
    if (out->len > MAX_INLINE_BYTES)
      return FALSE;
  }
  g_string_append_c (out, ']');
  return TRUE;
}

static char *
dup_inline (JsonNode *node)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean fits = JSON_NODE_HOLDS_ARRAY (node) && append_inline (text, json_node_get_array (node));
  return fits ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static char *
summary_of (JsonNode *node)
{
  if (JSON_NODE_HOLDS_ARRAY (node))
    return g_strdup_printf ("[%u]", json_array_get_length (json_node_get_array (node)));
  return g_strdup_printf ("{%u}", json_object_get_size (json_node_get_object (node)));
}

static LoomArg *
arg_new (const char *name, JsonNode *node)
{
  LoomArg *arg = g_object_new (LOOM_TYPE_ARG, NULL);
  gboolean leaf = !JSON_NODE_HOLDS_ARRAY (node) && !JSON_NODE_HOLDS_OBJECT (node);
  arg->name = g_strdup (name);
  arg->value = leaf ? text_of_leaf (node) : dup_inline (node);
  arg->is_inline = !leaf && arg->value != NULL;
  if (arg->value == NULL)
    arg->value = summary_of (node);
  arg->children = leaf ? NULL : members_of (node);
  return arg;
}

static void
append_member (JsonObject *object, const char *name, JsonNode *node, gpointer list)
{
  g_autoptr (LoomArg) arg = arg_new (name, node);
  arg->order = get_order (name);
  g_list_store_append (list, arg);
}

static void
append_element (JsonArray *array, guint index, JsonNode *node, gpointer list)
{
  g_autofree char *name = g_strdup_printf ("%u", index);
  g_autoptr (LoomArg) arg = arg_new (name, node);
  g_list_store_append (list, arg);
}

static GListStore *
members_of (JsonNode *node)
{
  GListStore *list = g_list_store_new (LOOM_TYPE_ARG);
  if (JSON_NODE_HOLDS_OBJECT (node))
    json_object_foreach_member (json_node_get_object (node), append_member, list);
  else if (JSON_NODE_HOLDS_ARRAY (node))
    json_array_foreach_element (json_node_get_array (node), append_element, list);
  else {
    g_autoptr (LoomArg) arg = arg_new (C_ ("argument without a name", "value"), node);
    g_list_store_append (list, arg);
  }
  return list;
}

static char *
pretty (JsonNode *root)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  json_generator_set_pretty (generator, TRUE);
  json_generator_set_root (generator, root);
  g_autofree char *text = json_generator_to_data (generator, NULL);
  return unmark_numbers (text);
}

static LoomEventArgs *
args_new (void)
{
  LoomEventArgs *args = g_new0 (LoomEventArgs, 1);
  args->members = G_LIST_MODEL (g_list_store_new (LOOM_TYPE_ARG));
  args->json = g_strdup ("{}");
  args->event = g_strdup ("");
  return args;
}

void
loom_event_args_free (LoomEventArgs *args)
{
  g_object_unref (args->members);
  g_free (args->json);
  g_free (args->event);
  g_clear_pointer (&args->stack, g_ptr_array_unref);
  g_clear_pointer (&args->end_stack, g_ptr_array_unref);
  g_free (args);
}

static int
compare_orders (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const LoomArg *x = a, *y = b;
  return (int) x->order - (int) y->order;
}

static void
fill (LoomEventArgs *args, const char *text, gsize length)
{
  g_autoptr (GString) strict = g_string_new (NULL);
  loom_json_slice_append_strict (strict, text, length);
  g_autofree char *marked = mark_numbers (strict->str, strict->len);
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  if (!json_parser_load_from_data (parser, marked, -1, NULL) || json_parser_get_root (parser) == NULL)
    return;
  JsonNode *root = json_parser_get_root (parser);
  g_object_unref (args->members);
  GListStore *members = members_of (root);
  /* the sort is stable, so args with equal sort keys stay in the order in which they are in the file */
  g_list_store_sort (members, compare_orders, NULL);
  args->members = G_LIST_MODEL (members);
  g_free (args->json);
  args->json = strict->len <= MAX_PRETTY_BYTES ? pretty (root) : g_strdup (strict->str);
}

LoomEventArgs *
loom_event_args_parse (const char *text, gssize length)
{
  LoomEventArgs *args = args_new ();
  fill (args, text, length < 0 ? strlen (text) : (gsize) length);
  return args;
}

static char *
read_event (const LoomTrace *trace, LoomRef ref, gsize *length, GError **error)
{
  const LoomSource *source = loom_trace_get_source (trace, loom_source_ref_source (ref));
  if (source->text == NULL)
    return NULL;
  return loom_event_read (source->text, loom_source_ref_offset (ref), length, error);
}

static void
append_members (GString *out, LoomJsonSlice object)
{
  if (!loom_json_slice_is_object (object))
    return;
  g_autoptr (GString) strict = g_string_new (NULL);
  loom_json_slice_append_strict (strict, object.text, object.length);
  g_strstrip (strict->str);
  gsize length = strlen (strict->str);
  if (length <= 2 || strict->str[0] != '{')
    return;
  if (out->len > 1)
    g_string_append_c (out, ',');
  g_string_append_len (out, strict->str + 1, (gssize) length - 2);
}

/* Appends the args of an event. `text` is a JSON object with these args. */
static void
append_args (GString *out, const char *text, gsize length)
{
  LoomEvent event;
  if (loom_event_parse (text, length, &event))
    append_members (out, event.member[LOOM_MEMBER_ARGS]);
}

static void
set_event (LoomEventArgs *args, const char *text, gsize length)
{
  g_autoptr (GString) strict = g_string_new (NULL);
  loom_json_slice_append_strict (strict, text, length);
  g_free (args->event);
  args->event = g_strdup (strict->str);
}

static void
set_stacks (LoomEventArgs *args, const LoomStackFrames *stacks, const char *text, const char *end)
{
  LoomEvent event, end_event;
  LoomEventStack stack, end_stack;
  if (!loom_event_parse (text, strlen (text), &event))
    return;
  loom_event_stack_find (&event, &stack);
  if (end != NULL && loom_event_parse (end, strlen (end), &end_event) && loom_event_stack_find (&end_event, &end_stack))
    loom_event_stack_take_end (&stack, &end_stack);
  args->stack = loom_event_stack_dup_names (&stack, LOOM_EVENT_STACK_BEGIN, &event, stacks);
  args->end_stack = loom_event_stack_dup_names (&stack, LOOM_EVENT_STACK_END, &event, stacks);
}

LoomEventArgs *
loom_event_args_read (LoomTimeline *timeline, LoomSpanId span, GError **error)
{
  g_autoptr (GError) local = NULL;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), span.trace);
  LoomRef ref = loom_trace_get_spans (trace)->ref[span.span];
  gsize length = 0;
  g_autofree char *text = ref != LOOM_REF_NONE ? read_event (trace, ref, &length, &local) : NULL;
  if (local != NULL) {
    g_propagate_error (error, g_steal_pointer (&local));
    return NULL;
  }
  LoomEventArgs *args = args_new ();
  if (text == NULL)
    return args;
  g_autoptr (GString) object = g_string_new ("{");
  append_args (object, text, length);
  LoomRef end_ref = loom_trace_get_end_ref (trace, span.span);
  g_autofree char *end = end_ref != LOOM_REF_NONE ? read_event (trace, end_ref, &length, NULL) : NULL;
  gsize end_length = length;
  if (end != NULL)
    append_args (object, end, end_length);
  set_stacks (args, loom_trace_get_source (trace, loom_source_ref_source (ref))->stacks, text, end);
  g_string_append_c (object, '}');
  fill (args, object->str, object->len);
  set_event (args, text, strlen (text));
  return args;
}

typedef struct {
  LoomTimeline *timeline;
  LoomSpanId span;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  g_free (input);
}

static LoomEventArgs *
read_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  return loom_event_args_read (input->timeline, input->span, error);
}

void
loom_event_args_read_async (GCancellable **running, LoomTimeline *timeline, LoomSpanId span, LoomWorkerDone done,
                            gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) read_in_thread, (GDestroyNotify) input_free,
                                       (GDestroyNotify) loom_event_args_free };
  loom_worker_start (running, &kind, LOOM_WORKER_INPUT (Input, loom_timeline_ref (timeline), span), done, owner);
}
