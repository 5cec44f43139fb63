/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the user's edits of sources: which sources are shown, the ranks and nodes that the user gives them, and
 * comparing two sets of edits.
 */
#include "loom-source-overrides.h"

/* Covers documented rows: ../README.md §sources only one source is shown | a source is muted */
static void
test_shown (void)
{
  g_autoptr (LoomSourceOverrides) edits = loom_source_overrides_new ();
  g_assert_true (loom_source_overrides_shows (edits, "/a"));
  g_assert_false (loom_source_overrides_hides_any (edits));
  loom_source_overrides_change (edits, "/a")->muted = TRUE;
  g_assert_false (loom_source_overrides_shows (edits, "/a"));
  g_assert_true (loom_source_overrides_shows (edits, "/b"));
  loom_source_overrides_change (edits, "/b")->solo = TRUE;
  g_assert_true (loom_source_overrides_shows (edits, "/x/../b")); /* another path to the same file */
  g_assert_false (loom_source_overrides_shows (edits, "/c"));
  loom_source_overrides_change (edits, "/a")->solo = TRUE; /* the source is to be shown alone (solo), but is muted, too:
                                                            * muting takes precedence */
  g_assert_false (loom_source_overrides_shows (edits, "/a"));
  loom_source_overrides_clear_solo (edits);
  g_assert_true (loom_source_overrides_shows (edits, "/c"));
}

static void
test_same (void)
{
  g_autoptr (LoomSourceOverrides) a = loom_source_overrides_new (), b = loom_source_overrides_new ();
  loom_source_overrides_change (a, "/a"); /* an edit without changes, which counts as none */
  g_assert_true (loom_source_overrides_is_empty (a));
  g_assert_true (loom_source_overrides_equal (a, b));
  loom_source_overrides_change (a, "/a")->name = g_strdup ("first");
  g_assert_false (loom_source_overrides_equal (a, b));
  g_assert_true (loom_source_overrides_read_the_same (a, b));
  loom_source_overrides_change (a, "/a")->has_rank = TRUE;
  g_assert_false (loom_source_overrides_read_the_same (a, b));
  g_assert_false (loom_source_overrides_read_the_same (b, a));
  g_autoptr (LoomSourceOverrides) copy = loom_source_overrides_copy (a);
  g_assert_true (loom_source_overrides_equal (a, copy));
  loom_source_overrides_set_pattern (copy, "(?<rank>\\d)");
  g_assert_false (loom_source_overrides_read_the_same (a, copy));
}

static void
assert_place (const LoomSourceOverrides *edits, const char *path, gint rank, const char *node)
{
  g_autoptr (LoomSourcePlacer) placer = loom_source_overrides_placer_new (edits);
  LoomSourcePlace place;
  g_assert_cmpint (loom_source_overrides_placer_find (placer, path, &place), ==, rank >= 0 || node != NULL);
  g_assert_cmpint (place.has_rank ? place.rank : -1, ==, rank);
  g_assert_cmpstr (place.node, ==, node);
  loom_source_overrides_place_clear (&place);
}

/* Covers documented rows: ../README.md §sources a source gets a name, a rank or a node | ranks and nodes are taken from the paths */
static void
test_places (void)
{
  g_autoptr (LoomSourceOverrides) edits = loom_source_overrides_new ();
  assert_place (edits, "/run/n1/rank7.json", -1, NULL);
  loom_source_overrides_set_pattern (edits, "(?<node>n\\d+)/rank(?<rank>\\d+)");
  assert_place (edits, "/run/n1/rank7.json", 7, "n1");
  assert_place (edits, "/run/n1/other.json", -1, NULL);
  LoomSourceEdit *edit = loom_source_overrides_change (edits, "/run/n1/rank7.json");
  edit->node = g_strdup ("left"); /* the user's edits take precedence over the pattern, for the rank and the node
                                   * separately */
  assert_place (edits, "/run/n1/rank7.json", 7, "left");
  edit->has_rank = TRUE;
  edit->rank = 0;
  assert_place (edits, "/run/n1/rank7.json", 0, "left");
}

static void
test_patterns (void)
{
  static const struct {
    const char *pattern;
    gboolean good;
  } rows[] = {
    { "(?<rank>\\d+)", TRUE }, { "(?P<node>.*)", TRUE }, { "rank(\\d+)", FALSE }, { "(?<rank>", FALSE }, { "", FALSE },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GRegex) regex = loom_source_overrides_pattern_new (rows[i].pattern, &error);
    g_assert_cmpint (regex != NULL, ==, rows[i].good);
    g_assert_cmpint (error == NULL, ==, rows[i].good);
  }
  g_autoptr (GRegex) letters = loom_source_overrides_pattern_new ("(?<rank>\\w+)$", NULL);
  LoomSourcePlace place;
  g_assert_false (loom_source_overrides_pattern_match (letters, "/run/seven", &place)); /* "seven" contains no number */
  g_assert_true (loom_source_overrides_pattern_match (letters, "/run/007", &place));
  g_assert_cmpint (place.rank, ==, 7);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/source-overrides/shown", test_shown);
  g_test_add_func ("/model/source-overrides/same", test_same);
  g_test_add_func ("/model/source-overrides/places", test_places);
  g_test_add_func ("/model/source-overrides/patterns", test_patterns);
  return g_test_run ();
}
