/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `traceloom-cli align`: prints how well the clocks of the sources agree, as text or JSON.
 */
#include "loom-alignment-section.h"
#include "loom-cli.h"

#include "loom-run-info.h"
#include <glib/gi18n.h>

static LoomExitStatus
print_alignment (LoomCliJob *job, gpointer own)
{
  if (!job->options.json)
    return loom_cli_job_print (job, loom_alignment_section_to_text (job->timeline, job->edits));
  g_autoptr (JsonNode) root = loom_alignment_section_to_json (job->timeline, job->edits);
  return loom_cli_job_print (job, loom_run_info_print_json (root));
}

LoomExitStatus
loom_cli_align (int argc, char **argv)
{
  static const LoomCliVerb verb = { .summary = N_ ("Checks how well the clocks of the sources agree."),
                                    .has_format = TRUE,
                                    .run = print_alignment };
  LoomCliJob job = { 0 };
  return loom_cli_job_run (&job, &verb, NULL, NULL, argc, argv);
}
