/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes one importer, which is selected by the file names in FUZZ_FILES. For any content, the loaded run must satisfy
 * the invariants of runs (fuzz-trace.h); the same files read in small pieces, or compressed, must give the same run;
 * and if json-glib can read the text, no event may be missing. FUZZ_WHOLE is defined for formats that are not read in
 * pieces, and for SQLite databases, whose damaged pages may be read differently each time.
 */
#include "fuzz-trace.h"

#include "dump-run.h"
#include "loom-alignment.h"

#include <json-glib/json-glib.h>
#include <string.h>

#ifndef FUZZ_WHOLE
#define FUZZ_WHOLE 0
#endif

static const char *const names[] = { FUZZ_FILES, NULL };

/* --- pieces -------------------------------------------------------------------------------------------------------- */

static void
compare_pieces (LoomRun *whole, gsize size, FuzzDice *dice)
{
  guint64 n = 20 + size / (1 + fuzz_below (dice, 8)); /* minimum size of a piece, which limits their number, because
                                                       * each takes time */
  g_autoptr (LoomRun) run = fuzz_load (n);
  g_autofree char *wanted = dump_run (whole, fuzz_folder (), TRUE), *got = dump_run (run, fuzz_folder (), TRUE);
  g_autofree char *what = g_strdup_printf ("pieces of %" G_GUINT64_FORMAT, n);
  fuzz_check_lines (got, wanted, what);
}

/* --- comparison with json-glib --- */

typedef struct {
  guint n_events, n_complete, n_listed;
  gboolean plain; /* TRUE if each event has a phase that becomes exactly one span or one instant */
} Expected;

static void
count_event (JsonArray *array, guint i, JsonNode *node, gpointer user_data)
{
  Expected *expected = user_data;
  JsonNode *phase = JSON_NODE_HOLDS_OBJECT (node) ? json_object_get_member (json_node_get_object (node), "ph") : NULL;
  if (phase == NULL || !JSON_NODE_HOLDS_VALUE (phase) || json_node_get_value_type (phase) != G_TYPE_STRING)
    return;
  const char *text = json_node_get_string (phase);
  if (*text == 'M')
    return;
  expected->n_events++;
  expected->n_complete += *text == 'X';
  expected->n_listed += *text == 'i' || *text == 'I' || *text == 'R';
  expected->plain &= *text == 'X' || *text == 'i' || *text == 'I' || *text == 'R';
}

/* Returns FALSE if json-glib would read the text differently: escaped keys, duplicate members or duplicate event
 * lists. */
static gboolean
is_comparable (const char *text, gsize size)
{
  const char *list = g_strstr_len (text, (gssize) size, "\"traceEvents\"");
  return fuzz_is_json (text, size, 300) && memchr (text, '\\', size) == NULL &&
         (list == NULL ||
          g_strstr_len (list + 1, (gssize) (size - (gsize) (list + 1 - text)), "\"traceEvents\"") == NULL);
}

static gboolean
expect (const char *text, gsize size, Expected *expected)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  if (!is_comparable (text, size) || !json_parser_load_from_data (parser, text, (gssize) size, NULL))
    return FALSE;
  JsonNode *root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    root = json_object_get_member (json_node_get_object (root), "traceEvents");
  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    return FALSE;
  *expected = (Expected) { .plain = TRUE };
  json_array_foreach_element (json_node_get_array (root), count_event, expected);
  return TRUE;
}

/* Checks that each event is drawn or reported in the import log. */
static void
check_nothing_is_lost (LoomRun *run, const char *text, gsize size)
{
  Expected expected;
  if (loom_run_get_n_sources (run) != 1 || !expect (text, size, &expected))
    return;
  const LoomSource *source = loom_run_get_source (run, 0);
  fuzz_check (source->n_events == expected.n_events, "%" G_GUINT64_FORMAT " events, json-glib has %u", source->n_events,
              expected.n_events);
  guint64 n_told = 0;
  for (guint i = 0; i < loom_import_log_get_n_problems (source->log); i++)
    n_told += loom_import_log_get_problem (source->log, i)->count;
  fuzz_check (!expected.plain || source->n_spans + source->n_instants + n_told >= expected.n_events,
              "%" G_GUINT64_FORMAT " spans, %" G_GUINT64_FORMAT " instants and %" G_GUINT64_FORMAT
              " problems of %u events",
              source->n_spans, source->n_instants, n_told, expected.n_events);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  FuzzDice dice = fuzz_dice (data, size);
  guint n_files = fuzz_put_parts (data, size, names);
  g_autoptr (LoomRun) run = fuzz_load (DUMP_IN_ONE_PASS);
  fuzz_check_run (run);
  if (!FUZZ_WHOLE)
    compare_pieces (run, size, &dice);
  if (n_files == 1)
    check_nothing_is_lost (run, (const char *) data, size);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  g_free (fuzz_list_drawn (timeline));
  return 0;
}
