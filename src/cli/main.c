/* SPDX-License-Identifier: Apache-2.0
 *
 * The program traceloom-cli: all functions that work without a display. Runs the command that the first argument names.
 */
#include <errno.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "loom-cli.h"
#include "loom-installed.h"
#include "loom-locale.h"
#include "loom-near-word.h"

typedef struct {
  const char *word;
  LoomExitStatus (*run) (int argc, char **argv);
  const char *summary;
} Verb;

static const Verb verbs[] = {
  { "info", loom_cli_info, N_ ("list what the timeline would show: sources, clocks, problems and tracks") },
  { "dump", loom_cli_dump, N_ ("print one line of JSON per event, in timeline order") },
  { "merge", loom_cli_merge, N_ ("write one timeline as trace events that other tools read") },
  { "align", loom_cli_align, N_ ("check how well the clocks of the sources agree") },
  { "report", loom_cli_report, N_ ("report where the time went, with every analysis of the run") },
  { "compare", loom_cli_compare, N_ ("find out what made one of two runs slower") },
  { "render", loom_cli_render, N_ ("draw the timeline as PNG, SVG or PDF") },
  { "query", loom_cli_query, N_ ("query the run with SQL") },
  { "mcp", loom_cli_mcp, N_ ("answer an assistant’s questions about the run (Model Context Protocol)") },
  { "index", loom_cli_index, N_ ("make small indexes of traces where the traces are stored") },
  { "serve", loom_cli_serve, N_ ("send parts of the traces on this machine to Traceloom on another machine") },
  { "rules", loom_cli_rules, N_ ("evaluate rules") },
  { "config", loom_cli_config, N_ ("show, check or write profiler configurations") },
};

static void
print_help (void)
{
  g_print ("%s\n  traceloom-cli %s\n\n%s\n", loom_cli_word (N_ ("Usage:")), loom_cli_word (N_ ("VERB [OPTION…] PATH…")),
           loom_cli_word (N_ ("Verbs:")));
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    g_print ("  %-8s %s\n", verbs[i].word, loom_cli_word (verbs[i].summary));
  g_print (
    "\n%s\n",
    loom_cli_word (N_ (
      "PATH is a file, a folder that is searched through, an archive, a location (s3://bucket/prefix, sftp://host/folder),\n"
      "or a session file.\n"
      "“traceloom-cli VERB --help” lists the options of a verb.\n"
      "Exit status: 0 done, 1 failed, 2 wrong usage, 3 done but some input was unreadable or incomplete,\n"
      "4 done and a rule fired (rules --fail-on-findings).")));
}

/* Returns the exit status after text was printed to standard output. It is FAILED if the text could not be written,
 * for example because the disk of a redirected output is full. */
static LoomExitStatus
check_output (void)
{
  if (fflush (stdout) == 0 && ferror (stdout) == 0)
    return LOOM_EXIT_STATUS_DONE;
  g_printerr ("traceloom-cli: standard output: %s\n", g_strerror (errno != 0 ? errno : EIO));
  return LOOM_EXIT_STATUS_FAILED;
}

static const Verb *
find_verb (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (strcmp (word, verbs[i].word) == 0)
      return &verbs[i];
  return NULL;
}

static LoomExitStatus
refuse_verb (const char *word)
{
  const char *words[G_N_ELEMENTS (verbs) + 1] = { NULL };
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    words[i] = verbs[i].word;
  const char *near = loom_near_word_find (word, words);
  g_autofree char *hint = g_file_test (word, G_FILE_TEST_EXISTS) ? NULL : loom_cli_hint_dup (word);
  if (hint != NULL)
    loom_cli_message ("“%s” is no verb: %s", word, hint);
  else if (near != NULL)
    loom_cli_message ("“%s” is no verb. Did you mean “%s”? “traceloom-cli --help” lists all verbs", word, near);
  else if (g_file_test (word, G_FILE_TEST_EXISTS))
    loom_cli_message ("“%s” is a path, and a verb must come before it, as in “traceloom-cli info PATH”; “traceloom-cli "
                      "--help” lists all verbs",
                      word);
  else
    loom_cli_message ("“%s” is no verb; try “traceloom-cli --help”", word);
  return LOOM_EXIT_STATUS_USAGE;
}

static gboolean
asks_for_help (const char *word)
{
  return strcmp (word, "--help") == 0 || strcmp (word, "-h") == 0 || strcmp (word, "help") == 0;
}

/* Handles “help VERB” and “--help VERB”, which mean “VERB --help”. */
static int
help (int argc, char **argv)
{
  char option[] = "--help";
  if (argc < 3 || asks_for_help (argv[2])) {
    print_help ();
    return (int) check_output ();
  }
  const Verb *verb = find_verb (argv[2]);
  if (verb != NULL)
    return (int) verb->run (2, (char *[]) { argv[2], option, NULL });
  return (int) refuse_verb (argv[2]);
}

static LoomExitStatus
run_verb (int argc, char **argv)
{
  const Verb *verb = find_verb (argv[1]);
  if (verb != NULL)
    return verb->run (argc - 1, argv + 1);
  return refuse_verb (argv[1]);
}

int
main (int argc, char **argv)
{
  loom_locale_bind (LOOM_BUILD_DIR);
  setlocale (LC_NUMERIC, "C"); /* format numbers in the C locale, because programs parse the output */
  setlocale (LC_TIME, "C");
  /* If a file would exceed the size limit of the system, writing must fail with an error. Without this call, the
   * signal SIGXFSZ would end the program. */
  signal (SIGXFSZ, SIG_IGN);
  g_set_prgname ("traceloom-cli");
  if (argc < 2) {
    print_help ();
    return LOOM_EXIT_STATUS_USAGE;
  }
  if (asks_for_help (argv[1]))
    return help (argc, argv);
  if (strcmp (argv[1], "--version") == 0) {
    puts ("traceloom-cli " LOOM_VERSION);
    return (int) check_output ();
  }
  loom_cli_begin_messages (argc, argv);
  return (int) loom_cli_end_messages (run_verb (argc, argv));
}
