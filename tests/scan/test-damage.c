/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans damaged copies of every file of the corpus (collected example traces): truncated, with flipped bytes, doubled
 * commas or swapped lines. Events that are still complete must be found at their place with their length. If json-glib
 * accepts the damaged text, it must find the same events. Of long texts, excerpts are damaged: the head, a sequence of
 * events, and the tail.
 *
 * The cases are a random sample with a fixed seed. With LOOM_LONG: 200 damaged copies of every file for each kind of
 * damage, and a cut at every byte (at 2,000 places in long texts).
 */
#include "oracle.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SMALL_BYTES 16384    /* texts up to this size are truncated at every byte, larger texts at some places */
#define EXCERPT_BYTES 131072 /* larger texts are damaged only as excerpts of about this size */
#define N_LONG_CUTS 2000
#define N_LONG_COPIES 200
/* Without LOOM_LONG: number of cuts of each file, and of damaged copies of it for each kind of damage. */
#define N_SAMPLES 3
#define MANY 8 /* if at least so many undamaged events are lost after one damage, the copy counts as poor */

typedef struct {
  guint64 offset;
  guint64 end;
} Place;

typedef struct {
  gboolean lines;
  GArray *places; /* place and length of the events in the undamaged text */
  GArray *found;  /* place and length of the events in the damaged copy */
  GString *copy;
  /* the damage: the bytes `from` … `to` of the undamaged text were changed, and the bytes after them moved by
   * `moved` */
  guint64 from, to;
  gint64 moved;
  guint n_files, n_cuts, n_copies;
  guint n_poor; /* number of damaged copies in which many events after the damage were lost */
  guint64 n_asked, n_found_more, n_compared, n_behind_lost, n_behind;
} Damage;

/* Description of the current case, printed when an assertion fails. */
static char under_way[4096];

static void
say_under_way (int number)
{
  gssize written = write (STDERR_FILENO, under_way, strlen (under_way));
  signal (number, SIG_DFL);
  raise (written >= 0 ? number : SIGKILL);
}

static gboolean
on_event (const LoomEvent *event, gpointer user_data)
{
  GArray *places = user_data;
  const Place place = { event->offset, event->offset + event->text.length };
  g_array_append_val (places, place);
  return TRUE;
}

static void
scan (const char *text, gsize length, gboolean lines, GArray *places)
{
  static const LoomScanHandler handler = { on_event, NULL, NULL };
  g_autoptr (LoomEventScanner) scanner = loom_event_scanner_new (&handler, places, lines);
  g_array_set_size (places, 0);
  loom_event_scanner_scan (scanner, text, length, 0, TRUE);
}

/* --- cuts ------------------------------------------------------------------------------------------------------------- */

/* The events of a truncated text begin with all events of the whole text that end before the cut. */
static void
check_cut (Damage *damage, const char *text, gsize length)
{
  guint n = 0;
  g_snprintf (under_way + strlen (under_way), 64, ", cut at %" G_GSIZE_FORMAT "\n", length);
  /* a copy of the exact size, so that the sanitizer detects reads beyond the cut */
  g_autofree char *copy = g_memdup2 (text, length);
  scan (copy, length, damage->lines, damage->found);
  while (n < damage->places->len && g_array_index (damage->places, Place, n).end <= length)
    n++;
  g_assert_cmpuint (damage->found->len, >=, n);
  for (guint i = 0; i < n; i++) {
    const Place *want = &g_array_index (damage->places, Place, i), *got = &g_array_index (damage->found, Place, i);
    g_assert_cmpuint (got->offset, ==, want->offset);
    g_assert_cmpuint (got->end, ==, want->end);
  }
  damage->n_cuts++;
  damage->n_asked += n;
  damage->n_found_more += damage->found->len - n;
}

static void
cut_text (Damage *damage, const char *text, gsize length)
{
  guint n = oracle_is_long () ? N_LONG_CUTS : N_SAMPLES;
  g_autofree char *name = g_strdup (under_way);
  if (oracle_is_long () && length <= SMALL_BYTES) {
    for (gsize at = 0; at < length; at++) {
      g_strlcpy (under_way, name, sizeof under_way);
      check_cut (damage, text, at);
    }
    return;
  }
  for (guint i = 0; i < n; i++) {
    g_strlcpy (under_way, name, sizeof under_way);
    check_cut (damage, text, (gsize) (g_test_rand_double () * (double) length));
  }
}

/* --- other damage ------------------------------------------------------------------------------------------------------ */

/* Asserts that events before the damage are found, and also those after it if `behind` is TRUE. A missing quote also
 * hides neighbouring events, and a text with a damaged head may not be recognised as a trace. */
static void
check_kept (Damage *damage, gboolean behind)
{
  const Place *found = (const Place *) (void *) damage->found->data, *end = found + damage->found->len;
  guint64 lost_before = damage->n_behind_lost;
  for (guint i = 0; i < damage->places->len; i++) {
    Place want = g_array_index (damage->places, Place, i);
    gboolean is_behind = want.offset >= damage->to;
    if (want.end > damage->from && !is_behind)
      continue;
    want.offset += is_behind ? (guint64) damage->moved : 0;
    want.end += is_behind ? (guint64) damage->moved : 0;
    while (found < end && found->offset < want.offset)
      found++;
    gboolean is_there = found < end && found->offset == want.offset && found->end == want.end;
    if (!is_there && is_behind && !behind) {
      damage->n_behind_lost++;
      continue;
    }
    if (!is_there)
      g_printerr ("lost: %" G_GUINT64_FORMAT "–%" G_GUINT64_FORMAT "\n", want.offset, want.end);
    g_assert_true (is_there);
    damage->n_asked++;
    damage->n_behind += is_behind;
  }
  damage->n_poor += damage->n_behind_lost - lost_before > MANY;
}

static void
flip_byte (Damage *damage)
{
  static const char telling[] = "\"\\{}[],:-e. 0";
  gsize at = (gsize) g_test_rand_int_range (0, (gint) damage->copy->len);
  gint kind = g_test_rand_int_range (0, 3);
  damage->copy->str[at] = kind == 0   ? (char) (damage->copy->str[at] ^ (1 << g_test_rand_int_range (0, 8)))
                          : kind == 1 ? (char) g_test_rand_int_range (0x20, 0x7F)
                                      : telling[g_test_rand_int_range (0, sizeof telling - 1)];
  damage->from = at;
  damage->to = at + 1;
}

/* Doubles a random comma, which may be inside a string. */
static void
double_comma (Damage *damage)
{
  gsize at = (gsize) g_test_rand_int_range (0, (gint) damage->copy->len);
  const char *comma = memchr (damage->copy->str + at, ',', damage->copy->len - at);
  at = comma != NULL ? (gsize) (comma - damage->copy->str) : at;
  g_string_insert_c (damage->copy, (gssize) at, ',');
  damage->from = at;
  damage->to = at + 1;
  damage->moved = 1;
}

static gsize
line_at (const GString *text, gsize at, gsize *end)
{
  const char *newline = memchr (text->str + at, '\n', text->len - at);
  *end = newline != NULL ? (gsize) (newline - text->str) : text->len;
  while (at > 0 && text->str[at - 1] != '\n')
    at--;
  return at;
}

static void
swap_lines (Damage *damage)
{
  GString *text = damage->copy;
  gsize ends[2], starts[2];
  for (guint i = 0; i < 2; i++)
    starts[i] = line_at (text, (gsize) g_test_rand_int_range (0, (gint) text->len), &ends[i]);
  guint a = starts[0] <= starts[1] ? 0 : 1, b = 1 - a;
  damage->from = starts[a];
  damage->to = starts[a] == starts[b] ? starts[a] : ends[b];
  if (starts[a] == starts[b])
    return;
  g_autoptr (GString) swapped = g_string_new_len (text->str, (gssize) starts[a]);
  g_string_append_len (swapped, text->str + starts[b], (gssize) (ends[b] - starts[b]));
  g_string_append_len (swapped, text->str + ends[a], (gssize) (starts[b] - ends[a]));
  g_string_append_len (swapped, text->str + starts[a], (gssize) (ends[a] - starts[a]));
  g_string_append_len (swapped, text->str + ends[b], (gssize) (text->len - ends[b]));
  g_string_assign (text, "");
  g_string_append_len (text, swapped->str, (gssize) swapped->len);
}

/* Sets the text to be damaged: the head, a sequence of events and the tail of a long text, or a whole short text. */
static void
set_excerpt (Damage *damage, const char *text, gsize length, const GArray *whole)
{
  g_string_truncate (damage->copy, 0);
  if (length <= EXCERPT_BYTES || whole->len < 2) {
    g_string_append_len (damage->copy, text, (gssize) length);
    return;
  }
  const Place *places = (const Place *) (void *) whole->data, *last = &places[whole->len - 1];
  guint i = (guint) g_test_rand_int_range (0, (gint) whole->len - 1), k = i;
  while (k + 1 < whole->len - 1 && places[k + 1].end - places[i].offset < EXCERPT_BYTES)
    k++;
  g_string_append_len (damage->copy, text, (gssize) places[0].offset);
  g_string_append_len (damage->copy, text + places[i].offset, (gssize) (places[k].end - places[i].offset));
  if (length - last->end < EXCERPT_BYTES)
    g_string_append_len (damage->copy, text + last->end, (gssize) (length - last->end));
}

static void
damage_text (Damage *damage, const char *text, gsize length)
{
  static const struct {
    const char *name;
    void (*apply) (Damage *damage);
    gboolean behind; /* TRUE: undamaged events after the damage must be found */
  } kinds[] = { { "flip", flip_byte, FALSE }, { "comma", double_comma, TRUE }, { "swap", swap_lines, FALSE } };
  guint n = oracle_is_long () ? N_LONG_COPIES : N_SAMPLES;
  g_autofree char *name = g_strdup (under_way);
  g_autoptr (GArray) whole = g_array_new (FALSE, FALSE, sizeof (Place));
  scan (text, length, damage->lines, whole);
  for (guint i = 0; i < n * G_N_ELEMENTS (kinds); i++) {
    guint kind = i % G_N_ELEMENTS (kinds);
    set_excerpt (damage, text, length, whole);
    scan (damage->copy->str, damage->copy->len, damage->lines, damage->places);
    damage->moved = 0;
    kinds[kind].apply (damage);
    g_snprintf (under_way, sizeof under_way, "%s, %s at %" G_GUINT64_FORMAT "\n", name, kinds[kind].name, damage->from);
    if (g_getenv ("LOOM_KEEP_COPY") != NULL)
      g_file_set_contents (g_getenv ("LOOM_KEEP_COPY"), damage->copy->str, (gssize) damage->copy->len, NULL);
    g_autofree char *copy = g_memdup2 (damage->copy->str, damage->copy->len);
    scan (copy, damage->copy->len, damage->lines, damage->found);
    check_kept (damage, kinds[kind].behind);
    damage->n_compared += damage->lines ? 0 : oracle_compare (copy, damage->copy->len, 8191);
    damage->n_copies++;
  }
}

/* --- files ------------------------------------------------------------------------------------------------------------- */

static void
with_file (const char *path, Damage *damage, void (*work) (Damage *, const char *, gsize))
{
  gsize length;
  g_autofree char *text = oracle_read_text (path, G_MAXINT / 2, &length);
  g_snprintf (under_way, sizeof under_way, "%s", path);
  damage->lines = strstr (path, "/system/") != NULL || strstr (path, "1591160699.algo-1.json") != NULL;
  if (length == 0)
    return;
  scan (text, length, damage->lines, damage->places);
  if (damage->places->len == 0)
    return;
  damage->n_files++;
  work (damage, text, length);
}

static void
cut_file (const char *path, gpointer user_data)
{
  with_file (path, user_data, cut_text);
}

static void
damage_file (const char *path, gpointer user_data)
{
  with_file (path, user_data, damage_text);
}

static void
over_corpus (OracleFile file)
{
  const char *folder = oracle_corpus ();
  if (folder == NULL)
    return;
  Damage damage = { .places = g_array_new (FALSE, FALSE, sizeof (Place)),
                    .found = g_array_new (FALSE, FALSE, sizeof (Place)),
                    .copy = g_string_new (NULL) };
  signal (SIGABRT, say_under_way);
  oracle_each_file (folder, file, &damage);
  g_test_message ("%u files, %u cuts, %u damaged copies: %" G_GUINT64_FORMAT
                  " events were whole and found, %" G_GUINT64_FORMAT " of them behind the damage (%" G_GUINT64_FORMAT
                  " lost there, by %u copies more than a few), %" G_GUINT64_FORMAT
                  " more than whole; %" G_GUINT64_FORMAT " compared with json-glib",
                  damage.n_files, damage.n_cuts, damage.n_copies, damage.n_asked, damage.n_behind, damage.n_behind_lost,
                  damage.n_poor, damage.n_found_more, damage.n_compared);
  g_assert_cmpuint (damage.n_files, >, 80);
  g_assert_cmpuint (damage.n_asked, >, 10000);
  /* many events are lost after about one damage in 400; doubled commas must never cause this */
  g_assert_cmpuint (damage.n_poor, <=, damage.n_copies / 100);
  g_array_unref (damage.places);
  g_array_unref (damage.found);
  g_string_free (damage.copy, TRUE);
}

static void
test_cuts (void)
{
  over_corpus (cut_file);
}

static void
test_copies (void)
{
  over_corpus (damage_file);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/damage/cuts", test_cuts);
  g_test_add_func ("/damage/copies", test_copies);
  return g_test_run ();
}
