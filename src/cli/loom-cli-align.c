/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-alignment-section.h"
#include "loom-cli.h"

#include "loom-run-info.h"
#include <glib/gi18n.h>

static LoomExitStatus
print_alignment (LoomCliJob *job)
{
  GError *error = NULL;
  g_autofree char *text = NULL;
  if (job->options->json) {
    g_autoptr (JsonNode) root = loom_alignment_section_to_json (job->timeline, job->edits);
    text = loom_run_info_print_json (root);
  } else {
    text = loom_alignment_section_to_text (job->timeline, job->edits);
  }
  if (!loom_cli_print (text, &error))
    return loom_cli_job_fail (job, error);
  return loom_cli_job_finish (job);
}

LoomExitStatus
loom_cli_align (int argc, char **argv)
{
  LoomCliOptions options = LOOM_CLI_OPTIONS_INIT;
  LoomCliJob job = { 0 };
  options.has_format = TRUE;
  LoomExitStatus status = LOOM_EXIT_STATUS_USAGE;
  if (loom_cli_options_parse (&options, NULL, NULL, N_ ("What the clocks say, and what of it holds."), argc, argv)) {
    status = loom_cli_job_load (&job, &options, LOOM_ALIGN_AUTO);
    if (status == LOOM_EXIT_STATUS_DONE)
      status = print_alignment (&job);
    loom_cli_job_clear (&job);
  }
  loom_cli_options_clear (&options);
  return status;
}
