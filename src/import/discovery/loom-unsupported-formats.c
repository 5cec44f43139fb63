/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognises files that often accompany traces, and traces of other programs that Traceloom cannot read. The interface
 * is described in loom-unsupported-formats.h.
 */
#define _GNU_SOURCE /* makes <string.h> declare memmem() */
#include "loom-unsupported-formats.h"

#include "loom-pickle-sniff.h"
#include "loom-protobuf-sniff.h"

#include <glib/gi18n.h>
#include <string.h>

#define PROTOBUF N_ ("starts like a protobuf file, but is neither a Perfetto trace nor an XSpace")
#define NSIGHT \
  N_ (         \
    "an Nsight Systems report, whose format is not public: export it with “nsys export --type sqlite” and open the .sqlite file")
#define ROCPD N_ ("a ROCm database of a kind that cannot be read: convert it with “rocpd convert -f pftrace”")
#define ROCPROF_COMPUTE N_ ("a database of rocprof-compute: it contains counters per kernel, but no timeline")
#define NSIGHT_COMPUTE \
  N_ ("an Nsight Compute report: it has no timeline; record with Nsight Systems or the framework’s profiler")
#define FTRACE N_ ("ftrace text: convert it with “trace_processor_shell convert json” and open the result")
#define SYSTRACE \
  N_ (           \
    "a systrace page (HTML around ftrace text): convert it with “trace_processor_shell convert json” and open the result")
#define TRACE_CMD \
  N_ (            \
    "a trace of trace-cmd: convert it with “trace-cmd report”, then “trace_processor_shell convert json”, and open the result")
#define PAGE N_ ("HTML or XML, not a trace: save the trace as JSON from the program that made the page")

#define TEXT_BYTES 4096 /* number of bytes examined to recognise formats that consist of lines */
#define MOST_TABLES 5   /* maximum number of tables of an unknown database that the message names */

const char *
loom_unsupported_formats_by_name (const char *path, gboolean *is_trace)
{
  static const struct {
    const char *pattern, *what;
    gboolean is_trace;
  } table[] = {
    { "python_stats.html", N_ ("a page of pyinstrument; open it in a browser") },
    { "*.html", N_ ("a web page: save the trace as JSON from the program that made it") },
    { "*.hlo_proto.pb", N_ ("an XLA program, not a trace") },
    { "*.input_pipeline.pb", N_ ("a table of TensorBoard, not a trace") },
    { "*.overview_page.pb", N_ ("a table of TensorBoard, not a trace") },
    { "*.pb", N_ ("a protobuf summary, not a trace") },
    { "events.out.tfevents.*", N_ ("TensorBoard events, not a trace") },
    { "*.metadata", N_ ("a marker file, not a trace; its name can give the start time of TensorFlow traces") },
    { "training_job_end.ts", N_ ("a marker for the end of the job, not a trace") },
    { "tf_dataloader_*_flag.tmp", N_ ("a flag file of a data loader, not a trace") },
    { "*.ipynb", "a notebook" },
    { "*.qdrep", NSIGHT, TRUE },
    { "*.qdstrm", NSIGHT, TRUE },
    { "*.ncu-rep", NSIGHT_COMPUTE, TRUE },
  };
  g_autofree char *base = g_path_get_basename (path);
  gboolean is_read = g_str_has_suffix (base, ".xplane.pb");
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (!is_read && g_pattern_match_simple (table[i].pattern, base)) {
      *is_trace = table[i].is_trace;
      return table[i].what;
    }
  *is_trace = FALSE;
  return NULL;
}

static gboolean
has (const char *text, gsize n_bytes, const char *word)
{
  return memmem (text, n_bytes, word, strlen (word)) != NULL;
}

/* Returns TRUE if the text contains a processor number such as "[001]", which every line of ftrace has. This quick test
 * avoids matching the lines of most other texts. */
static gboolean
names_processor (const char *text)
{
  for (text = strchr (text, '['); text != NULL; text = strchr (text + 1, '['))
    if (strspn (text + 1, "0123456789") == 3 && text[4] == ']')
      return TRUE;
  return FALSE;
}

/* Recognises ftrace text by its header, or by lines such as "<idle>-0 (-----) [001] d..3 12345.678901: sched_switch:
 * …". */
static gboolean
is_ftrace (const char *text, gsize n)
{
  if (g_str_has_prefix (text, "# tracer:") || g_str_has_prefix (text, "TRACE:\n#"))
    return TRUE;
  g_autofree char *start = g_utf8_make_valid (text, (gssize) MIN (n, TEXT_BYTES));
  return names_processor (start) &&
         g_regex_match_simple (
           "^\\s*\\S[^\\n\"{]*-\\d+\\s+(\\([ \\d-]+\\)\\s+)?\\[\\d{3}\\]\\s+(\\S{4,6}\\s+)?\\d+\\.\\d{6}:\\s", start,
           G_REGEX_MULTILINE, 0);
}

static const char *
page (const char *text, gsize n)
{
  gsize lead = strspn (text, " \t\r\n");
  if (text[lead] != '<' || g_str_has_prefix (text + lead, "<idle>") ||
      g_str_has_prefix (text + lead, "<...>")) /* ftrace writes <idle> or <...> if a task has no name */
    return NULL;
  return has (text, n, "systrace") || has (text, n, "trace-viewer") || has (text, n, "<!-- BEGIN TRACE -->") ? SYSTRACE
                                                                                                             : PAGE;
}

/* Recognises UTF-16 and UTF-32 text, Git LFS pointers, and files of zero bytes. Returns a sentence about the file;
 * NULL: it is none of these. */
static const char *
no_text (const char *text, gsize n)
{
  gboolean is_zero = TRUE;
  if (n >= 4 && (memcmp (text, "\xFF\xFE\0\0", 4) == 0 || memcmp (text, "\0\0\xFE\xFF", 4) == 0 ||
                 memcmp (text, "[\0\0\0", 4) == 0 || memcmp (text, "{\0\0\0", 4) == 0))
    return N_ ("UTF-32 text: save it as UTF-8 and open the new file");
  if (n >= 4 && (memcmp (text, "\xFF\xFE", 2) == 0 || memcmp (text, "\xFE\xFF", 2) == 0 ||
                 memcmp (text, "[\0", 2) == 0 || memcmp (text, "{\0", 2) == 0))
    return N_ ("UTF-16 text: save it as UTF-8 and open the new file");
  if (g_str_has_prefix (text, "version https://git-lfs.github.com/spec/"))
    return N_ ("a Git LFS pointer, not the file itself: run “git lfs pull” and open it again");
  for (gsize i = 0; i < n && is_zero; i++)
    is_zero = text[i] == '\0';
  return is_zero
           ? N_ (
               "only zero bytes where a trace should begin: the disk was full, or the machine crashed, while the file was written")
           : NULL;
}

/* Recognises images, documents, archives, programs and data files of other programs by their first bytes. Returns a
 * sentence about the file; NULL: its kind is unknown. */
static const char *
other_kind (const char *text, gsize n)
{
  static const struct {
    const char *magic;
    gsize n;
    const char *what;
  } kinds[] = {
    { "\x1F\x8B\x08", 3, N_ ("compressed twice: decompress it once and open the result") },
    { "\x89PNG\r\n\x1A\n", 8, N_ ("a PNG image, not a trace") },
    { "\xFF\xD8\xFF", 3, N_ ("a JPEG image, not a trace") },
    { "GIF8", 4, N_ ("a GIF image, not a trace") },
    { "%PDF-", 5, N_ ("a PDF document, not a trace") },
    { "7z\xBC\xAF\x27\x1C", 6, N_ ("a 7z archive: unpack it and open its contents") },
    { "Rar!\x1A\x07", 6, N_ ("a RAR archive: unpack it and open its contents") },
    { "\x7F"
      "ELF",
      4, N_ ("an ELF program or library, not a trace") },
    { "\x93NUMPY", 6, N_ ("a NumPy array, not a trace") },
    { "\x89HDF\r\n\x1A\n", 8, N_ ("an HDF5 file, not a trace") },
    { "PAR1", 4, N_ ("a Parquet file, not a trace") },
  };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (n >= kinds[i].n && memcmp (text, kinds[i].magic, kinds[i].n) == 0)
      return kinds[i].what;
  return NULL;
}

char *
loom_unsupported_formats_by_tables (const LoomDatabase *database)
{
  g_autofree char *tables = loom_database_dup_tables (database, MOST_TABLES);
  if (strstr (tables, "rocpd_") != NULL)
    return g_strdup (_ (ROCPD));
  if (strstr (tables, "compute_") != NULL)
    return g_strdup (_ (ROCPROF_COMPUTE));
  return tables[0] != '\0' ? g_strdup_printf (_ ("an SQLite database that is not a known profile (tables: %s)"), tables)
                           : g_strdup (_ ("an SQLite database without tables"));
}

const char *
loom_unsupported_formats_by_content (const char *text, gsize n)
{
  if (n > 10 && memcmp (text, "\x17\x08\x44tracing", 10) == 0)
    return TRACE_CMD;
  const char *what = other_kind (text, n);
  if (what == NULL)
    what = loom_pickle_sniff_explain (text, n);
  if (what == NULL)
    what = no_text (text, n);
  if (what == NULL)
    what = page (text, n);
  if (what == NULL && is_ftrace (text, n))
    what = FTRACE;
  if (what == NULL && loom_protobuf_sniff_is_protobuf (text, n))
    what = PROTOBUF;
  return what;
}
