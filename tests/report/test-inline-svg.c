/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the conversion of cairo's SVG output to elements of an HTML page: the outputs of cairo 1.16 and 1.18 give the
 * same result, repeated outlines and colours are written only once, and drawings that cannot be embedded are refused.
 */
#include "loom-inline-svg.h"

#include <string.h>

#define HEAD "<svg xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"20px\" height=\"10px\" viewBox=\"0 0 20 10\">"
#define OUTLINE(id)                                \
  "<defs><g><symbol overflow=\"visible\" id=\"" id \
  "\"><path style=\"stroke:none;\" d=\"M 1 2.999 L 3.5 -4 L 7 -4 L 7 2.999 L 1 2.999 Z M 1 2.999\"/></symbol></g></defs>"
#define LETTERS(id, color) "<g style=\"fill:" color ";\"><use xlink:href=\"#" id "\" x=\"1.23456\" y=\"5\"/></g>"
#define TAIL "</svg>"

static gboolean
append (LoomInlineSvg *drawings, GString *out, const char *light, const char *dark)
{
  g_autoptr (GBytes) a = g_bytes_new_static (light, strlen (light)), b = g_bytes_new_static (dark, strlen (dark));
  return loom_inline_svg_append (drawings, out, a, b, "a <chart>");
}

static guint
count (const char *text, const char *what)
{
  guint n = 0;
  for (const char *at = strstr (text, what); at != NULL; at = strstr (at + 1, what))
    n++;
  return n;
}

static void
test_shared (void)
{
  g_autoptr (LoomInlineSvg) drawings = loom_inline_svg_new ();
  g_autoptr (GString) body = g_string_new (NULL), head = g_string_new (NULL), outlines = g_string_new (NULL);
  g_assert_true (append (drawings, body,
                         HEAD OUTLINE ("glyph0-1") "<g id=\"surface1\">" LETTERS ("glyph0-1", "black") "</g>" TAIL,
                         HEAD OUTLINE ("glyph0-1") "<g id=\"surface2\">" LETTERS ("glyph0-1", "white") "</g>" TAIL));
  g_assert_true (append (drawings, body, HEAD OUTLINE ("glyph3-7") LETTERS ("glyph3-7", "black") TAIL,
                         HEAD OUTLINE ("glyph3-7") LETTERS ("glyph3-7", "white") TAIL));
  loom_inline_svg_append_style (drawings, head);
  loom_inline_svg_append_outlines (drawings, outlines);
  g_assert_cmpuint (count (body->str, "<use href=\"#o1\" x=\"1.23\" y=\"5\"/>"), ==, 2);
  g_assert_cmpuint (count (body->str, "aria-label=\"a &lt;chart&gt;\" width=\"20\" height=\"10\""), ==, 2);
  g_assert_cmpuint (count (body->str, "</svg>"), ==, 2);
  g_assert_cmpuint (count (outlines->str, "<path id="), ==, 1);
  g_assert_nonnull (strstr (outlines->str, "d=\"M1 3L3.5-4H7V3H1Z\""));
  g_assert_cmpuint (count (head->str, ".c1{fill:black;}"), ==, 1);
  g_assert_cmpuint (count (head->str, ".c1{fill:white;}"), ==, 1);
}

/* Tests the output of newer versions of cairo, with colours as attributes and outlines in groups. */
static void
test_newer_cairo (void)
{
  g_autoptr (LoomInlineSvg) drawings = loom_inline_svg_new ();
  g_autoptr (GString) body = g_string_new (NULL), head = g_string_new (NULL);
  const char *light = HEAD
    "<defs><g><g id=\"glyph-0-0\"><path d=\"M 0 0 Z\"/></g></g></defs><rect fill=\"black\" fill-opacity=\"1\" x=\"0\" y=\"0\" width=\"9.999\" height=\"1\"/>"
    "<g fill=\"black\"><use xlink:href=\"#glyph-0-0\" x=\"1\" y=\"5\"/></g>" TAIL;
  g_assert_true (append (drawings, body, light, light));
  loom_inline_svg_append_style (drawings, head);
  g_assert_nonnull (strstr (body->str, "<rect class=\"c1\" x=\"0\" y=\"0\" width=\"10\" height=\"1\"/>"));
  g_assert_nonnull (strstr (head->str, ".c1{fill:black;fill-opacity:1;}"));
  g_assert_null (strstr (body->str, "glyph"));
}

static void
test_left_alone (void)
{
  static const char *const others[] = {
    HEAD "<g/><g/>" TAIL,
    HEAD "<rect x=\"1\"/>" TAIL,
    HEAD "<g>",
    "",
  };
  static const char *const unknown[] = {
    HEAD "<image width=\"1\"/>" TAIL,
    HEAD "<g clip-path=\"url(#clip0)\"/>" TAIL,
    HEAD "<g id=\"clip0\"/>" TAIL,
  };
  g_autoptr (LoomInlineSvg) drawings = loom_inline_svg_new ();
  g_autoptr (GString) body = g_string_new (NULL);
  g_assert_true (append (drawings, body, HEAD "<g/>" TAIL, HEAD "<g/>" TAIL));
  gsize length = body->len;
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (append (drawings, body, HEAD "<g/>" TAIL, others[i]));
  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    g_assert_false (append (drawings, body, unknown[i], unknown[i]));
  g_assert_cmpuint (body->len, ==, length);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/inline-svg/shared", test_shared);
  g_test_add_func ("/report/inline-svg/newer-cairo", test_newer_cairo);
  g_test_add_func ("/report/inline-svg/left-alone", test_left_alone);
  return g_test_run ();
}
