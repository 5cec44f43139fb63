/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares two ways in which an event is written to a merged file: the fast path, which accepts only common forms, and
 * the general path. Events that the fast path accepts must be strict JSON according to src/scan, be split as
 * loom_event_parse() splits them, and give the same bytes.
 */
#include <string.h>

#include "loom-event-template.h"
#include "loom-shared-block-cache.h"
#include "loom-strict-event-parser.h"
#include "loom-trace-event-writer.h"

static const char *const plain[] = {
  "{\"ph\":\"X\",\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":10.250,\"dur\":4}",
  "{\"name\":\"a\",\"args\":{\"x\":[1,2,{\"y\":[]}],\"z\":{}},\"ts\":-1e5,\"dur\":0.5E+3}",
  "{\n  \"ph\": \"X\", \"name\": \"a\",\n  \"args\": {\n    \"Ev Idx\": 5, \"Input Dims\": [[8, 2048],\r\n [], [\n]]\n  }\n}",
  "{\"args\":{\"deep\":[[[[[[[[[[\"\\u00e4\\n\\\"\"]]]]]]]]]]},\"id\":\"0x1\",\"bind_id\":7,\"bp\":\"e\",\"other\":true}",
  "{\"name\":\"\xC3\xA4 \xE2\x82\xAC\",\"cat\":\"\",\"s\":\"g\",\"cname\":null,\"id2\":{\"local\":\"1\"},\"x\":false}",
  "{\"name\":\"exactly 16 bytes\",\"cat\":\"fifteen bytes..\"}",
};

static const char *const others[] = {
  "",
  "{}",
  "[",
  "{",
  "{\"name\"",
  "{\"name\":",
  "{\"name\":\"a\"",
  "{\"name\":\"a\",}",
  "{,\"name\":\"a\"}",
  "{\"name\":\"a\" \"ph\":\"X\"}",
  "{\"a\":01}",
  "{\"a\":1.}",
  "{\"a\":.5}",
  "{\"a\":+1}",
  "{\"a\":1e}",
  "{\"a\":NaN}",
  "{\"a\":nul}",
  "{\"a\":tru}",
  "{\"args\":{\"a\":[1,]}}",
  "{\"args\":{\"a\":[1}}}",
  "{\"args\":{\"a\":1]}",
  "{\"args\":{\"a\"}}",
  "{\"args\":{\"a\":1,}}",
  "{\"args\":{1:2}}",
  "{\"a\":\"\\x\"}",
  "{\"a\":\"\\u12g4\"}",
  "{\"a\":\"\xFF\"}",
  "{\"a\":\"\xC3\"}",
  "{\"a\":\"tab\there\"}",
  "{\"a\":\"line\nend\"}",
  "{\"a\":\"C:\\data\"}",
  "{\"a\":\"say \"hello\" twice\"}",
  "{\"a\":'b'}",
  "{\"a\" \"b\"}",
};

/* Returns a copy of the text, followed by the padding that the parser requires. */
static char *
pad (const char *text, gsize length)
{
  char *copy = g_malloc0 (length + LOOM_STRICT_EVENT_PADDING);
  memcpy (copy, text, length);
  return copy;
}

static void
assert_slice (LoomJsonSlice slice, LoomJsonSlice same)
{
  g_assert_true (slice.text == same.text);
  g_assert_cmpuint (slice.length, ==, same.length);
}

/* If the fast path accepts the event, asserts that it agrees with the JSON checker and with loom_event_parse(). Returns
 * TRUE if it was accepted. */
static gboolean
check (const char *text, gsize length)
{
  g_autofree char *copy = pad (text, length);
  LoomStrictEvent seen;
  LoomEvent event;
  if (!loom_strict_event_parser_scan (copy, &seen))
    return FALSE;
  g_assert_cmpuint (seen.length, <=, length);
  g_assert_true (loom_json_slice_is_strict (copy, seen.length));
  g_assert_true (loom_event_parse (copy, seen.length, &event));
  g_assert_cmpuint (event.text.length, ==, seen.length);
  g_assert_cmpint (seen.one_line, ==, loom_trace_event_writer_is_clean (&event));
  assert_slice (seen.name, event.member[LOOM_MEMBER_NAME]);
  assert_slice (seen.category, event.member[LOOM_MEMBER_CAT]);
  assert_slice (seen.phase, event.member[LOOM_MEMBER_PH]);
  for (guint i = 0; i < seen.n_copied; i++) {
    const LoomStrictMember *member = &seen.copied[i];
    g_autoptr (GString) wanted = g_string_new (NULL),
                        line = g_string_new_len (member->value.text, (gssize) member->value.length);
    if (member->member != LOOM_N_MEMBERS)
      assert_slice (member->value, event.member[member->member]);
    for (guint b = member->first_break; b < member[1].first_break; b++)
      line->str[seen.breaks[b] - member->value.text] = ' ';
    loom_trace_event_writer_append_value (wanted, member->value, FALSE);
    g_assert_cmpstr (line->str, ==, wanted->str);
  }
  return TRUE;
}

static void
test_plain (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    if (!check (plain[i], strlen (plain[i])))
      g_error ("not recognised: %s", plain[i]);
}

/* Every object that is strict JSON by loom_json_slice_is_strict() and not too large is accepted, and is returned as one
 * value that can be copied. */
static void
test_objects (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (plain) + G_N_ELEMENTS (others); i++) {
    const char *text = i < G_N_ELEMENTS (plain) ? plain[i] : others[i - G_N_ELEMENTS (plain)];
    g_autofree char *copy = pad (text, strlen (text));
    LoomStrictEvent seen;
    gboolean strict = *text == '{' && loom_json_slice_is_strict (text, strlen (text));
    g_assert_cmpint (loom_strict_event_parser_object_scan (copy, &seen), ==, strict);
    if (!strict)
      continue;
    g_assert_cmpuint (seen.n_copied, ==, 1);
    assert_slice (seen.copied[0].value, (LoomJsonSlice) { copy, strlen (text) });
    g_assert_cmpint (seen.one_line, ==, strpbrk (text, "\r\n") == NULL);
  }
}

/* Ids may be strings, or numbers without sign, decimal point and exponent. */
static void
test_ids (void)
{
  static const struct {
    const char *text;
    gsize length;
  } ids[] = { { "7,", 1 },        { "0}", 1 },        { "123456789012345678901234567890 }", 30 },
              { "\"0x1\",", 5 },  { "\"\"}", 2 },     { "\"a\\\"b\"\n,", 6 },
              { "7 \n}", 1 },     { "\"a\" ,", 3 },   { "\"a\" b\",", 0 },
              { "7 8,", 0 },      { "7 ", 0 },        { "01,", 0 },
              { "-1,", 0 },       { "1.5,", 0 },      { "1e3,", 0 },
              { "1x", 0 },        { "1", 0 },         { "null,", 0 },
              { "{},", 0 },       { "\"a", 0 },       { "\"a\\x\",", 0 },
              { "\"a\tb\",", 0 }, { "\"\xFF\",", 0 }, { "", 0 },
              { ",", 0 } };
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
    g_autofree char *copy = pad (ids[i].text, strlen (ids[i].text));
    g_assert_cmpuint (loom_strict_event_parser_id_length (copy), ==, ids[i].length);
  }
}

static void
test_others (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (check (others[i], strlen (others[i])))
      g_error ("recognised: %s", others[i]);
}

/* Tests events that are strict JSON, but that the fast path refuses: duplicate keys, escaped keys,
 * the marker that the program itself writes, too many or too long values. */
static void
test_limits (void)
{
  g_autoptr (GString) deep = g_string_new ("{\"args\":"), wide = g_string_new ("{\"a0\":0"),
                      broken = g_string_new ("{\"args\":[");
  g_assert_false (check ("{\"name\":\"a\",\"name\":\"b\"}", 23));
  g_assert_false (check ("{\"n\\u0061me\":\"a\"}", 17));
  g_assert_false (check ("{\"traceloom\":\"open\"}", 20));
  for (guint i = 0; i < 65; i++)
    g_string_append_c (deep, '[');
  for (guint i = 0; i < 65; i++)
    g_string_append_c (deep, ']');
  g_string_append_c (deep, '}');
  for (guint i = 1; i <= LOOM_STRICT_EVENT_MAX_COPIED; i++)
    g_string_append_printf (wide, ",\"a%u\":0", i);
  g_string_append_c (wide, '}');
  for (guint i = 0; i <= LOOM_STRICT_EVENT_MAX_BREAKS; i++)
    g_string_append (broken, "\n");
  g_string_append (broken, "]}");
  g_assert_false (check (deep->str, deep->len));
  g_assert_false (check (wide->str, wide->len));
  g_assert_false (check (broken->str, broken->len));
}

/* Replaces each byte of an event by several other bytes, and truncates the event at every byte. */
static void
test_mutations (void)
{
  static const char bytes[] = "\"\\{}[],:0-.e \n\r\t\x01\x80x";
  guint n = 0;
  for (guint i = 0; i < G_N_ELEMENTS (plain); i++) {
    gsize length = strlen (plain[i]);
    g_autofree char *text = g_strdup (plain[i]);
    for (gsize at = 0; at < length; at++) {
      g_assert_false (check (plain[i], at));
      for (guint b = 0; b < sizeof bytes; b++) {
        text[at] = bytes[b];
        n += check (text, length);
      }
      text[at] = plain[i][at];
    }
  }
  g_assert_cmpuint (n, >, 100);
}

/* --- templates --- */

static void
assert_same (const LoomStrictEvent *seen, const LoomStrictEvent *wanted)
{
  g_assert_cmpuint (seen->length, ==, wanted->length);
  assert_slice (seen->name, wanted->name);
  assert_slice (seen->category, wanted->category);
  assert_slice (seen->phase, wanted->phase);
  g_assert_cmpint (seen->one_line, ==, wanted->one_line);
  g_assert_cmpuint (seen->n_copied, ==, wanted->n_copied);
  for (guint i = 0; i < wanted->n_copied; i++) {
    g_assert_cmpint (seen->copied[i].member, ==, wanted->copied[i].member);
    assert_slice (seen->copied[i].key, wanted->copied[i].key);
    assert_slice (seen->copied[i].value, wanted->copied[i].value);
  }
  for (guint i = 0; i <= wanted->n_copied; i++)
    g_assert_cmpuint (seen->copied[i].first_break, ==, wanted->copied[i].first_break);
  for (guint i = 0; i < wanted->copied[wanted->n_copied].first_break; i++)
    g_assert_true (seen->breaks[i] == wanted->breaks[i]);
}

/* Templates (structures of earlier events that make parsing faster): one set for events and one for objects. */
typedef struct {
  LoomEventTemplates *of[2];
} Patterns;

static void
clear_patterns (Patterns *patterns)
{
  loom_event_templates_free (patterns->of[LOOM_PATTERNS_OF_EVENTS]);
  loom_event_templates_free (patterns->of[LOOM_PATTERNS_OF_OBJECTS]);
}

#define PATTERNS_INIT                                                                                         \
  {                                                                                                           \
    {                                                                                                         \
      loom_event_templates_new (LOOM_PATTERNS_OF_EVENTS), loom_event_templates_new (LOOM_PATTERNS_OF_OBJECTS) \
    }                                                                                                         \
  }
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Patterns, clear_patterns)

/* Asserts that parsing a text with templates gives the same result as without. */
static void
check_pattern (const Patterns *patterns, const char *text)
{
  g_autofree char *copy = pad (text, strlen (text));
  for (guint kind = 0; kind < G_N_ELEMENTS (patterns->of); kind++) {
    LoomStrictEvent seen, wanted;
    memset (&seen, 0xAA, sizeof seen);
    gboolean known = (kind == LOOM_PATTERNS_OF_EVENTS ? loom_strict_event_parser_scan
                                                      : loom_strict_event_parser_object_scan) (copy, &wanted);
    g_assert_cmpint (loom_event_templates_scan (patterns->of[kind], 7, copy, &seen), ==, known);
    if (known)
      assert_same (&seen, &wanted);
  }
}

static const char *const alike[] = {
  "{\"ph\":\"X\",\"name\":\"b\",\"cat\":\"bcd\",\"pid\":123,\"tid\":2,\"ts\":10,\"dur\":4.125}",
  "{\"ph\":\"X\",\"name\":\"a\",\"cat\":[\"b\"],\"pid\":{\"a\":\n1},\"tid\":[\n2],\"ts\":10.250,\"dur\":4}",
  "{\"ph\":\"X\",\"name\":\"a\",\"cat\":\"b\",\"pid\":1,\"tid\":2,\"ts\":10.250,\"dur\":4 }",
  "{\"name\":\"a\",\"args\":{\"x\":17,\"z\":[\n[\n],\r{}]},\"ts\":-1e5,\"dur\":0}",
  "{\"name\":\"ab\",\"args\":{\"x\":\"long \\u00e4 text\",\"z\":null},\"ts\":1,\"dur\":0.5E+3}",
  "{\n  \"ph\": \"X\", \"name\": \"a\",\n  \"args\": {\n    \"Ev Idx\": 5678, \"Input Dims\": []\n  }\n}",
  "{\n  \"ph\": \"X\", \"name\": \"a\",\n  \"args\": {\n    \"Ev Idx\": 56, \"Input Dims\": \"(1,\\n2)\"\n  }\n}",
  "{\"args\":{\"deep\":1},\"id\":77,\"bind_id\":\"x\",\"bp\":\"e\",\"other\":{}}",
  "{\"args\":{\"deep\":1},\"id\":[\n77],\"bind_id\":{\n},\"bp\":\"e\",\"other\":[]}",
};

static void
test_patterns (void)
{
  g_auto (Patterns) patterns = PATTERNS_INIT;
  for (guint round = 0; round < 3; round++) {
    for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
      check_pattern (&patterns, plain[i]);
    for (guint i = 0; i < G_N_ELEMENTS (alike); i++)
      check_pattern (&patterns, alike[i]);
    for (guint i = 0; i < G_N_ELEMENTS (others); i++)
      check_pattern (&patterns, others[i]);
  }
}

/* A template contains numbers that varied in earlier events. Tests numbers of all lengths in these places, with the
 * decimal point at any place, and with or without a leading zero. */
static void
test_pattern_numbers (void)
{
  static const char *const firsts[] = { "0", "7", "-", ".", "" };
  g_auto (Patterns) patterns = PATTERNS_INIT;
  for (guint first = 0; first < G_N_ELEMENTS (firsts); first++)
    for (guint n = 0; n < 20; n++)
      for (guint point = 0; point <= n + 1; point++) {
        g_autoptr (GString) number = g_string_new (firsts[first]);
        g_autofree char *digits = g_strnfill (n, '5');
        g_string_append (number, digits);
        if (point <= n)
          g_string_insert_c (number, (gssize) MIN (point, number->len), '.');
        g_autofree char *text = g_strdup_printf ("{\"name\":\"a\",\"ts\":%s,\"dur\":%s,\"args\":{\"x\":%s}}",
                                                 number->str, number->str, number->str);
        check_pattern (&patterns, "{\"name\":\"a\",\"ts\":1,\"dur\":2,\"args\":{\"x\":3}}");
        check_pattern (&patterns, "{\"name\":\"a\",\"ts\":4,\"dur\":5,\"args\":{\"x\":6}}");
        check_pattern (&patterns, text);
      }
}

/* Learns an event as a template, then replaces, inserts or removes bytes of the event. */
static void
test_pattern_mutations (void)
{
  static const char bytes[] = "\"\\{}[],:0-.e \n\r\t\x01\x80x";
  for (guint i = 0; i < G_N_ELEMENTS (plain); i++) {
    g_auto (Patterns) patterns = PATTERNS_INIT;
    gsize length = strlen (plain[i]);
    for (gsize at = 0; at < length; at++) {
      check_pattern (&patterns, plain[i]);
      for (guint b = 0; bytes[b] != '\0'; b++) {
        g_autoptr (GString) text = g_string_new (plain[i]);
        text->str[at] = bytes[b];
        check_pattern (&patterns, text->str);
        g_string_assign (text, plain[i]);
        g_string_insert_c (text, (gssize) at, bytes[b]);
        check_pattern (&patterns, text->str);
      }
      g_autoptr (GString) less = g_string_new (plain[i]);
      g_string_erase (less, (gssize) at, 1);
      check_pattern (&patterns, less->str);
      g_string_truncate (less, at);
      check_pattern (&patterns, less->str);
    }
  }
}

/* --- blocks -------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomByteSource text;
  gsize length;
  guint n_reads;
} CountedText;

static gssize
counted_read (LoomByteSource *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  CountedText *counted = (CountedText *) text;
  gsize n = offset < counted->length ? MIN (n_bytes, counted->length - offset) : 0;
  for (gsize i = 0; i < n; i++)
    ((guint8 *) buffer)[i] = (guint8) ((offset + i) % 251);
  counted->n_reads += n > 0;
  return (gssize) n;
}

static void
counted_finalize (LoomByteSource *text)
{
}

static CountedText *
make_text (gsize length)
{
  static const LoomByteSourceClass klass = { counted_read, counted_finalize };
  CountedText *text = (CountedText *) loom_byte_source_alloc (&klass, sizeof (CountedText));
  text->length = length;
  return text;
}

static void
assert_bytes (const char *bytes, guint64 offset, gsize length)
{
  for (gsize i = 0; i < length; i++)
    g_assert_cmpuint ((guint8) bytes[i], ==, (offset + i) % 251);
}

/* Several windows (readers at different places of a file) share the blocks that are read; a block is read once, and
 * contains zeros beyond the end of the text. */
static void
test_blocks (void)
{
  CountedText *one = make_text (1000000), *two = make_text (5000);
  LoomByteSource *const texts[] = { &one->text, NULL, &two->text };
  LoomSharedBlockCache *blocks = loom_shared_block_cache_new (texts, 3);
  LoomSharedBlockWindow *windows[] = { loom_shared_block_cache_new_window (), loom_shared_block_cache_new_window () };
  gsize length;
  g_assert_null (loom_shared_block_cache_get_window (windows[0], &one->text, 0, &length));
  for (guint i = 0; i < 40; i++) {
    LoomSharedBlock *block = loom_shared_block_cache_want (blocks, windows[i / 20], 0, i * 100);
    const char *bytes = loom_shared_block_cache_get_block (block, i * 100, &length);
    g_assert_cmpuint (length, >, 50000);
    assert_bytes (bytes, i * 100, length);
  }
  g_assert_cmpuint (one->n_reads, ==, 1);
  g_assert_true (loom_shared_block_cache_want (blocks, windows[1], 0, 500) !=
                 loom_shared_block_cache_want (blocks, windows[1], 0, 500000));
  const char *in_window = loom_shared_block_cache_get_window (windows[1], &one->text, 500100, &length);
  assert_bytes (in_window, 500100, length);
  g_assert_null (loom_shared_block_cache_get_window (windows[0], &one->text, 500100, &length));

  loom_shared_block_cache_want (blocks, windows[0], 2, 4999);
  const char *end = loom_shared_block_cache_get_window (windows[0], &two->text, 4999, &length);
  g_assert_cmpuint (length, ==, 1);
  for (guint i = 1; i < LOOM_SHARED_BLOCK_PADDING; i++)
    g_assert_cmpint (end[i], ==, 0);
  g_assert_null (loom_shared_block_cache_get_window (windows[0], &two->text, 5000, &length));
  for (guint i = 0; i < 2; i++)
    loom_shared_block_cache_free_window (windows[i]);
  loom_shared_block_cache_free (blocks);
  loom_byte_source_unref (&one->text);
  loom_byte_source_unref (&two->text);
}

/* Blocks that no window uses are reused for other parts of the text; blocks that a window uses are not. */
static void
test_blocks_again (void)
{
  CountedText *text = make_text (1 << 30);
  LoomByteSource *const texts[] = { &text->text };
  g_autoptr (LoomSharedBlockCache) blocks = loom_shared_block_cache_new (texts, 1);
  g_autoptr (LoomSharedBlockWindow) kept = loom_shared_block_cache_new_window (),
                                    window = loom_shared_block_cache_new_window ();
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  gsize length;
  const char *bytes = loom_shared_block_cache_get_block (loom_shared_block_cache_want (blocks, kept, 0, 7), 7, &length);
  for (guint64 at = 1 << 20; at < 1 << 28; at += 1 << 20) {
    g_hash_table_add (places, loom_shared_block_cache_want (blocks, window, 0, at));
    assert_bytes (loom_shared_block_cache_get_window (window, &text->text, at, &length), at, 100);
    loom_shared_block_cache_clear (window);
    g_assert_null (loom_shared_block_cache_get_window (window, &text->text, at, &length));
  }
  g_assert_cmpuint (g_hash_table_size (places), <, 8);
  assert_bytes (bytes, 7, 1000);
  loom_shared_block_cache_clear (kept);
  loom_byte_source_unref (&text->text);
}

/* If an event may extend beyond the end of a block, reading continues by the length of the longest event so far. */
static void
test_blocks_long (void)
{
  CountedText *text = make_text (1 << 30);
  LoomByteSource *const texts[] = { &text->text };
  g_autoptr (LoomSharedBlockCache) blocks = loom_shared_block_cache_new (texts, 1);
  g_autoptr (LoomSharedBlockWindow) window = loom_shared_block_cache_new_window ();
  const guint64 last = 65535; /* offset of the last byte of a block; all block sizes divide 64 KiB */
  gsize length, more;
  loom_shared_block_cache_get_block (loom_shared_block_cache_want (blocks, window, 0, last), last, &length);
  g_assert_cmpuint (length, >, 4000);
  loom_shared_block_cache_note_length (blocks, 0, length + 1);
  loom_shared_block_cache_get_block (loom_shared_block_cache_want (blocks, window, 0, last + (1 << 20)),
                                     last + (1 << 20), &more);
  g_assert_cmpuint (more, >, length);
  loom_shared_block_cache_note_length (blocks, 0, 1 << 30);
  loom_shared_block_cache_get_block (loom_shared_block_cache_want (blocks, window, 0, last + (2 << 20)),
                                     last + (2 << 20), &more);
  g_assert_cmpuint (more, <, 1 << 20);
  guint n = 0;
  for (; !loom_shared_block_cache_window_is_full (window); n++)
    loom_shared_block_cache_want (blocks, window, 0, (guint64) n << 22);
  g_assert_cmpuint (n, >, 10);
  loom_shared_block_cache_clear (window);
  g_assert_false (loom_shared_block_cache_window_is_full (window));
  loom_byte_source_unref (&text->text);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rank-copy/plain", test_plain);
  g_test_add_func ("/rank-copy/others", test_others);
  g_test_add_func ("/rank-copy/objects", test_objects);
  g_test_add_func ("/rank-copy/ids", test_ids);
  g_test_add_func ("/rank-copy/limits", test_limits);
  g_test_add_func ("/rank-copy/mutations", test_mutations);
  g_test_add_func ("/patterns/alike", test_patterns);
  g_test_add_func ("/patterns/numbers", test_pattern_numbers);
  g_test_add_func ("/patterns/mutations", test_pattern_mutations);
  g_test_add_func ("/text-blocks/read", test_blocks);
  g_test_add_func ("/text-blocks/again", test_blocks_again);
  g_test_add_func ("/text-blocks/long", test_blocks_long);
  return g_test_run ();
}
