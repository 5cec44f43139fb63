/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes short texts that users type or that file names contain (up to two lines): durations, natural sort order,
 * patterns that find ranks and nodes in paths, and paths of Python profiles. Values that are written can be read again;
 * the sort order is a total order.
 */
#include "fuzz.h"

#include "loom-natural-collate.h"
#include "loom-python-profile-path.h"
#include "loom-source-overrides.h"
#include "loom-time.h"

#include <string.h>

#define MOST_LINE_BYTES 200

static void
check_duration (const char *text)
{
  gint64 ns, again;
  if (!loom_time_parse_duration (text, &ns))
    return;
  g_autofree char *exact = loom_time_format_exact (ns);
  fuzz_check (loom_time_parse_duration (exact, &again) && again == ns, "“%s” is %" G_GINT64_FORMAT ", written “%s”",
              text, ns, exact);
}

static int
sign (int order)
{
  return (order > 0) - (order < 0);
}

static void
check_order (const char *a, const char *b)
{
  int order = loom_natural_collate_compare (a, b);
  fuzz_check (sign (order) == -sign (loom_natural_collate_compare (b, a)), "“%s” and “%s” are in no order", a, b);
  fuzz_check ((order == 0) == (strcmp (a, b) == 0), "“%s” and “%s” are equal", a, b);
}

static void
check_pattern (const char *text, const char *path)
{
  g_autoptr (GError) error = NULL;
  LoomSourcePlace place = { 0 };
  g_autoptr (GRegex) pattern = loom_source_overrides_pattern_new (text, &error);
  fuzz_check ((pattern != NULL) == (error == NULL), "neither read nor refused: %s", text);
  if (pattern == NULL) {
    fuzz_check (g_utf8_validate (error->message, -1, NULL), "%s", error->message);
    return;
  }
  if (loom_source_overrides_pattern_match (pattern, path, &place)) {
    fuzz_check (place.has_rank || place.has_node, "“%s” says nothing of “%s”", text, path);
    fuzz_check (!place.has_rank || place.rank >= 0, "rank %d", place.rank);
    fuzz_check (!place.has_node || (place.node != NULL && g_utf8_validate (place.node, -1, NULL)),
                "the node is no text");
  }
  loom_source_overrides_place_clear (&place);
}

static void
check_profile_path (const char *path)
{
  LoomPythonProfilePath parsed;
  loom_python_profile_path_parse (path, &parsed);
  fuzz_check (!parsed.has_interval || parsed.start.time_ns <= parsed.end.time_ns,
              "“%s”: from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, path, parsed.start.time_ns, parsed.end.time_ns);
  fuzz_check (parsed.rank >= -1, "“%s”: rank %d", path, parsed.rank);
  if (parsed.has_interval) {
    g_autofree char *name = loom_python_profile_path_dup_name (&parsed);
    fuzz_check (g_utf8_validate (name, -1, NULL), "“%s” has a name that is no text", path);
  }
  loom_python_profile_path_clear (&parsed);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  if (memchr (data, '\0', size) != NULL)
    return 0;
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 3);
  const char *first = lines[0] != NULL ? lines[0] : "", *second = lines[0] != NULL && lines[1] != NULL ? lines[1] : "";
  if (strlen (first) > MOST_LINE_BYTES || strlen (second) > MOST_LINE_BYTES)
    return 0;
  check_profile_path (first); /* checked even if it is not UTF-8, because paths may contain any bytes */
  if (!g_utf8_validate (first, -1, NULL))
    return 0;
  check_duration (first);
  if (!g_utf8_validate (second, -1, NULL))
    return 0;
  check_order (first, second);
  check_pattern (first, second);
  return 0;
}
