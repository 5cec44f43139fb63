/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations for all commands of traceloom-cli: exit statuses, common options, loading, progress, cancellation and
 * messages. A command is the first argument of the program, such as "report"; functions and types call it a verb. Each
 * command has its own file.
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
  LOOM_EXIT_STATUS_FINDINGS = 4,   /* completed with --fail-on-findings, and a rule has a finding */
} LoomExitStatus;

/* The options on the command line, and the values that loom_cli_options_parse() computes from them. */
typedef struct {
  char **paths;
  char **suffixes;
  char **offsets; /* values of the option --offset, each of the form SOURCE=NS */
  char *clock_word, *unit_word, *format_word;
  char *rank_from;
  char *memory_text;
  char *start, *end, *start_ns_text, *end_ns_text;
  gboolean quiet;
  gboolean allow_remote; /* TRUE if remote locations in sessions may be downloaded */
  /* The members below are computed from the texts of options, or set by the code of a command. */
  gboolean has_clock;
  LoomAlignMode clock;
  gboolean json;
  /* `allows_html`: set to TRUE by commands whose --format may be html. `html`: TRUE if --format is html. */
  gboolean allows_html, html;
  /* set to TRUE by commands that write a file and, with --format json, print a description of the file */
  gboolean writes_result;
  /* `formats`: the words that --format accepts, NULL-terminated, set by some commands. If it is NULL, --format accepts
   * "text" and "json". `format`: index in `formats` of the word after --format. Without --format, `format` is 0 if the
   * output is a terminal, otherwise it equals `usual_format`. */
  const char *const *formats;
  guint format, usual_format;
  gboolean has_start, has_end;
  gboolean in_steps; /* TRUE if the range was given as step numbers */
  /* Start and end of the range in ns. If `in_steps` is TRUE: the number of the first step, and the number of the
   * last step plus 1. */
  gint64 start_value, end_value;
  guint64 memory_budget; /* maximum memory of the load in bytes; 0 for a default limit */
} LoomCliOptions;

/* Parses argv. `verb`: the command ("render", "config show"); argv[0] is its last word. `entries`: options of this
 * command; may be NULL. `common`: options that several commands have; may be NULL. `must`: required arguments ("-o
 * FILE"); may be NULL. On failure, prints a message and returns FALSE; the caller must then exit with USAGE. */
gboolean loom_cli_options_parse_entries (const char *verb, const char *must, const char *summary,
                                         const GOptionEntry *entries, const GOptionEntry *common, int argc,
                                         char **argv);
/* Parses the options that all commands for loading a run have, and the options of one command, which are in `entries`.
 * `has_format`: TRUE if the command has the option --format, which is then listed by --help. */
gboolean loom_cli_options_parse (LoomCliOptions *options, const GOptionEntry *entries, const char *must,
                                 const char *summary, gboolean has_format, int argc, char **argv);
void loom_cli_options_clear (LoomCliOptions *options);
/* Replaces the start and the end of the range by the values of the texts `start` and `end`, which are in the unit of
 * --unit. A text that is NULL changes nothing. On failure, prints a message and returns FALSE. */
gboolean loom_cli_options_set_range (LoomCliOptions *options, const char *verb, const char *start, const char *end);

/* Returns TRUE if a description of the written file must be printed to standard output: --format json is given, and
 * the file `output` is not written to standard output. */
gboolean loom_cli_options_wants_result (const LoomCliOptions *options, const char *output);
/* Parses `word`, the value of --format, and sets `json` to TRUE for "json", and to FALSE for "text". If `word` is NULL,
 * sets `json` to FALSE if standard output is a terminal, otherwise to TRUE. For any other word, prints a message and
 * returns FALSE. */
gboolean loom_cli_options_parse_format (const char *verb, const char *word, gboolean *json);
/* Chooses the kind of a report (HTML, text …) according to --format. Without --format, chooses it according to the
 * suffix of the output file. `output`: NULL if the report is written to standard output. On failure, prints a
 * message and returns FALSE. */
gboolean loom_cli_options_choose_kind (const char *verb, const LoomCliOptions *options, const char *output,
                                       LoomReportKind *kind);
/* Sets options->format to the index of the word after --format. If the word is unknown, prints a message and returns
 * FALSE. */
gboolean loom_cli_options_choose_format (const char *verb, LoomCliOptions *options);
/* Parses `word`, the value of an option with two possible values. Sets `is_second` to FALSE if `word` equals `first`,
 * and to TRUE if `word` equals `second`. If `word` is NULL, does not change `is_second`. For any other word, prints a
 * message and returns FALSE. */
gboolean loom_cli_options_parse_word (const char *verb, const char *option, const char *word, const char *first,
                                      const char *second, gboolean *is_second);

/* --- help --------------------------------------------------------------------------------------------------------- */

/* Returns the translation of a text for --help. Other output is not translated, because programs read it. */
const char *loom_cli_word (const char *text);

/* --- messages, to standard error ---------------------------------------------------------------------------------- */

/* Must be called before the first message. If argv contains "--format json" (or jsonl), messages are collected until
 * the program ends: if the program fails, one JSON object with all messages is printed
 * (data/schemas/error-1.schema.json); if it succeeds, the messages are printed as text. Without these arguments, each
 * message is printed as text at once. Main thread only. */
void loom_cli_begin_messages (int argc, char **argv);
/* Prints the collected messages, and returns `status`. If `status` is a failure, prints one JSON object with all
 * messages; otherwise prints the messages as text. */
LoomExitStatus loom_cli_end_messages (LoomExitStatus status);

/* Returns a hint for a word that is used as a verb, but names something else, such as “stragglers”: the command that
 * shows it. NULL: nothing has this name. Not translated, owned by the caller. */
char *loom_cli_hint_dup (const char *word);
void loom_cli_message (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Prints or collects a message about a file. `code`: code of the problem, which programs can read; or NULL.
 * `offset`: byte offset of the problem, or LOOM_OFFSET_NONE. `is_packed`: TRUE if the offset counts bytes of the
 * unpacked text. */
void loom_cli_message_of_file (const char *path, const char *message, const char *code, guint64 offset,
                               gboolean is_packed);
/* Prints or collects the message with the reason why the program fails. `error`: its code becomes the code of the
 * failure. */
void loom_cli_message_failure (const GError *error, const char *message);
/* Sets the file that could not be read or written, which is named if the failure is printed as JSON. NULL if the
 * failure is not about a file. */
void loom_cli_set_failed_file (const char *path);
/* From now on, failures with LOOM_ERROR_FORMAT have the code `code` instead of "format". Used if the wrong input is
 * not a file but, for example, a query. `code` must be static. */
void loom_cli_set_failure_code (const char *code);
/* Returns the code that the JSON about a failure states for this error; static. */
const char *loom_cli_get_failure_code (const GError *error);
/* Sets the byte offset of the failure, in the failed file or in the text of a query; LOOM_OFFSET_NONE if it is
 * unknown. */
void loom_cli_set_failure_offset (guint64 offset);
/* Prints the message "traceloom-cli VERB: …", where VERB is the command, and how to get help. Always returns FALSE,
 * so that a function that checks options can return the result of this call. */
gboolean loom_cli_usage_error (const char *verb, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* --- watching: SIGINT, SIGTERM and the progress bar --------------------------------------------------------------- */

typedef struct _LoomCliWatch LoomCliWatch;

/* Starts the thread that handles signals and draws the progress bar. Must be called before other threads are
 * created: it blocks the signals in the calling thread, and new threads inherit the blocked signals. */
LoomCliWatch *loom_cli_watch_start (gboolean show_progress);
void loom_cli_watch_stop (LoomCliWatch *watch);
/* Begins the next part of the work. Returns the progress of this part, borrowed until the next call. `label`: text
 * beside the progress bar. */
LoomProgress *loom_cli_watch_begin (LoomCliWatch *watch, const char *label);
/* Removes the progress bar from the terminal. Must be called before text is printed. */
void loom_cli_watch_clear (LoomCliWatch *watch);

/* --- loading ------------------------------------------------------------------------------------------------------ */

typedef struct {
  LoomCliOptions options;
  LoomCliWatch *watch;
  LoomTimeline *timeline;
  LoomSourceOverrides *edits; /* changes to sources in the sessions; NULL if no session changes sources */
  gboolean incomplete;
  gboolean has_path; /* TRUE if a session shows the critical path */
  /* the user's changes to rows, from the last session that has such changes, see loom_row_list_restore(); NULL if no
   * session changes rows */
  GVariant *rows;
  gboolean lists_ignored; /* set to TRUE by commands that list the files that were not loaded */
  /* set to TRUE by commands that write a file; after a cancellation, a message then says that no file was written */
  gboolean writes;
  /* path of the file that the command writes, set by the code of the command; NULL or "-" for standard output */
  const char *output;
  GPtrArray *inputs;  /* LoomInputFiles: the given files, which are protected from being overwritten */
  gboolean no_arrows; /* set to TRUE by commands that draw nothing; flow events are then not connected to arrows */
  /* TRUE if the run was loaded from index files, and the events of the range were then read from the traces of these
   * index files; other events were not read */
  gboolean has_read_range;
  /* set to TRUE by loom_cli_job_get_range() if the range was given as step numbers, which are then in `steps` */
  gboolean has_steps;
  LoomStepNumbers steps;
  /* values of --rank and --through, for commands with LOOM_CLI_RANK_ENTRIES; NULL if the option was not given */
  char *rank, *through;
  LoomAlignMode clock; /* the default mode of the command, used if neither --clock nor a session selects a mode */
} LoomCliJob;

/* The options --rank and --through, for commands that can be limited to one rank. */
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

/* A command that loads a run. `own`: the argument of loom_cli_job_run(). */
typedef struct {
  const char *must;    /* required arguments besides paths, such as "-o FILE"; or NULL */
  const char *summary; /* description for --help, marked with N_() */
  gboolean has_format; /* TRUE if the command has the option --format */
  /* Checks the options of this command before the run is loaded. Returns DONE; on failure, prints a message and
   * returns another exit status. May be NULL. */
  LoomExitStatus (*check) (LoomCliJob *job, gpointer own);
  /* Does the work of the command, after the timeline was loaded. */
  LoomExitStatus (*run) (LoomCliJob *job, gpointer own);
} LoomCliVerb;

/* Parses argv, loads the paths (including sessions), aligns the clocks, runs the command and clears the job.
 * `entries`: options of this command; may be NULL. */
LoomExitStatus loom_cli_job_run (LoomCliJob *job, const LoomCliVerb *verb, const GOptionEntry *entries, gpointer own,
                                 int argc, char **argv);
/* Loads the second run of a comparison from `path`, with the same options as the first run, and calls `run` with
 * both jobs and `own`. */
LoomExitStatus loom_cli_job_run_beside (LoomCliJob *job, char *path,
                                        LoomExitStatus (*run) (LoomCliJob *job, LoomCliJob *second, gpointer own),
                                        gpointer own);
/* Adds an input file of the command to the files that must not be overwritten. */
void loom_cli_job_hold (LoomCliJob *job, const char *path);

/* Sets `range` to the range that --start and --end select, both ends included. Sets `has_range` to FALSE if they were
 * not given. If the range was given as step numbers, also stores the step numbers in the job. `smdebug_steps`: TRUE if
 * step numbers are those of smdebug's merged timeline. On failure, returns FALSE and sets `error`. */
gboolean loom_cli_job_get_range (LoomCliJob *job, gboolean smdebug_steps, gboolean *has_range, LoomRange *range,
                                 GError **error);
/* Returns TRUE if the range and the run overlap; if they don't, prints a message. */
gboolean loom_cli_job_touches (LoomCliJob *job, const LoomRange *range);
/* Prints a message for each profile without times, which therefore has no events on the timeline. Prints nothing if
 * --quiet is given. */
void loom_cli_job_tell_profiles (LoomCliJob *job);
/* Prints the start and the end of the run: in ns if the range was given in ns, otherwise in µs. */
void loom_cli_job_tell_extent (LoomCliJob *job);

/* Prints the error, or only "Cancelled" after a cancellation. Returns the exit status. Takes ownership of the error. */
LoomExitStatus loom_cli_job_fail (LoomCliJob *job, GError *error);
/* Ends the job: prints how many files are not on the timeline, and returns DONE or INCOMPLETE. */
LoomExitStatus loom_cli_job_finish (LoomCliJob *job);
/* Prints that `what`, for example "report", was written to `output`, unless this is standard output (NULL or "-"), or
 * the option --quiet is given. */
void loom_cli_job_tell_output (const LoomCliJob *job, const char *what, const char *output);

/* Writes the text to standard output. If it cannot be written completely, returns FALSE and sets `error`. */
gboolean loom_cli_print (const char *text, GError **error);
/* Prints a JSON object, of which it takes ownership, and ends the job. Returns FAILED if the object cannot be
 * printed. */
LoomExitStatus loom_cli_job_print_json (LoomCliJob *job, JsonBuilder *builder);
/* Prints the result of a command, a text of which it takes ownership, and ends the job. Returns FAILED if the text
 * cannot be printed. */
LoomExitStatus loom_cli_job_print (LoomCliJob *job, char *text);

/* Replaces the run of the job by the traces of one rank. `word`: the number of the rank; if NULL, does nothing, but
 * fails if --through was given. If the run was loaded from index files, reads the events of the range from the
 * traces of these files. Returns LOOM_EXIT_STATUS_DONE; on failure, prints a message and returns another exit
 * status. */
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
