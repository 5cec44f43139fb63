/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "loom-cli.h"
#include "loom-render.h"

#define DEFAULT_WIDTH 1600
#define DEFAULT_HEIGHT 900
#define MAX_PIXELS 32767

typedef struct {
  char *output;
  char *size_word;
  char *theme_word;
  gint64 width, height;
  LoomThemeKind theme;
} RenderOptions;

static LoomExit
run_render (LoomCliJob *job, const RenderOptions *own)
{
  LoomRange range, extent;
  gboolean has_range;
  GError *error = NULL;
  if (!loom_cli_job_get_range (job, FALSE, &has_range, &range, &error))
    return loom_cli_job_fail (job, error);
  if (has_range && loom_timeline_get_extent (job->timeline, &extent)) { /* an open side ends with the run */
    range.begin_ns = job->options->has_start ? range.begin_ns : extent.begin_ns;
    range.end_ns = job->options->has_end ? range.end_ns : extent.end_ns;
  }
  if (!loom_render_to_file (job->timeline, own->output, (int) own->width, (int) own->height, own->theme,
                            has_range ? &range : NULL, &error))
    return loom_cli_job_fail (job, error);
  return loom_cli_job_finish (job);
}

static gboolean
parse_size (RenderOptions *own)
{
  own->width = DEFAULT_WIDTH;
  own->height = DEFAULT_HEIGHT;
  if (own->size_word == NULL)
    return TRUE;
  char *end;
  own->width = g_ascii_strtoll (own->size_word, &end, 10);
  if (*end != 'x')
    return FALSE;
  own->height = g_ascii_strtoll (end + 1, &end, 10);
  return *end == '\0' && own->width > 0 && own->height > 0 && own->width <= MAX_PIXELS && own->height <= MAX_PIXELS;
}

static gboolean
check (RenderOptions *own)
{
  if (own->output == NULL) {
    loom_cli_usage_error ("render", "say where to with -o FILE.png, FILE.svg or FILE.pdf");
    return FALSE;
  }
  if (!parse_size (own)) {
    loom_cli_usage_error ("render", "--size is WIDTHxHEIGHT, such as 1600x900, not “%s”", own->size_word);
    return FALSE;
  }
  if (own->theme_word == NULL || strcmp (own->theme_word, "light") == 0)
    own->theme = LOOM_THEME_LIGHT;
  else if (strcmp (own->theme_word, "dark") == 0)
    own->theme = LOOM_THEME_DARK;
  else {
    loom_cli_usage_error ("render", "--theme is “light” or “dark”, not “%s”", own->theme_word);
    return FALSE;
  }
  return TRUE;
}

LoomExit
loom_cli_render (int argc, char **argv)
{
  LoomCliOptions options = LOOM_CLI_OPTIONS_INIT;
  LoomCliJob job = { 0 };
  RenderOptions own = { 0 };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &own.output, "The picture to write: .png, .svg or .pdf", "FILE" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &own.size_word, "In pixels (default 1600x900)", "WxH" },
    { "theme", 0, 0, G_OPTION_ARG_STRING, &own.theme_word, "light (default) or dark", "WORD" },
    { NULL }
  };
  LoomExit status = LOOM_EXIT_USAGE;
  if (loom_cli_options_parse (&options, entries, "PATH… -o FILE", "Draw the timeline as the window would.", argc, argv) &&
      check (&own)) {
    status = loom_cli_job_load (&job, &options, LOOM_ALIGN_AUTO);
    if (status == LOOM_EXIT_DONE)
      status = run_render (&job, &own);
    loom_cli_job_clear (&job);
  }
  loom_cli_options_clear (&options);
  g_free (own.output);
  g_free (own.size_word);
  g_free (own.theme_word);
  return status;
}
