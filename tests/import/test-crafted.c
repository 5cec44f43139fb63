/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests files whose ids and names were chosen so that a known hash puts all of them into one slot of a table: loading
 * them takes about as long as loading other ids. The chosen texts are found by inverting loom_string_pool_hash().
 */
#include "loom-correlation-ids.h"
#include "loom-launch-links.h"
#include "loom-load.h"
#include "loom-string-pool.h"

#include <glib/gstdio.h>
#include <string.h>
#include <time.h>

#define N 60000
#define PRIME G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)
#define FACTOR G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9)
#define BOUND_KEYS 0x42 /* see loom-chrome-metadata.c */
#define SLOT 7

/* --- inverting the hash ------------------------------------------------------------------------------------------- */

/* Returns the inverse of an odd number modulo 2 to the power of 64, by Newton's method. */
static guint64
invert (guint64 number)
{
  guint64 inverse = number;
  for (guint i = 0; i < 6; i++)
    inverse *= 2 - number * inverse;
  return inverse;
}

/* Sets `text`, of eight bytes, to the text that has this hash. */
static void
find_text (guint64 hash, char *text)
{
  guint64 bits = (hash ^ hash >> 32) * invert (FACTOR);
  bits ^= bits >> 29 ^ bits >> 58;
  bits ^= bits >> 32;
  bits = GUINT64_TO_LE ((bits * invert (PRIME)) ^ 8 * PRIME);
  memcpy (text, &bits, sizeof bits);
}

/* Returns the second hash from which loom_string_pool_hash_join() makes `hash`. */
static guint64
find_second (guint64 first, guint64 hash)
{
  guint64 bits = (hash ^ hash >> 32) * invert (FACTOR);
  bits ^= bits >> 32;
  return bits - (first << 23 | first >> 41) * PRIME;
}

static gboolean
fits_json (const char *text)
{
  for (guint i = 0; i < 8; i++)
    if ((guchar) text[i] < ' ' || text[i] == '"' || text[i] == '\\' || text[i] == 0x7F)
      return FALSE;
  return TRUE;
}

typedef enum { PLAIN, BY_HASH, BY_JOIN, BY_BOUND } Kind;

/* Sets `text` to the next text of eight bytes, counted by `i`. PLAIN: any text. Otherwise the lowest bits of a hash are
 * SLOT. BY_HASH: the hash of the text. BY_JOIN and BY_BOUND: what loom_string_pool_hash_join() makes of a first hash
 * and the hash of the text; the first hash is that of "" or BOUND_KEYS, respectively. */
static void
choose (Kind kind, guint64 *i, char *text)
{
  do {
    guint64 hash = ++*i << 32 | SLOT;
    if (kind == PLAIN)
      g_snprintf (text, 9, "%08u", (guint) *i);
    else
      find_text (kind == BY_HASH ? hash
                                 : find_second (kind == BY_JOIN ? loom_string_pool_hash ("", 0) : BOUND_KEYS, hash),
                 text);
  } while (!fits_json (text));
  text[8] = '\0';
}

/* --- measuring ---------------------------------------------------------------------------------------------------- */

static gint64
get_processor_ns (void)
{
  struct timespec now;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * LOOM_NS_PER_S + now.tv_nsec;
}

static void
check_times (gint64 plain_ns, gint64 crafted_ns)
{
  g_test_message ("other ids: %.3f s, chosen ids: %.3f s", (double) plain_ns / 1e9, (double) crafted_ns / 1e9);
  g_assert_cmpint (crafted_ns, <, 4 * plain_ns + LOOM_NS_PER_S / 10);
}

/* Returns the processor time, in ns, of loading a file with N events of the form `format`, in which # is the text. */
static gint64
measure (const char *format, Kind kind, guint64 *n_events)
{
  g_autofree char *folder = g_dir_make_tmp ("loom-crafted-XXXXXX", NULL),
                  *path = g_build_filename (folder, "a.json", NULL);
  g_auto (GStrv) parts = g_strsplit (format, "#", 2);
  g_autoptr (GString) text = g_string_new ("[");
  guint64 at = 0;
  char id[9];
  for (guint i = 0; i < N; i++) {
    choose (kind, &at, id);
    g_string_append_printf (text, "%s{\"pid\":1,\"tid\":1,\"ts\":%u,%s%s%s}", i > 0 ? ",\n" : "", i, parts[0], id,
                            parts[1]);
  }
  g_string_append (text, "]");
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  const char *paths[] = { path, NULL };
  LoomLoadOptions options = { .n_threads = 1 };
  gint64 begin_ns = get_processor_ns ();
  g_autoptr (LoomRun) run = loom_load_paths (paths, &options, NULL, NULL, NULL, NULL);
  gint64 used_ns = get_processor_ns () - begin_ns;
  *n_events = loom_run_get_source (run, 0)->n_events;
  g_remove (path);
  g_rmdir (folder);
  return used_ns;
}

static void
check_file (const char *format, Kind kind)
{
  guint64 n_plain, n_crafted;
  gint64 plain_ns = measure (format, PLAIN, &n_plain), crafted_ns = measure (format, kind, &n_crafted);
  g_assert_cmpuint (n_crafted, ==, n_plain);
  check_times (plain_ns, crafted_ns);
}

static void
test_flows (void)
{
  check_file ("\"ph\":\"s\",\"name\":\"a\",\"id\":\"#\"", BY_JOIN);
}

static void
test_bind_ids (void)
{
  check_file ("\"ph\":\"X\",\"dur\":0.5,\"name\":\"a\",\"flow_out\":true,\"bind_id\":\"#\"", BY_BOUND);
}

static char *
choose_texts (Kind kind)
{
  char *texts = g_malloc (9 * N);
  guint64 at = 0;
  for (guint32 i = 0; i < N; i++)
    choose (kind, &at, texts + 9 * i);
  return texts;
}

/* Returns the processor time of numbering N texts. */
static gint64
measure_correlations (Kind kind)
{
  g_autofree char *texts = choose_texts (kind);
  gint64 begin_ns = get_processor_ns ();
  LoomCorrelationIds ids;
  loom_correlation_ids_init (&ids);
  for (guint32 i = 0; i < N; i++)
    g_assert_cmpuint (loom_correlation_ids_intern (&ids, texts + 9 * i, 8), ==, i + 1);
  loom_correlation_ids_clear (&ids);
  return get_processor_ns () - begin_ns;
}

static void
test_correlations (void)
{
  gint64 plain_ns = measure_correlations (PLAIN);
  check_times (plain_ns, measure_correlations (BY_HASH));
}

static gint64
measure_pool (Kind kind)
{
  g_autofree char *texts = choose_texts (kind);
  gint64 begin_ns = get_processor_ns ();
  g_autoptr (LoomStringPool) pool = loom_string_pool_new ();
  for (guint32 i = 0; i < N; i++)
    g_assert_cmpuint (loom_string_pool_intern (pool, texts + 9 * i, 8), ==, i + 1);
  return get_processor_ns () - begin_ns;
}

/* Adding names with equal hash bits to a string pool takes about as long as adding other names. */
static void
test_names (void)
{
  gint64 plain_ns = measure_pool (PLAIN);
  check_times (plain_ns, measure_pool (BY_HASH));
}

static guint64
find_launch (gboolean is_crafted, guint64 i)
{
  return is_crafted ? i << 32 | (guint32) (SLOT - loom_string_pool_hash_join (0, i)) : i;
}

/* Returns the processor time of linking N kernels to their calls. The chosen ids of calls have equal sums of their lower
 * half and of the hash of their upper half. */
static gint64
measure_launches (gboolean is_crafted)
{
  g_autoptr (LoomLaunchLinks) links = loom_launch_links_new ();
  guint64 n_without;
  gint64 begin_ns = get_processor_ns ();
  for (guint64 i = 0; i < N; i++)
    loom_launch_links_add_row (links, i, 0, find_launch (is_crafted, i));
  for (guint64 i = 0; i < N; i++)
    loom_launch_links_add_call (links, i, 0, find_launch (is_crafted, i), 1);
  loom_launch_links_finish (links);
  g_assert_cmpuint (loom_launch_links_count (links, &n_without), ==, N);
  return get_processor_ns () - begin_ns;
}

static void
test_launches (void)
{
  gint64 plain_ns = measure_launches (FALSE);
  check_times (plain_ns, measure_launches (TRUE));
}

/* The texts have the hashes for which they were chosen. */
static void
test_texts (void)
{
  guint64 at = 0;
  char text[9];
  choose (BY_HASH, &at, text);
  g_assert_cmpuint (loom_string_pool_hash (text, 8) & G_MAXUINT32, ==, SLOT);
  choose (BY_JOIN, &at, text);
  guint64 joined = loom_string_pool_hash_join (loom_string_pool_hash ("", 0), loom_string_pool_hash (text, 8));
  g_assert_cmpuint (joined & G_MAXUINT32, ==, SLOT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/crafted/texts", test_texts);
  g_test_add_func ("/crafted/flows", test_flows);
  g_test_add_func ("/crafted/bind-ids", test_bind_ids);
  g_test_add_func ("/crafted/names", test_names);
  g_test_add_func ("/crafted/correlations", test_correlations);
  g_test_add_func ("/crafted/launches", test_launches);
  return g_test_run ();
}
