/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the spans of collectives and device waits in a Chrome trace and records them as sync events, by which the
 * clocks of ranks are aligned. A collective is recognised by the name of its kernel (NCCL and similar) or by its
 * category. The host's span around the launch of a collective is not recorded as a collective, because it ends when the
 * work is launched; its args are kept for kernels that lack them.
 */
#include "loom-chrome-sync-events.h"

#include <string.h>

/* Whether an event with a certain name can be a sync event (a collective, message or device wait), and of which kind.
 * Stored per name id; 0: not determined yet. */
typedef enum {
  NAME_OTHER = 1,
  NAME_DEVICE, /* a kernel of a collective on a device */
  /* the category says that the event is a collective, but not whether it ran on the host or on a device */
  NAME_COMM,
  NAME_HOST,
  NAME_CALL, /* PyTorch's span for the call of a collective on the host */
  NAME_DEVICE_WAIT,
  NAME_DEVICE_CALL,
} NameKind;

/* maximum length, in bytes, of a list of ranks in the name of a group; a longer list is replaced by a hash */
#define LONG_RANKS 200

static gboolean
is_one_of (LoomJsonSlice literal, const char *const *words)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (loom_json_slice_equal (literal, words[i]))
      return TRUE;
  return FALSE;
}

/* Returns TRUE if the string literal begins with one of the words, ignoring case. "void " before the word is ignored,
 * because the names of template kernels begin with the type of the result: "void ncclKernel<…>". */
static gboolean
begins (LoomJsonSlice literal, const char *const *words)
{
  static const char lead[] = "\"void ";
  if (literal.length < 2 || literal.text[0] != '"')
    return FALSE;
  if (literal.length > sizeof lead && memcmp (literal.text, lead, sizeof lead - 1) == 0)
    literal = (LoomJsonSlice) { literal.text + sizeof lead - 2, literal.length - (sizeof lead - 2) };
  for (guint i = 0; words[i] != NULL; i++) {
    gsize length = strlen (words[i]);
    if (literal.length > length + 1 && g_ascii_strncasecmp (literal.text + 1, words[i], length) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Returns TRUE for the names of calls that record or query an event of a device, let a stream wait for one, or
 * synchronize. */
static gboolean
waits_or_records (LoomJsonSlice name)
{
  static const char *const words[] = { "EventRecord", "EventQuery", "StreamWaitEvent", "Synchronize", NULL };
  for (guint i = 0; name.text != NULL && words[i] != NULL; i++)
    if (g_strstr_len (name.text, (gssize) name.length, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

static NameKind
kind_of_name (LoomJsonSlice name, LoomJsonSlice category)
{
  static const char *const kernels[] = { "\"kernel\"", "\"Kernel\"", NULL };
  static const char *const comm[] = { "\"comm\"", "\"communication\"", "\"collective\"", "\"collective_comm\"", NULL };
  static const char *const host[] = { "\"user_annotation\"", "\"cpu_op\"", NULL };
  static const char *const calls[] = { "\"cuda_runtime\"", "\"cuda_driver\"", NULL };
  static const char *const libraries[] = { "nccl", "rccl", "msccl", "hccl", "hcom_", NULL };
  static const char *const host_libraries[] = { "gloo:", NULL };
  if (loom_json_slice_equal (name, "\"record_param_comms\""))
    return NAME_CALL;
  if (is_one_of (category, kernels))
    return begins (name, libraries) ? NAME_DEVICE : NAME_OTHER;
  if (is_one_of (category, comm))
    return NAME_COMM;
  if (loom_json_slice_equal (category, "\"cuda_sync\""))
    return NAME_DEVICE_WAIT;
  if (is_one_of (category, calls))
    return waits_or_records (name) ? NAME_DEVICE_CALL : NAME_OTHER;
  return is_one_of (category, host) && begins (name, host_libraries) ? NAME_HOST : NAME_OTHER;
}

static NameKind
look_up (LoomChromeImporter *chrome, const LoomEvent *event, guint32 name_id)
{
  GByteArray *kinds = chrome->meeting_kinds;
  if (G_UNLIKELY (name_id >= kinds->len)) {
    guint old = kinds->len;
    g_byte_array_set_size (kinds, MAX (name_id + 1, old * 2));
    memset (kinds->data + old, 0, kinds->len - old);
  }
  if (G_UNLIKELY (kinds->data[name_id] == 0))
    kinds->data[name_id] = kind_of_name (event->member[LOOM_MEMBER_NAME], event->member[LOOM_MEMBER_CAT]);
  return kinds->data[name_id];
}

/* The args that are read from events of collectives. */
enum {
  COLLECTIVE_NAME,
  GROUP_NAME,
  GROUP_RANKS,
  GROUP_DESCRIPTION,
  GROUP,
  ELEMENT_TYPE,
  N_IN,
  N_OUT,
  SEQUENCE,
  OLD_SEQUENCE,
  CALL,
  OLD_CALL,
  SENDER,
  RECEIVER,
  GROUP_SIZE,
  N_ARGS
};

static const char *const arg_keys[N_ARGS] = { "Collective name",
                                              "Process Group Name",
                                              "Process Group Ranks",
                                              "Process Group Description",
                                              "group",
                                              "dtype",
                                              "In msg nelems",
                                              "Out msg nelems",
                                              "Seq",
                                              "seq",
                                              "External id",
                                              "external id",
                                              "Src Rank",
                                              "Dst Rank",
                                              "Group size" };

static gint64
to_number (LoomJsonSlice value)
{
  gint64 number;
  return value.text != NULL && loom_parse_time_parse_int (value.text, value.length, &number) ? number
                                                                                             : LOOM_SEQUENCE_NONE;
}

/* Returns a text that identifies a process group: its name and, if known, its ranks, because several groups may have
 * the same name. */
static char *
group_of (LoomChromeImporter *chrome, const LoomJsonSlice *args)
{
  LoomJsonSlice name = args[GROUP_NAME].text != NULL ? args[GROUP_NAME] : args[GROUP], ranks = args[GROUP_RANKS];
  g_autofree char *text = g_strdup (name.text != NULL ? loom_chrome_importer_text (chrome, name) : "");
  if (ranks.text == NULL || ranks.length <= 2)
    return g_steal_pointer (&text);
  const char *members = loom_chrome_importer_text (chrome, ranks);
  if (chrome->scratch->len <= LONG_RANKS)
    return g_strdup_printf ("%s %s", text, members);
  return g_strdup_printf ("%s [#%016" G_GINT64_MODIFIER "x]", text,
                          loom_string_pool_hash (members, chrome->scratch->len));
}

/* Returns the name of a kernel without its result type, template arguments and parameters. Profilers write these
 * differently, for example 4096ul or (unsigned long)4096, or omit them. */
static char *
kernel_name_of (const char *name)
{
  static const char lead[] = "void ";
  if (g_str_has_prefix (name, lead))
    name += sizeof lead - 1;
  return g_strndup (name, strcspn (name, "<("));
}

/* Returns the name of a collective: "Collective name" in the args, otherwise the name of the event, which is
 * shortened for kernels. The collectives of different ranks are matched by a key that contains this name. If several
 * collectives of a rank have the same group, name and sequence number, their order distinguishes them. */
static char *
name_of (LoomChromeImporter *chrome, const LoomEvent *event, LoomJsonSlice name, NameKind kind)
{
  if (loom_json_slice_is_string (name))
    return g_strdup (loom_chrome_importer_text (chrome, name));
  const char *own = loom_chrome_importer_text (chrome, event->member[LOOM_MEMBER_NAME]);
  return kind == NAME_DEVICE ? kernel_name_of (own) : g_strdup (own);
}

static gboolean
contains (const char *name, const char *const *words)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (lower, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Returns the kind of a collective, for an event whose name is `name`. Reduce-scatter and all-gather count as
 * collectives without a root. */
static LoomSyncEventKind
kind_of (NameKind kind, const char *name)
{
  static const char *const whole[] = {
    "all", "reducescatter", "reduce_scatter", "reduce-scatter", "sendrecv", "barrier", NULL
  };
  static const char *const rooted[] = { "broadcast", "reduce", "gather", "scatter", NULL };
  if (kind == NAME_HOST)
    return LOOM_SYNC_EVENT_HOST;
  return !contains (name, whole) && contains (name, rooted) ? LOOM_SYNC_EVENT_ROOTED : LOOM_SYNC_EVENT_COLLECTIVE;
}

/* If the event is a send or a receive, changes `meeting` to a message with the name "from>to". Returns FALSE if the
 * event is a send or a receive, and one of its two ranks is unknown or both are the same rank. Returns TRUE in all
 * other cases, also if the event is neither a send nor a receive. */
static gboolean
make_message (const LoomJsonSlice *args, LoomSyncEvent *meeting, char **name)
{
  gboolean sends = g_ascii_strcasecmp (*name, "send") == 0, receives = g_ascii_strcasecmp (*name, "recv") == 0;
  gint64 from = to_number (args[SENDER]), to = to_number (args[RECEIVER]);
  if (!sends && !receives)
    return TRUE;
  if (from == LOOM_SEQUENCE_NONE || to == LOOM_SEQUENCE_NONE || from == to)
    return FALSE; /* the rank on the other side is unknown, or wrong */
  meeting->kind = sends ? LOOM_SYNC_EVENT_SEND : LOOM_SYNC_EVENT_RECEIVE;
  g_free (*name);
  *name = g_strdup_printf ("%" G_GINT64_FORMAT ">%" G_GINT64_FORMAT, from, to);
  return TRUE;
}

/* Returns TRUE if the args identify the called collective. Older versions of PyTorch don't write such args. */
static gboolean
is_call (const LoomJsonSlice *args, const LoomSyncEvent *meeting)
{
  return meeting->call != 0 && loom_json_slice_is_string (args[COLLECTIVE_NAME]);
}

/* Returns the size in bytes of a tensor element of this type; 0: unknown. */
static gint64
get_element_size (LoomJsonSlice dtype)
{
  static const struct {
    const char *literal;
    gint64 n;
  } known[] = { { "\"Byte\"", 1 },        { "\"Char\"", 1 }, { "\"Bool\"", 1 },     { "\"Float8_e4m3fn\"", 1 },
                { "\"Float8_e5m2\"", 1 }, { "\"Half\"", 2 }, { "\"BFloat16\"", 2 }, { "\"Short\"", 2 },
                { "\"Float\"", 4 },       { "\"Int\"", 4 },  { "\"Double\"", 8 },   { "\"Long\"", 8 } };
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (loom_json_slice_equal (dtype, known[i].literal))
      return known[i].n;
  return 0;
}

/* Returns the number of bytes that a collective or message transfers; 0 if it is unknown or differs between ranks. */
static gint64
bytes_of (const LoomJsonSlice *args, const char *name)
{
  static const char *const gathers[] = { "gather", NULL }, *const uneven[] = { "to_allv", "toallv", NULL };
  gint64 size = get_element_size (args[ELEMENT_TYPE]);
  if (size == 0 || contains (name, uneven))
    return 0;
  gint64 n = to_number (args[contains (name, gathers) ? N_OUT : N_IN]);
  return n > 0 && n <= G_MAXINT64 / size ? n * size : 0;
}

/* Adds a sync event (LoomSyncEvent) for a wait on a device, or for the host call that causes such a wait. Call and wait
 * have the same correlation id, by which they are matched. */
static void
note_device_sync (LoomChromeImporter *chrome, const LoomEvent *event, NameKind kind, guint32 thread,
                  LoomSyncEvent *meeting)
{
  static const char *const keys[] = { "correlation", "wait_on_stream", "wait_on_cuda_event_record_corr_id", "stream" };
  LoomJsonSlice args[G_N_ELEMENTS (keys)];
  loom_json_slice_members (event->member[LOOM_MEMBER_ARGS], keys, G_N_ELEMENTS (keys), args);
  gint64 correlation = to_number (args[0]),
         stream = to_number (args[1].text == NULL && kind == NAME_DEVICE_WAIT ? args[3] : args[1]);
  meeting->kind = kind == NAME_DEVICE_WAIT ? LOOM_SYNC_EVENT_DEVICE_WAIT : LOOM_SYNC_EVENT_DEVICE_CALL;
  meeting->call = correlation > 0 ? correlation : 0;
  meeting->sequence = to_number (args[2]);
  meeting->bytes = stream >= 0 && stream <= G_MAXUINT32 ? stream : -1;
  if (meeting->call != 0)
    loom_trace_builder_sync_event (chrome->builder, thread, meeting, "",
                                   loom_chrome_importer_text (chrome, event->member[LOOM_MEMBER_NAME]));
}

static LoomParallelAxis
axis_of (LoomJsonSlice description)
{
  return loom_json_slice_is_string (description) ? loom_parallel_axis_from_text (description.text, description.length)
                                                 : LOOM_PARALLEL_AXIS_UNKNOWN;
}

static void
note (LoomChromeImporter *chrome, const LoomEvent *event, NameKind kind, guint32 thread, LoomSyncEvent *meeting)
{
  LoomJsonSlice args[N_ARGS];
  loom_json_slice_members (event->member[LOOM_MEMBER_ARGS], arg_keys, N_ARGS, args);
  g_autofree char *group = group_of (chrome, args), *name = name_of (chrome, event, args[COLLECTIVE_NAME], kind);
  gint64 n_ranks = to_number (args[GROUP_SIZE]);
  meeting->kind = (guint8) kind_of (kind, name);
  meeting->axis = (guint8) axis_of (args[GROUP_DESCRIPTION]);
  meeting->n_ranks = n_ranks > 0 && n_ranks <= G_MAXUINT16 ? (guint16) n_ranks : 0;
  meeting->bytes = bytes_of (args, name);
  meeting->sequence = to_number (args[args[SEQUENCE].text != NULL ? SEQUENCE : OLD_SEQUENCE]);
  meeting->call =
    kind == NAME_DEVICE || kind == NAME_CALL ? to_number (args[args[CALL].text != NULL ? CALL : OLD_CALL]) : 0;
  meeting->call = meeting->call != LOOM_SEQUENCE_NONE ? meeting->call : 0;
  if (kind == NAME_CALL)
    meeting->kind = LOOM_SYNC_EVENT_CALL;
  if (kind == NAME_CALL ? is_call (args, meeting) : make_message (args, meeting, &name))
    loom_trace_builder_sync_event (chrome->builder, thread, meeting, group, name);
}

gboolean
loom_chrome_sync_events_is_other (LoomChromeImporter *chrome, const LoomEvent *event, guint32 name_id)
{
  return look_up (chrome, event, name_id) == NAME_OTHER;
}

void
loom_chrome_sync_events_add_span (LoomChromeImporter *chrome, const LoomEvent *event, guint32 thread, gint64 start_ns,
                                  gint64 dur_ns, guint32 name_id, LoomRef ref)
{
  NameKind kind = look_up (chrome, event, name_id);
  if (G_LIKELY (kind == NAME_OTHER) || dur_ns < 0 || (loom_source_ref_flags (ref) & LOOM_REF_SUSPECT) != 0)
    return;
  LoomSyncEvent meeting = { .start_ns = start_ns, .end_ns = loom_time_add (start_ns, dur_ns), .ref = ref };
  if (kind >= NAME_DEVICE_WAIT)
    note_device_sync (chrome, event, kind, thread, &meeting);
  else
    note (chrome, event, kind, thread, &meeting);
}

void
loom_chrome_sync_events_add_clock_sync (LoomChromeImporter *chrome, const LoomEvent *event, gint64 time_ns, LoomRef ref)
{
  LoomJsonSlice args = event->member[LOOM_MEMBER_ARGS];
  LoomJsonSlice id = loom_json_slice_member (args, "sync_id"), issued = loom_json_slice_member (args, "issue_ts");
  LoomExactTime issue;
  LoomSyncEvent meeting = { .start_ns = time_ns,
                            .end_ns = time_ns,
                            .ref = ref,
                            .sequence = LOOM_SEQUENCE_NONE,
                            .kind = LOOM_SYNC_EVENT_CLOCK_SYNC };
  if (id.text == NULL)
    return;
  if (issued.text != NULL && loom_parse_time_parse_us (issued.text, issued.length, &issue))
    meeting.start_ns = MIN (time_ns, loom_time_add (issue.ns, chrome->base_ns));
  loom_trace_builder_sync_event (chrome->builder, LOOM_ID_NONE, &meeting, "", loom_chrome_importer_text (chrome, id));
}
