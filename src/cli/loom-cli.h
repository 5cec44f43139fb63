/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations that the verbs of traceloom-cli share: exit statuses, common options, loading, progress, cancellation
 * and messages. A verb is the first argument, such as "report"; each verb has its own file.
 */
#pragma once

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <json-glib/json-glib.h>

#include "loom-input-files.h"
#include "loom-report-file.h"
#include "loom-session-file.h"
#include "loom-trace-export.h"

typedef enum {
  LOOM_EXIT_STATUS_DONE = 0,
  LOOM_EXIT_STATUS_FAILED = 1,
  LOOM_EXIT_STATUS_USAGE = 2,
  LOOM_EXIT_STATUS_INCOMPLETE = 3, /* completed, but some input was unreadable or incomplete */
  LOOM_EXIT_STATUS_FINDINGS = 4,   /* completed with --fail-on-findings, and a rule fired */
} LoomExitStatus;

/* The options of the command line, and the values that loom_cli_options_parse() reads from them. */
typedef struct {
  char **paths;
  char **suffixes;
  char **offsets; /* values of the option --offset, each of the form SOURCE=NS */
  char *clock_word, *unit_word, *format_word;
  char *rank_from;
  char *memory_text;
  char *start, *end, *start_ns_text, *end_ns_text;
  gboolean quiet;
  gboolean allow_remote; /* allows fetching the remote locations that sessions name */
  /* The members below are computed from the texts of the options, or set by the verb. */
  gboolean has_clock;
  LoomAlignMode clock;
  gboolean json;
  gboolean allows_html, html; /* `allows_html`: set by the verb if --format may be html; `html`: --format is html */
  /* set by the verb if it writes a file and, with --format json, prints a description of the file */
  gboolean writes_result;
  /* `formats`: set by the verb, the words that --format accepts, NULL-terminated; NULL: text and json. `format`: index
   * of the given word; if --format is not given, 0 on a terminal, and `usual_format` otherwise. */
  const char *const *formats;
  guint format, usual_format;
  gboolean has_start, has_end;
  gboolean in_steps; /* TRUE if the range is given as step numbers */
  /* start and end of the range, in ns; if `in_steps`: the number of the first step, and the number after that of the
   * last step */
  gint64 start_value, end_value;
  guint64 memory_budget; /* memory that the load may use, in bytes; 0: the load chooses the limit */
} LoomCliOptions;

/* Parses argv, whose first element is the last word of `verb` ("render", "config show"). `entries`: the verb's own
 * options; `common`: options that the verb shares with other verbs; both may be NULL. `must`: required arguments ("-o
 * FILE"), or NULL. Returns FALSE after printing a message; the caller then exits with USAGE. */
gboolean loom_cli_options_parse_entries (const char *verb, const char *must, const char *summary,
                                         const GOptionEntry *entries, const GOptionEntry *common, int argc,
                                         char **argv);
/* Parses the options that all verbs which load a run have, and the verb's own `entries`. `has_format`: TRUE if the verb
 * has the option --format, which --help then shows. */
gboolean loom_cli_options_parse (LoomCliOptions *options, const GOptionEntry *entries, const char *must,
                                 const char *summary, gboolean has_format, int argc, char **argv);
void loom_cli_options_clear (LoomCliOptions *options);
/* Replaces the start and the end of the range by those in the texts, which have the unit of --unit; a text may be NULL,
 * for no change. Returns FALSE after printing a message. */
gboolean loom_cli_options_set_range (LoomCliOptions *options, const char *verb, const char *start, const char *end);

/* Returns TRUE if --format json is given and the verb does not write its file, `output`, to standard output, so that a
 * description of the file can be printed there. */
gboolean loom_cli_options_wants_result (const LoomCliOptions *options, const char *output);
/* Parses the word given to --format and sets `json` to TRUE if the output is JSON. If `word` is NULL, the format is
 * text on a terminal, and JSON otherwise. Returns FALSE after printing a message if the word is unknown. */
gboolean loom_cli_options_parse_format (const char *verb, const char *word, gboolean *json);
/* Chooses the kind of a report (HTML, text …) by --format. If --format is not given, chooses it by the suffix of the
 * output file; `output` NULL: the report is written to standard output. Returns FALSE after printing a message. */
gboolean loom_cli_options_choose_kind (const char *verb, const LoomCliOptions *options, const char *output,
                                       LoomReportKind *kind);
/* Sets options->format to the index of the word given to --format. Returns FALSE, after printing a message, if the word
 * is unknown. */
gboolean loom_cli_options_choose_format (const char *verb, LoomCliOptions *options);
/* Parses the value `word` of an option, which must be `first` or `second`. Sets `is_second` to TRUE for `second`, and
 * to FALSE for `first`; does not change it if `word` is NULL. Returns FALSE after printing a message for any other
 * word. */
gboolean loom_cli_options_parse_word (const char *verb, const char *option, const char *word, const char *first,
                                      const char *second, gboolean *is_second);

/* --- help --------------------------------------------------------------------------------------------------------- */

/* Returns the translation of a text for --help. All other output is not translated, because programs read it. */
const char *loom_cli_word (const char *text);

/* --- messages, to standard error ---------------------------------------------------------------------------------- */

/* Must be called before the first message. If argv contains "--format json" (or jsonl), messages are kept until the
 * end: if the program fails, they are printed as one object (data/schemas/error-1.schema.json), else as text. Otherwise
 * messages are printed as text immediately. Main thread only. */
void loom_cli_begin_messages (int argc, char **argv);
/* Prints the messages that were kept, and returns `status`. */
LoomExitStatus loom_cli_end_messages (LoomExitStatus status);

void loom_cli_message (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Prints or keeps a message about a file. `code`: a word for programs, or NULL. `offset`: byte offset of the problem,
 * or LOOM_OFFSET_NONE. `is_packed`: the offset counts bytes of the unpacked text. */
void loom_cli_message_of_file (const char *path, const char *message, const char *code, guint64 offset,
                               gboolean is_packed);
/* Prints or keeps the message that says why the program fails: `message`, with the code of `error`. */
void loom_cli_message_failure (const GError *error, const char *message);
/* Sets the file that could not be read or written, which is named if the failure is printed as JSON; NULL: the failure
 * is not about a file. */
void loom_cli_set_failed_file (const char *path);
/* Sets the error code for failures with LOOM_ERROR_FORMAT from now on; the default is "format". Used if the input with
 * the error is not a file but, for example, a query. The text must be static. */
void loom_cli_set_failure_code (const char *code);
/* Returns the code of a failure with this error, as the JSON about the failure states it; static. */
const char *loom_cli_get_failure_code (const GError *error);
/* Sets the byte offset of the failure in the failed file, or in the text of a query; LOOM_OFFSET_NONE: unknown. */
void loom_cli_set_failure_offset (guint64 offset);
/* Prints "traceloom-cli VERB: …" and how to get help. Returns FALSE, so that a check of options can return its
 * result. */
gboolean loom_cli_usage_error (const char *verb, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* --- watching: SIGINT, SIGTERM and the progress bar --------------------------------------------------------------- */

typedef struct _LoomCliWatch LoomCliWatch;

/* Starts the thread that handles signals and draws the progress bar. Must be called before other threads are created:
 * it blocks the signals in the calling thread, and new threads inherit this. */
LoomCliWatch *loom_cli_watch_start (gboolean show_progress);
void loom_cli_watch_stop (LoomCliWatch *watch);
/* Begins the next part of the work. Returns the progress of this part, borrowed until the next call. */
LoomProgress *loom_cli_watch_begin (LoomCliWatch *watch, const char *label);
/* Removes the progress bar from the terminal. Must be called before text is printed. */
void loom_cli_watch_clear (LoomCliWatch *watch);

/* --- loading ------------------------------------------------------------------------------------------------------ */

typedef struct {
  LoomCliOptions options;
  LoomCliWatch *watch;
  LoomTimeline *timeline;
  LoomSourceOverrides *edits; /* changes to sources that the sessions contain; NULL: no session changes sources */
  gboolean incomplete;
  gboolean has_path; /* TRUE if a session marks the critical path */
  /* the user's changes to rows, from the last session that has any, see loom_row_list_restore(); NULL: no session
   * changes rows */
  GVariant *rows;
  gboolean lists_ignored; /* set by the verb if its output lists the files that were not loaded */
  /* set by the verb if it writes a file; a message after cancellation then says that no file was written */
  gboolean writes;
  /* set by the verb to the path of the file that it writes; NULL or "-": it writes to standard output */
  const char *output;
  GPtrArray *inputs;       /* LoomInputFiles: the given files, which are never overwritten */
  gboolean no_arrows;      /* set by the verb if it draws nothing, so that flow events need not be connected */
  gboolean has_read_range; /* TRUE if the run was loaded from indexes, and only the events of the range were read from
                            * the traces of which the indexes were made */
  /* set by loom_cli_job_get_range() to TRUE if the range was given as step numbers, which are then in `steps` */
  gboolean has_steps;
  LoomStepNumbers steps;
  /* words given to --rank and --through, for verbs with LOOM_CLI_RANK_ENTRIES; NULL: the option was not given */
  char *rank, *through;
  LoomAlignMode clock; /* set by the verb to the mode that is used if neither --clock nor a session selects one */
} LoomCliJob;

/* The options --rank and --through, for verbs that can be restricted to one rank. */
#define LOOM_CLI_RANK_ENTRIES(job)                                                                                               \
  { "rank",                                                                                                                      \
    0,                                                                                                                           \
    0,                                                                                                                           \
    G_OPTION_ARG_STRING,                                                                                                         \
    &(job)->rank,                                                                                                                \
    N_ (                                                                                                                         \
      "Only the events of rank N; if the input contains an index of the rank’s trace, the range is read from the trace itself"), \
    "N" },                                                                                                                       \
  {                                                                                                                              \
    "through", 0, 0, G_OPTION_ARG_STRING, &(job)->through,                                                                       \
      N_ ("With --rank: read the trace through COMMAND, as “ssh HOST traceloom-cli serve --stdio FOLDER”"), "COMMAND"            \
  }

/* A verb that loads a run. `own` is the pointer that was passed to loom_cli_job_run(). */
typedef struct {
  const char *must;    /* required arguments besides paths ("-o FILE"), or NULL */
  const char *summary; /* description for --help, marked with N_() */
  gboolean has_format; /* TRUE if the verb has the option --format */
  /* Checks the verb's own options before loading. Returns DONE, or the exit status after printing a message. May be
   * NULL. */
  LoomExitStatus (*check) (LoomCliJob *job, gpointer own);
  /* Does the work with the loaded timeline. */
  LoomExitStatus (*run) (LoomCliJob *job, gpointer own);
} LoomCliVerb;

/* Parses argv, loads the paths (including sessions), aligns the clocks, runs the verb and clears the job. `entries`:
 * the verb's own options; may be NULL. */
LoomExitStatus loom_cli_job_run (LoomCliJob *job, const LoomCliVerb *verb, const GOptionEntry *entries, gpointer own,
                                 int argc, char **argv);
/* Loads the second run of a comparison from `path`, with the options of the first, and calls `run` with both jobs and
 * `own`. */
LoomExitStatus loom_cli_job_run_beside (LoomCliJob *job, char *path,
                                        LoomExitStatus (*run) (LoomCliJob *job, LoomCliJob *second, gpointer own),
                                        gpointer own);
/* Adds a file to the input files of the verb, which its output must not overwrite. */
void loom_cli_job_hold (LoomCliJob *job, const char *path);

/* Sets `range` to the range that --start and --end select, both ends included, and `has_range` to FALSE if they were
 * not given. Returns FALSE with `error` on failure. If the range was given as step numbers, the job also keeps these
 * numbers. `smdebug_steps`: TRUE if step numbers are those of smdebug's merged timeline. */
gboolean loom_cli_job_get_range (LoomCliJob *job, gboolean smdebug_steps, gboolean *has_range, LoomRange *range,
                                 GError **error);
/* Returns TRUE if the range and the run overlap; prints a message if not. */
gboolean loom_cli_job_touches (LoomCliJob *job, const LoomRange *range);
/* Prints a message for each profile that has no times and so no events, unless --quiet is given. */
void loom_cli_job_tell_profiles (LoomCliJob *job);
/* Prints the start and end of the run, in the unit in which the range was given. */
void loom_cli_job_tell_extent (LoomCliJob *job);

/* Prints the error, or only "Cancelled", and returns the exit status. Takes ownership of the error. */
LoomExitStatus loom_cli_job_fail (LoomCliJob *job, GError *error);
/* Finishes the job: prints how many files are not on the timeline, and returns DONE or INCOMPLETE. */
LoomExitStatus loom_cli_job_finish (LoomCliJob *job);

/* Writes the text to standard output. Returns FALSE with `error` if it could not be written completely. */
gboolean loom_cli_print (const char *text, GError **error);
/* Prints a JSON object, takes ownership of it, and finishes the job. Fails if the object cannot be printed. */
LoomExitStatus loom_cli_job_print_json (LoomCliJob *job, JsonBuilder *builder);
/* Prints the result of a verb, takes ownership of the text, and finishes the job. Fails if the text cannot be
 * printed. */
LoomExitStatus loom_cli_job_print (LoomCliJob *job, char *text);

/* Replaces the run of the job by the traces of the rank whose number is `word`. If the run has indexes, reads the
 * events of the range from the traces of the indexes. If `word` is NULL, does nothing; but --through without a rank is
 * an error. Returns LOOM_EXIT_STATUS_DONE, or the exit status after printing a message. */
LoomExitStatus loom_cli_rank_choose (LoomCliJob *job, const char *word);

/* --- verbs -------------------------------------------------------------------------------------------------------- */

LoomExitStatus loom_cli_info (int argc, char **argv);
LoomExitStatus loom_cli_compare (int argc, char **argv);
LoomExitStatus loom_cli_dump (int argc, char **argv);
LoomExitStatus loom_cli_merge (int argc, char **argv);
LoomExitStatus loom_cli_align (int argc, char **argv);
LoomExitStatus loom_cli_render (int argc, char **argv);
LoomExitStatus loom_cli_config (int argc, char **argv);
LoomExitStatus loom_cli_rules (int argc, char **argv);
LoomExitStatus loom_cli_report (int argc, char **argv);
LoomExitStatus loom_cli_query (int argc, char **argv);
LoomExitStatus loom_cli_index (int argc, char **argv);
LoomExitStatus loom_cli_mcp (int argc, char **argv);
LoomExitStatus loom_cli_serve (int argc, char **argv);
