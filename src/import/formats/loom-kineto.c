/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports traces of PyTorch's profiler (torch.profiler, whose library is called Kineto).
 */
#include "loom-chrome-importer.h"

#include "loom-regex.h"
#include "loom-sniff.h"

#include <glib/gi18n.h>
#include <string.h>

/* Reason why a range of time cannot be read separately from some Kineto traces: their thread ids are ambiguous. The
 * thread of an event is then known only after the categories of all events with its thread id have been read. */
static const char whole_only[] = N_ ("the threads of the file can only be distinguished by looking at all events");

/* A quarter of a mean year. Relative times of Kineto count from the start of such a quarter; the first quarter begins
 * in 1970. */
#define TRIMESTER_NS (G_GINT64_CONSTANT (7889238) * LOOM_NS_PER_S)

typedef struct {
  gboolean has_base;
  gint64 base_ns;
  /* rank in the member "distributedInfo", or else the value of "global_rank"; −1: unknown */
  gint rank;
  char *host;
  gint64 file_modified_s;
  const char *path;
  guint32 first_process; /* number, in the builder, of the first process from this file */
} Kineto;

/* Returns TRUE for the labels of processes that are devices: the kind of accelerator in capital letters and a number,
 * such as "GPU 0", "XPU 1", "MTIA 17". */
static gboolean
names_device (const char *label)
{
  gsize n = label != NULL ? strspn (label, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") : 0;
  return n > 1 && !g_str_has_prefix (label, "CPU ") && label[n] == ' ' && g_ascii_isdigit (label[n + 1]) &&
         label[n + 1 + strspn (label + n + 1, "0123456789")] == '\0';
}

static gboolean
on_metadata (LoomChromeImporter *chrome, const LoomEvent *event)
{
  if (!loom_json_slice_equal (event->member[LOOM_MEMBER_NAME], "\"process_labels\""))
    return FALSE;
  const char *label =
    loom_chrome_importer_text (chrome, loom_json_slice_member (event->member[LOOM_MEMBER_ARGS], "labels"));
  gboolean device = names_device (label);
  if (!device && strcmp (label, "CPU") != 0)
    return FALSE;
  if (device) {
    g_autofree char *name = g_strdup (label);
    guint32 process, thread;
    loom_chrome_importer_place_by_ids (chrome, event, &process, &thread);
    loom_trace_builder_process_set_label (chrome->builder, process, name);
    loom_trace_builder_process_add_flags (chrome->builder, process, LOOM_TRACK_DEVICE);
  }
  return TRUE;
}

static void
take_rank (Kineto *kineto, LoomJsonSlice value, gboolean strong)
{
  gint64 rank;
  if (value.text != NULL && loom_parse_time_parse_int (value.text, value.length, &rank) && rank >= 0 &&
      rank < G_MAXINT && (strong || kineto->rank < 0))
    kineto->rank = (gint) rank;
}

static void
on_member (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value)
{
  Kineto *kineto = chrome->data;
  gint64 base_ns;
  if (loom_json_slice_equal (key, "\"baseTimeNanoseconds\"")) {
    if (!loom_parse_time_parse_int (value.text, value.length, &base_ns) || base_ns <= 0)
      return; /* ignores a base that is invalid, or 0: with the base 0, the times would be in 1970 */
    kineto->has_base = TRUE;
    kineto->base_ns = base_ns;
    if (chrome->n_timed == 0)
      chrome->base_ns = base_ns;
  } else if (loom_json_slice_equal (key, "\"distributedInfo\"")) {
    take_rank (kineto, loom_json_slice_member (value, "rank"), TRUE);
  } else if (loom_json_slice_equal (key, "\"global_rank\"")) {
    take_rank (kineto, value, FALSE);
  } else if (loom_json_slice_equal (key, "\"host_name\"")) {
    g_free (kineto->host);
    kineto->host = g_strdup (loom_chrome_importer_text (chrome, value));
  }
}

/* Returns the time in a file name "<worker>.<time>.pt.trace.json", in ns since 1970, at most G_MAXINT64; 0 if the
 * name has no valid time. */
static gint64
time_in_name (const char *path)
{
  static gsize kept;
  const GRegex *regex = loom_regex_get (&kept, "\\.([0-9]{13}|[0-9]{16}|[0-9]{19})\\.pt\\.trace\\.json", 0);
  g_autoptr (GMatchInfo) match = NULL;
  if (!g_regex_match (regex, path, 0, &match))
    return 0;
  g_autofree char *digits = g_match_info_fetch (match, 1);
  gint64 value = g_ascii_strtoll (digits, NULL, 10);
  gsize n = strlen (digits);
  return loom_time_from (value, n == 13 ? LOOM_NS_PER_MS : n == 16 ? LOOM_NS_PER_US : 1);
}

/* Returns the host in a file name "<host>_<pid>.<time>.pt.trace.json"; NULL if the name contains no host. The user can
 * choose the part of the name before the time. If "step" precedes the number, as in "worker0_step_12", this part is not
 * a host and a pid. The number of digits of the pid is not considered, because pids in containers may be small. Owned
 * by the caller. */
static char *
host_in_name (const char *path)
{
  static gsize kept;
  const GRegex *regex =
    loom_regex_get (&kept,
                    "^(?!(?:rank|worker|gpu|device)_)([^.]+(?:\\.[^.]+)*)"
                    "(?<!_step|_iter|_iteration|_epoch|_batch|_cycle|_rank)_[0-9]+\\.[0-9]{13,}\\.pt\\.trace\\.json",
                    G_REGEX_CASELESS);
  g_autofree char *base = g_path_get_basename (path);
  g_autoptr (GMatchInfo) match = NULL;
  return g_regex_match (regex, base, 0, &match) ? g_match_info_fetch (match, 1) : NULL;
}

static void
derive_base (LoomChromeImporter *chrome, const Kineto *kineto)
{
  gint64 named_ns = time_in_name (kineto->path);
  if (loom_time_is_saturated (named_ns)) {
    loom_chrome_importer_note_far_date (chrome, N_ ("the time in the file’s name"));
    named_ns = 0;
  }
  gint64 wall_ns = named_ns != 0 ? named_ns : loom_time_from (kineto->file_modified_s, LOOM_NS_PER_S);
  if (loom_time_is_saturated (wall_ns)) {
    loom_chrome_importer_note_far_date (chrome, N_ ("the file’s modification time"));
    return;
  }
  gint64 base_ns = wall_ns - wall_ns % TRIMESTER_NS;
  if (loom_time_add (base_ns, chrome->max_end_ns) > loom_time_add (wall_ns, 3600 * LOOM_NS_PER_S))
    base_ns = loom_time_sub (base_ns, TRIMESTER_NS);
  loom_trace_builder_shift_source (chrome->builder, chrome->source, base_ns);
  loom_chrome_importer_set_clock (
    chrome, LOOM_CLOCK_DERIVED,
    named_ns != 0
      ? N_ ("times count from the start of a three-month period, which was inferred from the file’s name")
      : N_ ("times count from the start of a three-month period, which was inferred from the file’s modification time"),
    base_ns);
}

static void
anchor (LoomChromeImporter *chrome, const Kineto *kineto)
{
  gboolean absolute = chrome->n_timed > 0 && loom_chrome_importer_is_absolute (chrome);
  gint64 wanted_ns = kineto->has_base && !absolute ? kineto->base_ns : 0;
  if (wanted_ns != chrome->base_ns)
    loom_trace_builder_shift_source (chrome->builder, chrome->source, loom_time_sub (wanted_ns, chrome->base_ns));
  if (absolute)
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_EXACT, N_ ("microseconds since 1970"), 0);
  else if (kineto->has_base)
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_EXACT, "baseTimeNanoseconds", kineto->base_ns);
  else if (chrome->n_timed > 0 && chrome->max_end_ns >= 0 && chrome->max_end_ns < TRIMESTER_NS)
    derive_base (chrome, kineto);
}

/* Marks the instant "Record Window End" as suspect (LOOM_REF_SUSPECT), because its time may be many years too late. */
static void
on_adjust (LoomChromeImporter *chrome, const LoomEvent *event, gint64 *start_ns, gint64 *dur_ns, guint *flags)
{
  if (loom_event_phase (event) == 'i' &&
      loom_json_slice_equal (event->member[LOOM_MEMBER_NAME], "\"Record Window End\""))
    *flags |= LOOM_REF_SUSPECT;
}

/* Marks tracks that come from the profiler itself and do not show work of the program. */
static void
mark_special (LoomChromeImporter *chrome)
{
  LoomTraceBuilder *builder = chrome->builder;
  for (guint32 i = 0; i < loom_trace_builder_get_n_processes (builder); i++) {
    const char *key = loom_trace_builder_process_get_key (builder, i);
    if (strcmp (key, "\"Spans\"") == 0 || strcmp (key, "\"Traces\"") == 0 || strcmp (key, "\"\"") == 0)
      loom_trace_builder_process_add_flags (builder, i, LOOM_TRACK_COLLAPSED | LOOM_TRACK_NO_EXTENT);
    if (strcmp (key, "-1") == 0) {
      loom_trace_builder_process_set_label (builder, i, "overhead");
      loom_trace_builder_process_add_flags (builder, i, LOOM_TRACK_COLLAPSED);
    }
  }
  for (guint32 i = 0; i < loom_trace_builder_get_n_threads (builder); i++) {
    const char *label = loom_trace_builder_thread_get_label (builder, i);
    if (label != NULL && g_str_has_prefix (label, "stream "))
      loom_trace_builder_thread_add_flags (builder, i, LOOM_TRACK_DEVICE);
  }
}

/* --- a process and a device with the same pid --------------------------------------------------------------------- */

/* Greatest number of a device. Kineto uses the number of a device as its pid. A process in a container may have such a
 * small pid, too. */
#define MAX_DEVICE 15

enum { KIND_HOST = 1, KIND_DEVICE = 2 };

/* Returns KIND_HOST or KIND_DEVICE for a category; 0 for categories that occur both on the host and on devices
 * (synchronization). Events for which the result is 0 are not moved. */
static guint8
kind_of (const char *category)
{
  static const struct {
    const char *category;
    guint8 kind;
  } known[] = {
    { "kernel", KIND_DEVICE },
    { "gpu_memcpy", KIND_DEVICE },
    { "gpu_memset", KIND_DEVICE },
    { "gpu_user_annotation", KIND_DEVICE },
    { "Kernel", KIND_DEVICE },
    { "Memcpy", KIND_DEVICE },
    { "Memset", KIND_DEVICE },
    { "mtia_ccp_events", KIND_DEVICE },
    { "cpu_op", KIND_HOST },
    { "user_annotation", KIND_HOST },
    { "cpu_instant_event", KIND_HOST },
    { "python_function", KIND_HOST },
    { "overhead", KIND_HOST },
    { "Operator", KIND_HOST },
    { "Runtime", KIND_HOST },
    { "Python", KIND_HOST },
  };
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strcmp (category, known[i].category) == 0)
      return known[i].kind;
  return g_str_has_suffix (category, "_runtime") || g_str_has_suffix (category, "_driver") ? KIND_HOST : 0;
}

/* Returns TRUE for flow events of the host. The flow of a launch begins on the host; only its end belongs to the
 * device. */
static gboolean
is_host_flow (char phase, const char *category)
{
  return phase != 'f' || (strcmp (category, "ac2g") != 0 && strcmp (category, "async_cpu_to_gpu") != 0);
}

static gboolean
is_device_number (const char *key)
{
  char *end;
  return g_ascii_isdigit (key[0]) && g_ascii_strtoll (key, &end, 10) <= MAX_DEVICE && *end == '\0';
}

/* Adds a process for those events of the host that have the pid of a device, and returns the new process. If the
 * metadata states a name for this pid and it is not the name of the device, the new process gets this name. */
static guint32
add_host (LoomChromeImporter *chrome, guint32 device)
{
  LoomTraceBuilder *builder = chrome->builder;
  const char *pid = loom_trace_builder_process_get_key (builder, device);
  g_autofree char *key = g_strdup_printf ("%s cpu", pid), *name = g_strdup_printf ("GPU %s", pid);
  g_autofree char *label = g_strdup (loom_trace_builder_process_get_label (builder, device));
  guint32 host = loom_trace_builder_process (builder, chrome->source, key, strlen (key));
  loom_trace_builder_process_set_label (builder, host, label != NULL && !names_device (label) ? label : "CPU");
  if (!names_device (label))
    loom_trace_builder_process_set_label (builder, device, name);
  loom_trace_builder_process_add_flags (builder, device, LOOM_TRACK_DEVICE);
  return host;
}

/* Moves events of the host from `thread` to a new thread of the process `host`. Needed because the id of `thread` is
 * also the id of a stream. Returns the new thread. */
static guint32
split_thread (LoomTraceBuilder *builder, guint32 thread, guint32 host, const guint8 *kinds)
{
  const char *key = loom_trace_builder_thread_get_key (builder, thread);
  g_autofree char *label = g_strdup (loom_trace_builder_thread_get_label (builder, thread)),
                  *stream = g_strdup_printf ("stream %s", key);
  guint32 twin = loom_trace_builder_thread (builder, host, key, strlen (key));
  gboolean names_stream = label != NULL && g_str_has_prefix (label, "stream ");
  loom_trace_builder_thread_set_label (builder, twin, names_stream ? NULL : label);
  loom_trace_builder_thread_move_kind (builder, thread, twin, kinds, KIND_HOST);
  if (!names_stream && loom_trace_builder_thread_get_kinds (builder, thread, kinds) != 0)
    loom_trace_builder_thread_set_label (builder, thread, stream);
  return twin;
}

/* `all`: kinds of the events of the process, as KIND_… bits. Returns TRUE if the process contains host events, and also
 * has events or the label of a device. The label is sufficient even without events of the device: Kineto labels the
 * pids 0 to 15 as devices, even if a process in a container has such a pid. */
static gboolean
needs_split (LoomTraceBuilder *builder, guint32 process, guint all)
{
  return (all & KIND_HOST) != 0 &&
         ((all & KIND_DEVICE) != 0 || names_device (loom_trace_builder_process_get_label (builder, process)));
}

/* Sets the name of a device if the file has no metadata of it, because a tool has cut the file out of a larger
 * trace. */
static void
name_device (LoomTraceBuilder *builder, guint32 process)
{
  if (loom_trace_builder_process_get_label (builder, process) != NULL)
    return;
  g_autofree char *name = g_strdup_printf ("GPU %s", loom_trace_builder_process_get_key (builder, process));
  loom_trace_builder_process_set_label (builder, process, name);
  loom_trace_builder_process_add_flags (builder, process, LOOM_TRACK_DEVICE);
}

/* If a device and a host process share the pid of this process, moves the host events of each thread to a new thread
 * and sets twins[thread] to the new thread. Returns FALSE if the pid is not shared. */
static gboolean
split_process (LoomChromeImporter *chrome, guint32 process, const guint8 *kinds, guint32 *twins, guint32 n_threads)
{
  LoomTraceBuilder *builder = chrome->builder;
  g_autofree guint8 *found = g_new0 (guint8, n_threads);
  guint all = 0;
  for (guint32 i = 0; i < n_threads; i++) {
    if (loom_trace_builder_thread_get_process (builder, i) == process)
      all |= found[i] = (guint8) loom_trace_builder_thread_get_kinds (builder, i, kinds);
  }
  if (all == KIND_DEVICE)
    name_device (builder, process);
  if (!needs_split (builder, process, all))
    return FALSE;
  guint32 host = add_host (chrome, process);
  for (guint32 i = 0; i < n_threads; i++)
    if (found[i] & KIND_HOST)
      twins[i] = split_thread (builder, i, host, kinds);
  return TRUE;
}

static void
split_shared_pids (LoomChromeImporter *chrome, guint32 first_process)
{
  LoomTraceBuilder *builder = chrome->builder;
  guint32 n_processes = loom_trace_builder_get_n_processes (builder),
          n_threads = loom_trace_builder_get_n_threads (builder), n_names = loom_trace_builder_get_n_names (builder);
  g_autofree guint8 *kinds = g_new (guint8, n_names + 1);
  g_autofree guint32 *twins = g_new (guint32, n_threads + 1);
  gboolean split = FALSE;
  for (guint32 i = 0; i < n_names; i++)
    kinds[i] = kind_of (loom_trace_builder_name_get_category (builder, i));
  memset (twins, 0xFF, n_threads * sizeof *twins);
  for (guint32 i = first_process; i < n_processes; i++)
    if (is_device_number (loom_trace_builder_process_get_key (builder, i)))
      split |= split_process (chrome, i, kinds, twins, n_threads);
  if (split)
    loom_trace_builder_move_flows (builder, twins, n_threads, is_host_flow);
  if (split && chrome->bytes != NULL)
    loom_byte_index_set_missing (chrome->bytes, whole_only);
}

/* --- threads whose tid is a string -------------------------------------------------------------------------------- */

static char *
dup_thread_key (guint32 process, const char *tid, gsize n)
{
  return g_strdup_printf ("%u %.*s", process, (int) n, tid);
}

/* Returns the threads whose tid in the file is a string. The keys of the table are the process and the contents of the
 * string; the values are the thread + 1. */
static GHashTable *
list_quoted_threads (LoomTraceBuilder *builder, guint32 first_process)
{
  GHashTable *threads = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint32 i = 0; i < loom_trace_builder_get_n_threads (builder); i++) {
    guint32 process = loom_trace_builder_thread_get_process (builder, i);
    const char *key = loom_trace_builder_thread_get_key (builder, i);
    gsize n = strlen (key);
    if (process >= first_process && n > 2 && key[0] == '"')
      g_hash_table_insert (threads, dup_thread_key (process, key + 1, n - 2), GUINT_TO_POINTER (i + 1));
  }
  return threads;
}

/* Returns the thread of `process` whose tid in the file is a string with the digits `digits`; LOOM_ID_NONE: there is
 * none. */
static guint32
find_quoted_thread (GHashTable *quoted, guint32 process, const char *digits)
{
  g_autofree char *key = dup_thread_key (process, digits, strlen (digits));
  return GPOINTER_TO_UINT (g_hash_table_lookup (quoted, key)) - 1;
}

static gboolean
is_any_flow (char phase, const char *category)
{
  return TRUE;
}

/* Moves events without a category, such as the instant events of allocations, from thread i to thread to[i]; if to[i]
 * is LOOM_ID_NONE, the events stay. `kinds`: array indexed by name id, 0 for names without a category; the function
 * overwrites it. */
static void
move_loose (LoomTraceBuilder *builder, const guint32 *to, guint32 n_threads, guint8 *kinds, guint32 n_names)
{
  for (guint32 i = 0; i < n_names; i++)
    kinds[i] = kinds[i] == 0 ? KIND_HOST : 0;
  for (guint32 i = 0; i < n_threads; i++)
    if (to[i] != LOOM_ID_NONE)
      loom_trace_builder_thread_move_kind (builder, i, to[i], kinds, KIND_HOST);
}

/* Joins threads whose tid is a number in some events and a string in others. Kineto of 2020 and 2021 wrote a number for
 * flow events of launches and for allocations, but a string for the calls that contain them. If a thread has no calls,
 * moves its flow events and instants to the thread whose tid is a string with the same digits. */
static void
join_quoted_threads (LoomChromeImporter *chrome, guint32 first_process)
{
  LoomTraceBuilder *builder = chrome->builder;
  guint32 n_threads = loom_trace_builder_get_n_threads (builder), n_names = loom_trace_builder_get_n_names (builder);
  g_autofree guint8 *kinds = g_malloc (n_names + 1);
  g_autofree guint32 *twins = g_new (guint32, n_threads + 1);
  g_autoptr (GHashTable) quoted = list_quoted_threads (builder, first_process);
  gboolean found = FALSE;
  if (g_hash_table_size (quoted) == 0)
    return;
  for (guint32 i = 0; i < n_names; i++) /* 0 for names without a category, for example of the instants of allocations */
    kinds[i] = loom_trace_builder_name_get_category (builder, i)[0] != '\0' ? KIND_HOST : 0;
  for (guint32 i = 0; i < n_threads; i++) {
    guint32 process = loom_trace_builder_thread_get_process (builder, i);
    const char *key = loom_trace_builder_thread_get_key (builder, i);
    gboolean is_bare = process >= first_process && g_ascii_isdigit (key[0]) &&
                       loom_trace_builder_thread_get_kinds (builder, i, kinds) == 0;
    twins[i] = is_bare ? find_quoted_thread (quoted, process, key) : LOOM_ID_NONE;
    found |= twins[i] != LOOM_ID_NONE;
  }
  if (!found)
    return;
  if (chrome->bytes != NULL)
    loom_byte_index_set_missing (chrome->bytes, whole_only);
  loom_trace_builder_move_flows (builder, twins, n_threads, is_any_flow);
  move_loose (builder, twins, n_threads, kinds, n_names);
}

static void
finish (LoomChromeImporter *chrome, LoomStreamReader *reader)
{
  Kineto *kineto = chrome->data;
  gint from_path = chrome->info->rank;
  anchor (chrome, kineto);
  join_quoted_threads (chrome, kineto->first_process);
  split_shared_pids (chrome, kineto->first_process);
  mark_special (chrome);
  if (kineto->rank >= 0) {
    if (from_path >= 0 && from_path != kineto->rank)
      loom_import_log_printf (chrome->info->log, LOOM_SEVERITY_WARNING, "rank-conflict", LOOM_OFFSET_NONE,
                              "The path says rank %d, but the content says rank %d; the rank in the content is used",
                              from_path, kineto->rank);
    /* The rank in the content of the file takes precedence over the rank in the path, even if the user's pattern found
     * the rank in the path. */
    chrome->info->rank = kineto->rank;
  }
  chrome->info->node =
    kineto->host != NULL && kineto->host[0] != '\0' ? g_strdup (kineto->host) : host_in_name (kineto->path);
}

gboolean
loom_importer_kineto (LoomImporter *import, GError **error)
{
  static const LoomChromeImporterHooks hooks = { .metadata = on_metadata, .adjust = on_adjust, .member = on_member };
  for (guint i = 0; i < import->n_files; i++) {
    Kineto kineto = { .rank = -1,
                      .path = import->files[i]->path,
                      .file_modified_s = import->files[i]->modified_s,
                      .first_process = loom_trace_builder_get_n_processes (import->builder) };
    LoomChromeImporterJob job = { .format = "kineto",
                                  .hooks = &hooks,
                                  .data = &kineto,
                                  .clock = G_MAXUINT,
                                  .splittable = TRUE,
                                  .has_file_times = TRUE,
                                  .finish = finish };
    gboolean good = loom_chrome_importer_read (import, import->files[i], &job, error);
    g_free (kineto.host);
    if (!good)
      return FALSE;
  }
  return TRUE;
}
