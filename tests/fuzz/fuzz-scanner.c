/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the scanner of trace files: passes a text in windows of various sizes, with each method of skipping values and
 * with random limits. The result must be the same as that of one pass over the whole text with the simplest method.
 */
#include "fuzz.h"

#include "loom-event-scanner.h"
#include "loom-json-skip.h"

#include <string.h>

/* Records the callbacks of the scanner as text: events with their members, other members, problems, and the form of the
 * file. */
typedef struct {
  GString *heard;
  const char *text; /* text of the current window */
  guint64 offset;
} Ear;

static void
say_slice (Ear *ear, guint name, LoomJsonSlice slice)
{
  if (slice.text != NULL)
    g_string_append_printf (ear->heard, " %u@%" G_GUINT64_FORMAT "+%" G_GSIZE_FORMAT, name,
                            ear->offset + (guint64) (slice.text - ear->text), slice.length);
}

static gboolean
on_event (const LoomEvent *event, gpointer user_data)
{
  Ear *ear = user_data;
  g_string_append_printf (ear->heard, "event %" G_GUINT64_FORMAT "+%" G_GSIZE_FORMAT, event->offset,
                          event->text.length);
  for (guint i = 0; i < LOOM_N_MEMBERS; i++)
    say_slice (ear, i, event->member[i]);
  g_string_append_c (ear->heard, '\n');
  return TRUE;
}

static void
on_member (LoomJsonSlice key, LoomJsonSlice value, guint64 offset, gpointer user_data)
{
  Ear *ear = user_data;
  g_string_append_printf (ear->heard, "member at %" G_GUINT64_FORMAT, offset);
  say_slice (ear, 0, key);
  say_slice (ear, 1, value);
  g_string_append_c (ear->heard, '\n');
}

static void
on_problem (LoomScanProblem problem, guint64 offset, gpointer user_data)
{
  g_string_append_printf (((Ear *) user_data)->heard, "problem %d at %" G_GUINT64_FORMAT "\n", problem, offset);
}

static const LoomScanHandler handler = { on_event, on_member, on_problem };

/* A way of passing the text to the scanner. `step`: each window has up to this many bytes more than the previous one;
 * 0: the whole text at once. `limited`: the scan also stops at random limits and is continued there. */
typedef struct {
  guint step;
  gboolean limited, lines;
} Way;

static gsize
show (LoomEventScanner *scanner, Ear *ear, const char *text, gsize from, gsize to, gboolean final)
{
  g_autofree char *window = fuzz_exact (text + from, to - from);
  ear->text = window;
  ear->offset = from;
  gsize used = loom_event_scanner_scan (scanner, window, to - from, from, final);
  fuzz_check (used <= to - from, "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " bytes used", used, to - from);
  return used;
}

static void
set_limit (LoomEventScanner *scanner, FuzzDice *dice, guint64 done, gsize size, guint *n_limits)
{
  /* at most 20 limits, because each needs another window */
  loom_event_scanner_set_limit (scanner,
                                ++*n_limits > 20 ? LOOM_SCAN_NOWHERE : done + fuzz_below (dice, (guint) size + 2));
}

static char *
listen (const char *text, gsize size, Way way, FuzzDice dice)
{
  Ear ear = { g_string_new (NULL), NULL, 0 };
  g_autoptr (LoomEventScanner) scanner = loom_event_scanner_new (&handler, &ear, way.lines);
  gsize done = 0, shown = 0;
  guint n_limits = 0;
  if (way.limited)
    set_limit (scanner, &dice, 0, size, &n_limits);
  for (;;) {
    gsize more = way.step == 0 ? size : 1 + fuzz_below (&dice, way.step);
    shown = MIN (size, shown + more);
    gboolean final = shown == size;
    done += show (scanner, &ear, text, done, shown, final);
    if (loom_event_scanner_get_reached (scanner) != LOOM_SCAN_NOWHERE) {
      fuzz_check (loom_event_scanner_get_reached (scanner) >= done, "rests before what is done with");
      set_limit (scanner, &dice, done, size, &n_limits);
    } else if (final || loom_event_scanner_is_done (scanner)) {
      break;
    }
  }
  g_string_append_printf (ear.heard, "form %d, events %d\n", loom_event_scanner_get_form (scanner),
                          loom_event_scanner_saw_events_array (scanner));
  return g_string_free (ear.heard, FALSE);
}

static void
compare (const char *text, gsize size, gboolean lines)
{
  static const Way ways[] = {
    { 0, FALSE, FALSE }, { 3, FALSE, FALSE }, { 70, FALSE, FALSE }, { 0, TRUE, FALSE }, { 40, TRUE, FALSE }
  };
  const LoomJsonSkipNested walks[] = {
    loom_json_skip_nested_plain,
#if defined(__x86_64__) && defined(__GNUC__)
    loom_json_skip_nested_sse2,
    __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("bmi") ? loom_json_skip_nested_avx2 : NULL,
#endif
  };
  const LoomJsonSkipNested own = loom_json_skip_nested;
  FuzzDice dice = fuzz_dice ((const guint8 *) text, size);
  loom_json_skip_nested = loom_json_skip_nested_plain;
  g_autofree char *wanted = listen (text, size, (Way) { 0, FALSE, lines }, dice);
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++) {
    if (walks[i] == NULL)
      continue;
    loom_json_skip_nested = walks[i];
    /* combines each method of skipping with one random way of passing the text; over many inputs all combinations
     * occur */
    Way way = i == 1 ? ways[0] : ways[fuzz_below (&dice, G_N_ELEMENTS (ways))];
    way.lines = lines;
    g_autofree char *heard = listen (text, size, way, dice);
    g_autofree char *what =
      g_strdup_printf ("walk %u, windows of %u, limits %d, lines %d", i, way.step, way.limited, lines);
    fuzz_check_lines (heard, wanted, what);
  }
  loom_json_skip_nested = own;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  compare ((const char *) data, size, FALSE);
  compare ((const char *) data, size, TRUE);
  return 0;
}
