/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses cairo's SVG files, and writes their elements with shared outlines, CSS classes and shortened path data.
 */
#include "loom-inline-svg.h"

#include <string.h>

/* A start tag or an end tag of the SVG. In an end tag, all members are NULL. */
typedef struct {
  char *name;
  char **keys, **values;
} Tag;

struct _LoomInlineSvg {
  GHashTable *outlines; /* path data of an outline → its number, counted from 1 */
  GHashTable *looks;    /* "light\ndark", the styles of an element for light and dark screens → number of this pair,
                         * counted from 1 */
  /* the texts of both hash tables, borrowed: path data of outlines in `outline`, pairs of styles in `look`. The index
   * of a text is its number minus 1 */
  GPtrArray *outline, *look;
};

LoomInlineSvg *
loom_inline_svg_new (void)
{
  LoomInlineSvg *self = g_new0 (LoomInlineSvg, 1);
  self->outlines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->looks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->outline = g_ptr_array_new ();
  self->look = g_ptr_array_new ();
  return self;
}

void
loom_inline_svg_free (LoomInlineSvg *self)
{
  g_ptr_array_unref (self->outline);
  g_ptr_array_unref (self->look);
  g_hash_table_unref (self->outlines);
  g_hash_table_unref (self->looks);
  g_free (self);
}

/* Returns the number of `text` in the table `numbers`; a text that is not in the table is added with the next number.
 * Takes ownership of `text`. */
static guint
number_of (GHashTable *numbers, GPtrArray *texts, char *text)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, text));
  if (number > 0) {
    g_free (text);
    return number;
  }
  g_ptr_array_add (texts, text);
  g_hash_table_insert (numbers, text, GUINT_TO_POINTER (texts->len));
  return texts->len;
}

/* --- reading SVG tags --------------------------------------------------------------------------------------------- */

static void
tag_clear (gpointer data)
{
  Tag *tag = data;
  g_free (tag->name);
  g_strfreev (tag->keys);
  g_strfreev (tag->values);
}

static void
start_element (GMarkupParseContext *context, const char *name, const char **keys, const char **values,
               gpointer user_data, GError **error)
{
  Tag tag = { g_strdup (name), g_strdupv ((char **) keys), g_strdupv ((char **) values) };
  g_array_append_val ((GArray *) user_data, tag);
}

static void
end_element (GMarkupParseContext *context, const char *name, gpointer user_data, GError **error)
{
  Tag tag = { 0 };
  g_array_append_val ((GArray *) user_data, tag);
}

/* Parses an SVG and returns its tags (Tag); NULL if it is not valid XML. */
static GArray *
read_tags (GBytes *svg)
{
  static const GMarkupParser parser = { .start_element = start_element, .end_element = end_element };
  gsize size;
  const char *text = g_bytes_get_data (svg, &size);
  g_autoptr (GArray) tags = g_array_new (FALSE, FALSE, sizeof (Tag));
  g_array_set_clear_func (tags, tag_clear);
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, tags, NULL);
  gboolean good = g_markup_parse_context_parse (context, text, (gssize) size, NULL) &&
                  g_markup_parse_context_end_parse (context, NULL);
  return good ? g_steal_pointer (&tags) : NULL;
}

static const char *
value_of (const Tag *tag, const char *key)
{
  for (guint i = 0; tag->keys[i] != NULL; i++)
    if (strcmp (tag->keys[i], key) == 0)
      return tag->values[i];
  return NULL;
}

static gboolean
is_look (const char *key)
{
  return g_str_has_prefix (key, "fill") || g_str_has_prefix (key, "stroke");
}

/* Returns the style of an element: the content of its "style" attribute, and the separate style attributes that cairo
 * writes since 1.18. Owned by the caller. */
static char *
dup_look (const Tag *tag)
{
  GString *look = g_string_new (value_of (tag, "style"));
  for (guint i = 0; tag->keys[i] != NULL; i++)
    if (is_look (tag->keys[i]))
      g_string_append_printf (look, "%s:%s;", tag->keys[i], tag->values[i]);
  return g_string_free (look, FALSE);
}

/* --- comparing light and dark drawings ---------------------------------------------------------------------------- */

static gboolean
is_known (const char *name)
{
  static const char *const known[] = { "svg", "defs", "g", "symbol", "path", "use", "rect" };
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strcmp (name, known[i]) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_outline (const Tag *tag)
{
  const char *id = tag->name != NULL ? value_of (tag, "id") : NULL;
  return id != NULL && g_str_has_prefix (id, "glyph");
}

/* Returns TRUE if the attribute is an id such as "surface5". Cairo writes such an id for each surface. It is omitted
 * here, because no element refers to it. */
static gboolean
is_name_of_surface (const char *key, const char *value)
{
  return strcmp (key, "id") == 0 && g_str_has_prefix (value, "surface");
}

static gboolean
is_alike (const Tag *a, const Tag *b)
{
  if (a->name == NULL || b->name == NULL)
    return a->name == b->name;
  if (strcmp (a->name, b->name) != 0 || !is_known (a->name) || g_strv_length (a->keys) != g_strv_length (b->keys))
    return FALSE;
  for (guint i = 0; a->keys[i] != NULL; i++) {
    const char *key = a->keys[i], *other = value_of (b, key);
    if (other == NULL || strstr (a->values[i], "url(") != NULL)
      return FALSE;
    gboolean may_differ = strcmp (key, "style") == 0 || is_look (key) || is_name_of_surface (key, a->values[i]);
    if (!may_differ && strcmp (a->values[i], other) != 0)
      return FALSE;
    if (strcmp (key, "id") == 0 && !may_differ && !is_outline (a))
      return FALSE;
  }
  return TRUE;
}

static gboolean
are_alike (const GArray *light, const GArray *dark)
{
  if (light == NULL || dark == NULL || light->len != dark->len)
    return FALSE;
  for (guint i = 0; i < light->len; i++)
    if (!is_alike (&g_array_index (light, Tag, i), &g_array_index (dark, Tag, i)))
      return FALSE;
  return TRUE;
}

/* --- writing shorter SVG ------------------------------------------------------------------------------------------ */

/* Appends a number from path data, rounded to a hundredth of a pixel. */
static void
append_number (GString *out, const char *number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (text, sizeof text, "%.2f", g_ascii_strtod (number, NULL));
  gsize length = strlen (text);
  while (text[length - 1] == '0')
    length--;
  g_string_append_len (out, text, (gssize) (text[length - 1] == '.' ? length - 1 : length));
}

/* Returns the end of the path data. If the last command only moves to a point, returns the position before this
 * command, which can be omitted; cairo writes such a command after each rectangle. */
static const char *
find_end (const char *path)
{
  const char *end = path + strlen (path), *last = strrchr (path, 'M');
  return last != NULL && strpbrk (last, "LCZHVlczhv") == NULL ? last : end;
}

/* Reads a number from path data, and sets `at` to the position after the number. Returns the number as text, rounded to
 * a hundredth of a pixel; owned by the caller. */
static char *
take_number (const char **at)
{
  GString *text = g_string_new (NULL);
  *at += strcspn (*at, "-0123456789.");
  append_number (text, *at);
  *at += strspn (*at, "-0123456789.");
  return g_string_free (text, FALSE);
}

static void
append_separated (GString *out, const char *number)
{
  if (out->len > 0 && !g_ascii_isalpha (out->str[out->len - 1]) && *number != '-')
    g_string_append_c (out, ' ');
  g_string_append (out, number);
}

/* Appends a command that moves to a point, or draws a line to it. `point`: x and y as texts. For a horizontal or
 * vertical line, writes only the coordinate that changes. Stores the point in `last`. */
static void
append_point (GString *out, char command, char *point[2], char *last[2])
{
  gboolean drawn = command == 'L' && last[0] != NULL, level = drawn && strcmp (point[1], last[1]) == 0,
           upright = drawn && !level && strcmp (point[0], last[0]) == 0;
  g_string_append_c (out, level ? 'H' : upright ? 'V' : command);
  if (!upright)
    append_separated (out, point[0]);
  if (!level)
    append_separated (out, point[1]);
  for (guint i = 0; i < 2; i++) {
    g_free (last[i]);
    last[i] = point[i];
  }
}

/* Shortens path data: "M 0.375 2 L 0.375 -8.6875 Z M 0.375 2" becomes "M0.38 2V-8.69Z". */
static char *
dup_short (const char *path)
{
  const char *stop = find_end (path);
  /* the current point; NULL: unknown, because the last command is of a kind that is not shortened */
  char *last[2] = { NULL, NULL };
  GString *out = g_string_sized_new (strlen (path));
  for (const char *at = path; at < stop;) {
    char command = *at;
    if (command == 'M' || command == 'L') {
      char *point[2] = { take_number (&at) };
      point[1] = take_number (&at);
      append_point (out, command, point, last);
      continue;
    }
    if (strchr ("-.0123456789", command) != NULL) {
      g_autofree char *number = take_number (&at);
      append_separated (out, number);
      continue;
    }
    if (g_ascii_isalpha (command)) {
      g_clear_pointer (&last[0], g_free);
      g_clear_pointer (&last[1], g_free);
      g_string_append_c (out, command);
    }
    at++;
  }
  g_free (last[0]);
  g_free (last[1]);
  return g_string_free (out, FALSE);
}

static void
append_look (LoomInlineSvg *self, GString *out, const Tag *light, const Tag *dark)
{
  g_autofree char *a = dup_look (light), *b = dup_look (dark);
  if (*a != '\0' || *b != '\0')
    g_string_append_printf (out, " class=\"c%u\"",
                            number_of (self->looks, self->look, g_strdup_printf ("%s\n%s", a, b)));
}

static void
append_value (GString *out, const char *key, const char *value)
{
  static const char *const shortened[] = { "d", "x", "y", "width", "height" };
  g_autofree char *text = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (shortened) && text == NULL; i++)
    if (strcmp (key, shortened[i]) == 0)
      text = dup_short (value);
  g_autofree char *escaped = g_markup_escape_text (text != NULL ? text : value, -1);
  g_string_append_printf (out, " %s=\"%s\"", key, escaped);
}

static void
append_start (LoomInlineSvg *self, GString *out, const Tag *light, const Tag *dark, GHashTable *glyphs)
{
  g_string_append_printf (out, "<%s", light->name);
  append_look (self, out, light, dark);
  for (guint i = 0; light->keys[i] != NULL; i++) {
    const char *key = light->keys[i], *value = light->values[i];
    if (g_str_has_suffix (key, "href"))
      g_string_append_printf (out, " href=\"#o%u\"", GPOINTER_TO_UINT (g_hash_table_lookup (glyphs, value + 1)));
    else if (strcmp (key, "style") != 0 && strcmp (key, "id") != 0 && !is_look (key))
      append_value (out, key, value);
  }
  g_string_append (out, ">");
}

/* Stores the outline of a glyph in `self`, and adds an element to `glyphs`: its key is the id of the glyph, its value
 * the number of the outline. `at`: index of the start tag of the glyph. Returns the index of the end tag of the glyph.
 * The glyph of a blank has no path; its outline is stored as "". */
static guint
take_outline (LoomInlineSvg *self, const GArray *tags, guint at, GHashTable *glyphs)
{
  const char *id = value_of (&g_array_index (tags, Tag, at), "id"), *path = NULL;
  guint depth = 1;
  while (depth > 0) {
    const Tag *tag = &g_array_index (tags, Tag, ++at);
    if (tag->name != NULL && value_of (tag, "d") != NULL)
      path = value_of (tag, "d");
    depth = tag->name != NULL ? depth + 1 : depth - 1;
  }
  g_hash_table_insert (
    glyphs, (gpointer) id,
    GUINT_TO_POINTER (number_of (self->outlines, self->outline, dup_short (path != NULL ? path : ""))));
  return at;
}

static void
append_root (GString *out, const Tag *root, const char *label)
{
  g_autofree char *escaped = g_markup_escape_text (label, -1);
  const char *box = value_of (root, "viewBox");
  g_auto (GStrv) sides = g_strsplit (box != NULL ? box : "0 0 1 1", " ", 4);
  g_string_append_printf (out,
                          "<svg role=\"img\" aria-label=\"%s\" width=\"%s\" height=\"%s\" viewBox=\"%s %s %s %s\">",
                          escaped, sides[2], sides[3], sides[0], sides[1], sides[2], sides[3]);
}

/* Ends the innermost open element. `is_empty`: the element has no content, so its start tag becomes an empty-element
 * tag; this makes reports 4 % smaller. */
static void
append_end (GString *out, GPtrArray *open, gboolean is_empty)
{
  if (is_empty)
    g_string_insert_c (out, (gssize) out->len - 1, '/');
  else
    g_string_append_printf (out, "</%s>", (const char *) open->pdata[open->len - 1]);
  g_ptr_array_set_size (open, (int) open->len - 1);
}

gboolean
loom_inline_svg_append (LoomInlineSvg *self, GString *out, GBytes *light_svg, GBytes *dark_svg, const char *label)
{
  g_autoptr (GArray) light = read_tags (light_svg), dark = read_tags (dark_svg);
  if (!are_alike (light, dark) || light->len == 0 || value_of (&g_array_index (light, Tag, 0), "viewBox") == NULL)
    return FALSE;
  g_autoptr (GHashTable) glyphs =
    g_hash_table_new (g_str_hash, g_str_equal); /* id of a glyph → number of its outline; `light` owns the ids */
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  append_root (out, &g_array_index (light, Tag, 0), label);
  g_ptr_array_add (open, (gpointer) "svg");
  for (guint i = 1; i < light->len; i++) {
    const Tag *tag = &g_array_index (light, Tag, i);
    if (is_outline (tag)) {
      i = take_outline (self, light, i, glyphs);
    } else if (tag->name == NULL) {
      append_end (out, open, i > 1 && g_array_index (light, Tag, i - 1).name != NULL);
    } else {
      append_start (self, out, tag, &g_array_index (dark, Tag, i), glyphs);
      g_ptr_array_add (open, tag->name);
    }
  }
  return TRUE;
}

static void
append_looks (const LoomInlineSvg *self, GString *out, gboolean dark)
{
  for (guint i = 0; i < self->look->len; i++) {
    g_auto (GStrv) looks = g_strsplit (self->look->pdata[i], "\n", 2);
    if (!dark || strcmp (looks[0], looks[1]) != 0)
      g_string_append_printf (out, ".c%u{%s}", i + 1, looks[dark ? 1 : 0]);
  }
}

void
loom_inline_svg_append_style (const LoomInlineSvg *self, GString *out)
{
  append_looks (self, out, FALSE);
  g_string_append (out, "@media screen and (prefers-color-scheme:dark){");
  append_looks (self, out, TRUE);
  g_string_append (out, "}");
}

void
loom_inline_svg_append_outlines (const LoomInlineSvg *self, GString *out)
{
  g_string_append (out, "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>\n");
  for (guint i = 0; i < self->outline->len; i++)
    g_string_append_printf (out, "<path id=\"o%u\" d=\"%s\"/>\n", i + 1, (const char *) self->outline->pdata[i]);
  g_string_append (out, "</defs></svg>\n");
}
