/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures the evaluation of all rules, and loading the run for comparison. Measures separately: building the data
 * frame that the rules share, SageMaker's built-in rules, and the custom rules in the files of a folder. Prints one
 * line of JSON, in ms.
 *
 * Usage: bench-rules FOLDER_OF_RULES PATH…
 */
#include "loom-builtin-rules.h"
#include "loom-custom-rule-evaluate.h"
#include "loom-load.h"

#include <stdio.h>

#define N_ROUNDS 5

typedef struct {
  double load, frame, rules, own;
  guint64 n_samples;
  guint n_rules;
} Times;

static double
ms_since (gint64 *begin_us)
{
  gint64 now_us = g_get_monotonic_time (), passed_us = now_us - *begin_us;
  *begin_us = now_us;
  return (double) passed_us / 1e3;
}

static LoomTimeline *
load (char **paths)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomRun) run = loom_load_paths ((const char *const *) paths, NULL, NULL, NULL, NULL, &error);
  if (run == NULL)
    g_error ("%s", error->message);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  return loom_timeline_new (run, alignment);
}

/* Reads the rules of every file in the folder. */
static GPtrArray *
read_rules (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autoptr (GError) error = NULL;
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (!g_str_has_suffix (name, ".json"))
      continue;
    GPtrArray *rules = loom_custom_rules_read (path, &error);
    if (rules == NULL)
      g_error ("%s", error->message);
    g_ptr_array_add (all, rules);
  }
  return all;
}

/* Runs all measurements once, and keeps for each the minimum over all rounds so far. */
static void
take_round (const GPtrArray *own, char **paths, Times *best)
{
  gint64 at_us = g_get_monotonic_time ();
  g_autoptr (LoomTimeline) timeline = load (paths);
  Times now = { .load = ms_since (&at_us) };
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  now.frame = ms_since (&at_us);
  g_autoptr (GPtrArray) results = loom_builtin_rules_evaluate (frame, NULL, NULL);
  now.rules = ms_since (&at_us);
  for (guint i = 0; i < own->len; i++)
    loom_custom_rule_evaluate_all (frame, own->pdata[i], results, NULL);
  now.own = ms_since (&at_us);
  gboolean first = best->n_rules == 0;
  *best = (Times) { first ? now.load : MIN (best->load, now.load),
                    first ? now.frame : MIN (best->frame, now.frame),
                    first ? now.rules : MIN (best->rules, now.rules),
                    first ? now.own : MIN (best->own, now.own),
                    loom_data_frame_get_n_samples (frame),
                    results->len };
}

int
main (int argc, char **argv)
{
  Times best = { 0 };
  if (argc < 3)
    g_error ("Usage: bench-rules FOLDER_OF_RULES PATH…");
  g_autoptr (GPtrArray) own = read_rules (argv[1]);
  for (guint i = 0; i < N_ROUNDS; i++)
    take_round (own, argv + 2, &best);
  printf ("{\"samples\": %" G_GUINT64_FORMAT
          ", \"n_rules\": %u, \"load\": %.2f, \"frame\": %.2f, \"rules\": %.2f, \"own\": %.2f}\n",
          best.n_samples, best.n_rules, best.load, best.frame, best.rules, best.own);
  return 0;
}
