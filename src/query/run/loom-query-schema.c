/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-schema.h: the lists of tables and columns.
 */
#include "loom-query-schema.h"

#include "loom-json-slice.h"

#include <string.h>

#define I LOOM_QUERY_INTEGER
#define R LOOM_QUERY_REAL
#define T LOOM_QUERY_TEXT
#define KEY (LOOM_QUERY_KEY | LOOM_QUERY_ORDERED)

/* The columns of the tables span, overlap, descendants and ancestors. */
#define SPAN_COLUMNS                                                                                                  \
  { "id", I, KEY, FALSE, "", "identifies the span in the run" },                                                      \
    { "name", T, LOOM_QUERY_MATCHED, FALSE, "", "as drawn" },                                                         \
    { "category", T, LOOM_QUERY_MATCHED, TRUE, "", "as the file states it" },                                         \
    { "kind",                                                                                                         \
      T,                                                                                                              \
      LOOM_QUERY_MATCHED,                                                                                             \
      FALSE,                                                                                                          \
      "",                                                                                                             \
      "kind of work on devices: compute, communication, memcpy, memset, other device work; on hosts: operator, "      \
      "collective call, runtime, synchronization, python, data loading, annotation, overhead, other; none: encloses " \
      "or repeats other spans" },                                                                                     \
    { "start", I, LOOM_QUERY_ORDERED, FALSE, "ns", "begin on the timeline" },                                         \
    { "duration", I, LOOM_QUERY_ORDERED, FALSE, "ns", "end minus begin, at least 0" },                                \
    { "self", I, 0, FALSE, "ns", "duration without that of the spans directly inside" },                              \
    { "depth", I, LOOM_QUERY_PLACED, FALSE, "", "number of spans of the track around it" },                           \
    { "track", I, LOOM_QUERY_PLACED, FALSE, "", "track.id" },                                                         \
    { "process", I, LOOM_QUERY_PLACED, FALSE, "", "process.id" },                                                     \
    { "rank", I, LOOM_QUERY_PLACED, TRUE, "", "rank of its track" },                                                  \
    { "parent", I,  LOOM_QUERY_EQUAL | LOOM_QUERY_LINKED,                                                             \
      TRUE,     "", "span.id of the span directly around it; NULL at the top" },                                      \
    { "open", I, 0, FALSE, "", "1: the file has no end of the span; duration is the one drawn" },                     \
  {                                                                                                                   \
    "args", T, 0, TRUE, "", "JSON object, read from the file when it is asked for; NULL: none"                        \
  }

static const LoomQueryColumn span_columns[] = { SPAN_COLUMNS };

static const LoomQueryColumn overlap_columns[] = {
  SPAN_COLUMNS,
  { "range_start", I, LOOM_QUERY_ARGUMENT, FALSE, "ns", "start of the range" },
  { "range_end", I, LOOM_QUERY_ARGUMENT, FALSE, "ns", "end of the range, exclusive" },
};

static const LoomQueryColumn relative_columns[] = {
  SPAN_COLUMNS,
  { "of", I, LOOM_QUERY_ARGUMENT, FALSE, "", "span.id" },
};

static const LoomQueryColumn instant_columns[] = {
  { "id", I, KEY, FALSE, "", "identifies the instant in the run; no span has the same id" },
  { "name", T, LOOM_QUERY_MATCHED, FALSE, "", "as drawn" },
  { "category", T, LOOM_QUERY_MATCHED, TRUE, "", "as the file states it" },
  { "time", I, LOOM_QUERY_ORDERED, FALSE, "ns", "on the timeline" },
  { "track", I, LOOM_QUERY_PLACED, FALSE, "", "track.id" },
  { "process", I, LOOM_QUERY_PLACED, FALSE, "", "process.id" },
  { "rank", I, LOOM_QUERY_PLACED, TRUE, "", "rank of its track" },
  { "scope", T, 0, TRUE, "", "t: thread, p: process, g: all; NULL: not stated" },
  { "args", T, 0, TRUE, "", "JSON object, read from the file when it is asked for; NULL: none" },
};

static const LoomQueryColumn counter_columns[] = {
  { "id", I, KEY, FALSE, "", "identifies the series in the run" },
  { "name", T, 0, FALSE, "", "name of the counter" },
  { "series", T, 0, FALSE, "", "name of the series in the counter" },
  { "category", T, 0, TRUE, "", "as the file states it" },
  { "unit", T, 0, TRUE, "", "unit of the values: %, B/s, …; NULL: not known" },
  { "track", I, 0, FALSE, "", "track.id" },
  { "process", I, 0, FALSE, "", "process.id" },
  { "rank", I, 0, TRUE, "", "rank of its track" },
  { "samples", I, 0, FALSE, "", "number of samples" },
  { "least", R, 0, TRUE, "unit", "smallest value; NULL without samples" },
  { "most", R, 0, TRUE, "unit", "largest value; NULL without samples" },
};

static const LoomQueryColumn sample_columns[] = {
  { "counter", I, LOOM_QUERY_EQUAL, FALSE, "", "counter.id" },
  { "time", I, LOOM_QUERY_ORDERED, FALSE, "ns", "on the timeline" },
  { "value", R, 0, FALSE, "counter.unit", "holds until the next sample" },
};

static const LoomQueryColumn flow_columns[] = {
  { "id", I, KEY, FALSE, "", "identifies the arrow in the run" },
  { "name", T, 0, FALSE, "", "as the file states it" },
  { "category", T, 0, TRUE, "", "as the file states it" },
  { "from_id", I, LOOM_QUERY_EQUAL, FALSE, "", "span.id at which the arrow begins" },
  { "to_id", I, LOOM_QUERY_EQUAL, FALSE, "", "span.id at which it ends" },
  { "from_start", I, 0, FALSE, "ns", "start of the first span" },
  { "to_start", I, 0, FALSE, "ns", "start of the second span" },
};

static const LoomQueryColumn track_columns[] = {
  { "id", I, KEY, FALSE, "", "identifies the track in the run" },
  { "kind", T, 0, FALSE, "", "spans, instants, counter or async" },
  { "name", T, 0, FALSE, "", "label of the thread, or name of the counter or asynchronous track" },
  { "process", I, 0, FALSE, "", "process.id" },
  { "rank", I, 0, TRUE, "", "rank of its process" },
  { "node", T, 0, TRUE, "", "name of the machine" },
  { "source", I, 0, FALSE, "", "source.id" },
  { "clock", I, 0, FALSE, "", "clock.id" },
  { "device", I, 0, FALSE, "", "1: work of an accelerator" },
  { "derived", I, 0, FALSE, "", "1: repeats other tracks, so it must not be added to them" },
  { "events", I, 0, FALSE, "", "number of spans, instants or samples" },
  { "start", I, 0, TRUE, "ns", "first begin; NULL if it is empty" },
  { "duration", I, 0, TRUE, "ns", "from the first begin to the last end; NULL if it is empty" },
  { "busy", I, 0, FALSE, "ns", "time that outermost spans cover" },
  { "sums", I, 0, FALSE, "",
    "1: a thread of an index. Besides steps and waits for data its spans are sums of a name's self time between two "
    "collectives: add up span.self, and don't count" },
};

static const LoomQueryColumn process_columns[] = {
  { "id", I, KEY, FALSE, "", "identifies the process in the run" },
  { "name", T, 0, FALSE, "", "label of the process" },
  { "pid", T, 0, TRUE, "", "as the file writes it" },
  { "rank", I, 0, TRUE, "", "rank in the job" },
  { "node", T, 0, TRUE, "", "name of the machine" },
  { "source", I, 0, FALSE, "", "source.id of its first track" },
};

static const LoomQueryColumn source_columns[] = {
  { "id", I, KEY, FALSE, "", "number of the source, as in “info”" },
  { "path", T, 0, FALSE, "", "path of the file" },
  { "format", T, 0, FALSE, "", "as “info” writes it: kineto, chrome, …" },
  { "node", T, 0, TRUE, "", "name of the machine" },
  { "rank", I, 0, TRUE, "", "rank in the job" },
  { "bytes", I, 0, FALSE, "bytes", "size of the file" },
  { "events", I, 0, FALSE, "", "event objects in the file without metadata" },
  { "spans", I, 0, FALSE, "", "spans drawn" },
  { "instants", I, 0, FALSE, "", "instants drawn" },
  { "start", I, 0, TRUE, "ns", "first begin on the timeline; NULL if it is empty" },
  { "duration", I, 0, TRUE, "ns", "from the first begin to the last end; NULL if it is empty" },
  { "clock", I, 0, FALSE, "", "clock.id" },
  { "incomplete", I, 0, FALSE, "", "1: some of the file could not be read" },
};

static const LoomQueryColumn clock_columns[] = {
  { "id", I, KEY, FALSE, "", "identifies the clock in the run" },
  { "state", T, 0, FALSE, "", "none, approximate, derived, synchronised or exact" },
  { "basis", T, 0, TRUE, "", "how its times are known" },
  { "offset", I, 0, FALSE, "ns", "timeline minus local time at `reference`" },
  { "drift", R, 0, FALSE, "ppb", "parts per 10⁹ that it runs slow against the timeline" },
  { "reference", I, 0, FALSE, "ns", "local time at which `offset` holds" },
  { "user_offset", I, 0, FALSE, "ns", "part of `offset` that the user added" },
  { "residual", I, 0, TRUE, "ns", "median residual of the fit; NULL: no fit is in force" },
  { "pairs", I, 0, FALSE, "", "pairs of events that were compared" },
  { "rejected", I, 0, FALSE, "", "pairs that contradict the others" },
  { "placed", I, 0, FALSE, "", "1: not aligned, placed at the start of the run" },
};

static const LoomQueryColumn step_columns[] = {
  { "id", I, KEY, FALSE, "", "identifies the step in the run" },
  { "number", I, 0, TRUE, "", "as the file states it" },
  { "start", I, 0, FALSE, "ns", "begin on the timeline" },
  { "duration", I, 0, FALSE, "ns", "end minus begin" },
  { "rank", I, 0, TRUE, "", "rank that ran it" },
  { "node", T, 0, TRUE, "", "name of the machine" },
  { "mode", T, 0, FALSE, "", "train, eval, predict or global (not stated)" },
  { "format", T, 0, FALSE, "", "format of its file" },
  { "span", I, 0, TRUE, "", "span.id of the step; NULL if it was inferred" },
};

static const LoomQueryColumn collective_columns[] = {
  { "id", I, KEY, FALSE, "", "identifies the part of one rank in one collective" },
  { "collective", I, 0, FALSE, "", "number of the collective; its ranks have the same number" },
  { "name", T, 0, FALSE, "", "name of the operation" },
  { "group_name", T, 0, TRUE, "", "ranks that take part, as the file names them" },
  { "sequence", I, 0, TRUE, "", "number in the group" },
  { "rank", I, 0, TRUE, "", "rank of this part" },
  { "arrival", I, 0, FALSE, "ns", "start of the rank's part on the timeline" },
  { "wait", I, 0, FALSE, "ns", "until the last rank arrived" },
  { "last_arrival", I, 0, FALSE, "ns", "when the last rank arrived" },
  { "late_by", I, 0, FALSE, "ns", "last arrival minus the arrival before it" },
  { "transfer", I, 0, FALSE, "ns", "median over the ranks of end minus last arrival, at least 0" },
  { "duration", I, 0, FALSE, "ns", "end minus arrival of this rank" },
  { "ranks", I, 0, FALSE, "", "number of ranks that take part" },
  { "bytes", I, 0, TRUE, "bytes", "size that this rank transferred" },
  { "span", I, 0, TRUE, "", "span.id of the rank's part" },
};

static const LoomQueryColumn finding_columns[] = {
  { "id", I, KEY, FALSE, "", "number of the rule" },
  { "rule", T, 0, FALSE, "", "name of the rule" },
  { "status", T, 0, FALSE, "", "fired, passed, not enough data or not applicable" },
  { "severity", T, 0, FALSE, "", "info, warning or severe, if it fires" },
  { "message", T, 0, FALSE, "", "the result in words" },
  { "lost", I, 0, TRUE, "ns", "an estimate of the time lost, for sorting; NULL: unknown" },
  { "start", I, 0, TRUE, "ns", "start of the first place; NULL: no place" },
  { "duration", I, 0, TRUE, "ns", "from the first place to the last; NULL: no place" },
  { "places", I, 0, FALSE, "", "number of places on the timeline" },
  { "rank", I, 0, TRUE, "", "rank of all places; NULL: several or unknown" },
  { "explained", I, 0, TRUE, "ns", "the part of lost that other findings explain; NULL: lost is unknown" },
  { "own_lost", I, 0, TRUE, "ns", "lost minus explained, which the severity counts; NULL: lost is unknown" },
};

static const LoomQueryColumn problem_columns[] = {
  { "id", I, KEY, FALSE, "", "number of the problem" },
  { "source", I, 0, TRUE, "", "source.id; NULL: the file was not loaded" },
  { "path", T, 0, FALSE, "", "path of the file" },
  { "code", T, 0, FALSE, "", "stable word for scripts" },
  { "severity", T, 0, FALSE, "", "info, warning or error" },
  { "count", I, 0, FALSE, "", "number of occurrences" },
  { "offset", I, 0, TRUE, "bytes", "place of the first one in the unpacked text; NULL: no place" },
  { "message", T, 0, FALSE, "", "one sentence about the first one" },
};

static const LoomQueryColumn path_columns[] = {
  { "id", I, 0, FALSE, "", "number of the stretch by time" },
  { "kind", T, 0, FALSE, "",
    "host, data_loading, launch, pause, computation, memory, transfer, communication, synchronization" },
  { "name", T, 0, FALSE, "", "what ran; empty on the host between spans" },
  { "span", I, 0, TRUE, "", "span.id; of a launch or pause the kernel after it; NULL: between spans" },
  { "start", I, 0, FALSE, "ns", "begin on the timeline" },
  { "duration", I, 0, FALSE, "ns", "end minus begin; stretches follow one another without holes" },
  { "rank", I, 0, TRUE, "", "rank of the span" },
  { "range_start", I, LOOM_QUERY_ARGUMENT | LOOM_QUERY_OPTIONAL, FALSE, "ns", "start of the range" },
  { "range_end", I, LOOM_QUERY_ARGUMENT | LOOM_QUERY_OPTIONAL, FALSE, "ns", "end of the range, exclusive" },
};

static const LoomQueryColumn join_columns[] = {
  { "left_id", I, 0, TRUE, "", "id of the interval in the first set" },
  { "right_id", I, 0, TRUE, "", "id of the interval in the second set" },
  { "start", I, 0, FALSE, "ns", "start of what the two have in common" },
  { "duration", I, 0, FALSE, "ns", "of what the two have in common" },
  { "left_set", I, LOOM_QUERY_ARGUMENT, FALSE, "", "first set" },
  { "right_set", I, LOOM_QUERY_ARGUMENT, FALSE, "", "second set" },
};

static const LoomQueryColumn union_columns[] = {
  { "start", I, 0, FALSE, "ns", "start of intervals that overlap or touch" },
  { "duration", I, 0, FALSE, "ns", "until the last of them ends" },
  { "intervals", I, 0, FALSE, "", "number of intervals" },
  { "of_set", I, LOOM_QUERY_ARGUMENT, FALSE, "", "the set" },
};

#define TABLE(word, columns, meaning)                       \
  {                                                         \
    word, columns, G_N_ELEMENTS (columns), 0, meaning, NULL \
  }
#define FUNCTION(word, columns, arguments, meaning, takes)                       \
  {                                                                              \
    word, columns, G_N_ELEMENTS (columns) - arguments, arguments, meaning, takes \
  }

/* All tables and table functions, indexed by LoomQueryTableId. */
static const LoomQueryTable tables[LOOM_N_QUERY_TABLES_AND_FUNCTIONS] = {
  TABLE ("span", span_columns, "events with a duration, asynchronous ones among them"),
  TABLE ("instant", instant_columns, "events without a duration"),
  TABLE ("counter", counter_columns, "series of counters"),
  TABLE ("sample", sample_columns, "values of counters"),
  TABLE ("flow", flow_columns, "arrows from span to span: launches, messages, …"),
  TABLE ("track", track_columns, "threads, streams of devices, counters, asynchronous tracks"),
  TABLE ("process", process_columns, "processes"),
  TABLE ("source", source_columns, "files of the run"),
  TABLE ("clock", clock_columns, "clocks of the files and how they map to the timeline"),
  TABLE ("step", step_columns, "steps of training and evaluation, one row for each rank"),
  TABLE ("collective", collective_columns, "collective operations, one row for each rank that takes part"),
  TABLE ("finding", finding_columns,
         "results of all rules over the whole run, those that come with the program and those of your own"),
  TABLE ("problem", problem_columns, "what could not be read, was repaired or dropped"),
  FUNCTION ("overlap", overlap_columns, 2, "spans that touch [start, end): SELECT … FROM overlap(start, end)",
            "a start and an end, in ns of the timeline"),
  FUNCTION ("descendants", relative_columns, 1, "spans inside a span, without itself: SELECT … FROM descendants(id)",
            "the id of a span"),
  FUNCTION ("ancestors", relative_columns, 1, "spans around a span, without itself: SELECT … FROM ancestors(id)",
            "the id of a span"),
  FUNCTION ("critical_path", path_columns, 2,
            "what the end of the run, or of a range, waited for: SELECT … FROM critical_path(start, end)",
            "a start and an end, in ns of the timeline, or nothing"),
  FUNCTION ("interval_join", join_columns, 2,
            "what intervals of two sets have in common: SELECT … FROM interval_join(set, set)",
            "two sets that interval_set() returned"),
  FUNCTION ("interval_union", union_columns, 1,
            "intervals of a set, those that overlap or touch merged: SELECT … FROM interval_union(set)",
            "a set that interval_set() returned"),
};

const LoomQueryTable *
loom_query_schema_get (LoomQueryTableId id)
{
  g_return_val_if_fail ((guint) id < LOOM_N_QUERY_TABLES_AND_FUNCTIONS, NULL);
  return &tables[id];
}

const LoomQueryColumn *
loom_query_schema_find (const char *table, const char *column)
{
  for (guint t = 0; t < G_N_ELEMENTS (tables); t++)
    for (guint i = 0; strcmp (tables[t].name, table) == 0 && i < tables[t].n_columns + tables[t].n_arguments; i++)
      if (strcmp (tables[t].columns[i].name, column) == 0)
        return &tables[t].columns[i];
  return NULL;
}

gboolean
loom_query_schema_is_instant (const char *name)
{
  static const char *const instants[] = { "start",      "time",     "arrival",     "last_arrival",
                                          "from_start", "to_start", "range_start", "range_end" };
  for (guint i = 0; i < G_N_ELEMENTS (instants); i++)
    if (g_ascii_strcasecmp (name, instants[i]) == 0)
      return TRUE;
  return FALSE;
}

gboolean
loom_query_schema_is_in_ns (const char *name)
{
  if (g_str_has_suffix (name, "_ns"))
    return TRUE;
  for (guint t = 0; t < LOOM_N_QUERY_TABLES; t++) {
    const LoomQueryTable *table = loom_query_schema_get (t);
    for (guint i = 0; i < table->n_columns; i++)
      if (g_ascii_strcasecmp (name, table->columns[i].name) == 0 && strcmp (table->columns[i].unit, "ns") == 0)
        return TRUE;
  }
  return FALSE;
}

const char *
loom_query_schema_type_to_string (LoomQueryType type)
{
  static const char *const words[] = { "INTEGER", "REAL", "TEXT", "NULL" };
  return words[MIN ((guint) type, G_N_ELEMENTS (words) - 1)];
}

static void
describe_column (GString *text, const LoomQueryColumn *column)
{
  g_string_append_printf (text, "  %-12s %-8s %-5s %s%s\n", column->name,
                          loom_query_schema_type_to_string (column->type), column->unit, column->meaning,
                          column->nullable && strstr (column->meaning, "NULL") == NULL ? "; NULL: unknown" : "");
}

char *
loom_query_schema_describe (void)
{
  GString *text = g_string_new ("Times are in ns of the timeline.\n");
  for (guint t = 0; t < G_N_ELEMENTS (tables); t++) {
    const LoomQueryTable *table = &tables[t];
    g_string_append_printf (text, "\n%s: %s\n", table->name, table->meaning);
    gboolean is_span = t >= LOOM_N_QUERY_TABLES && table->n_columns == G_N_ELEMENTS (span_columns);
    for (guint c = 0; !is_span && c < table->n_columns; c++)
      describe_column (text, &table->columns[c]);
    if (is_span)
      g_string_append (text, "  columns as in span\n");
  }
  g_string_append (text,
                   "\narg(id, 'key'): the value of one of the args of a span or instant; NULL: none\n"
                   "interval_set(id, start, duration): an aggregate, a set of intervals for the functions above\n");
  return g_string_free (text, FALSE);
}

static void
append_member (GString *text, const char *before, const char *key, const char *value)
{
  g_string_append_printf (text, "%s\"%s\":", before, key);
  loom_json_slice_append_string (text, value, strlen (value));
}

static void
append_columns (GString *text, const LoomQueryColumn *columns, guint n)
{
  for (guint c = 0; c < n; c++) {
    append_member (text, c > 0 ? ",\n {" : "\n {", "name", columns[c].name);
    append_member (text, ",", "type", loom_query_schema_type_to_string (columns[c].type));
    append_member (text, ",", "unit", columns[c].unit);
    g_string_append_printf (text, ",\"nullable\":%s", columns[c].nullable ? "true" : "false");
    append_member (text, ",", "meaning", columns[c].meaning);
    g_string_append_c (text, '}');
  }
}

char *
loom_query_schema_to_json (void)
{
  GString *text = g_string_new (NULL);
  g_string_printf (text, "{\"version\":%d,\"tables\":[", LOOM_QUERY_SCHEMA_VERSION);
  for (guint t = 0; t < G_N_ELEMENTS (tables); t++) {
    const LoomQueryTable *table = &tables[t];
    append_member (text, t > 0 ? ",\n{" : "\n{", "name", table->name);
    append_member (text, ",", "meaning", table->meaning);
    g_string_append (text, ",\"arguments\":[");
    append_columns (text, table->columns + table->n_columns, table->n_arguments);
    g_string_append (text, "],\"columns\":[");
    append_columns (text, table->columns, table->n_columns);
    g_string_append (text, "]}");
  }
  g_string_append (text, "\n]}\n");
  return g_string_free (text, FALSE);
}
