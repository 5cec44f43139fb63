/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-answer.h"

#include <math.h>
#include <string.h>

/* Up to this, a double represents every integer exactly. */
#define MOST_EXACT (G_GINT64_CONSTANT (1) << 53)

/* Maximum number of bytes of a text that are kept for a cell. */
#define MOST_CELL_BYTES 4096

typedef struct {
  LoomQueryRun *run;
  LoomQuery *query;
  guint n_columns;
  GPtrArray *cells;        /* Value *: row after row */
  gboolean *is_number;     /* for each column: it has only numbers, and a double represents them exactly */
  int id, start, duration; /* columns of the places; −1: none */
} Reader;

typedef struct {
  LoomQueryType type;
  gint64 whole;
  double real;
  char text[]; /* the text; for a number only if it is not shown as a number */
} Value;

/* --- reading --------------------------------------------------------------------------------------------------------- */

static Value *
new_value (Reader *reader, guint column)
{
  LoomQueryType type = loom_query_get_type (reader->query, column);
  gint64 whole = type == LOOM_QUERY_INTEGER ? loom_query_get_int (reader->query, column) : 0;
  double real = type == LOOM_QUERY_REAL ? loom_query_get_real (reader->query, column) : (double) whole;
  gsize length = 0;
  const char *text = type == LOOM_QUERY_NULL ? "" : loom_query_get_text (reader->query, column, &length);
  gsize cut = MIN (length, MOST_CELL_BYTES);
  while (cut < length && cut > 0 && ((guchar) text[cut] & 0xC0) == 0x80)
    cut--;
  Value *value = g_malloc (sizeof *value + cut + 1);
  value->type = type;
  value->whole = whole;
  value->real = real;
  memcpy (value->text, text, cut);
  value->text[cut] = '\0';
  return value;
}

static void
read_row (Reader *reader)
{
  for (guint i = 0; i < reader->n_columns; i++) {
    Value *value = new_value (reader, i);
    g_ptr_array_add (reader->cells, value);
    reader->is_number[i] &= value->type != LOOM_QUERY_TEXT;
  }
}

static int
find_column (const Reader *reader, const char *name)
{
  for (guint i = 0; i < reader->n_columns; i++)
    if (g_ascii_strcasecmp (loom_query_get_column_name (reader->query, i), name) == 0)
      return (int) i;
  return -1;
}

/* Returns FALSE with `error`. `is_cut` becomes TRUE if there are more than `most` rows. */
static gboolean
read_rows (Reader *reader, guint most, gboolean *is_cut, GError **error)
{
  LoomQueryOutcome outcome = loom_query_next (reader->query, error);
  for (guint n = 0; outcome == LOOM_QUERY_ROW && n < most; n++) {
    read_row (reader);
    outcome = loom_query_next (reader->query, error);
  }
  *is_cut = outcome == LOOM_QUERY_ROW;
  return outcome != LOOM_QUERY_FAILED;
}

/* --- the table ------------------------------------------------------------------------------------------------------- */

/* Returns the unit of a column by its name: "time" for instants, "ns" for durations, "" for others. */
static const char *
find_unit (const char *name)
{
  static const char *const instants[] = { "start", "time", "arrival", "last_arrival", "from_start", "to_start" };
  for (guint i = 0; i < G_N_ELEMENTS (instants); i++)
    if (g_ascii_strcasecmp (name, instants[i]) == 0)
      return "time";
  if (g_str_has_suffix (name, "_ns"))
    return "ns";
  for (guint t = 0; t < LOOM_N_QUERY_TABLES; t++) {
    const LoomQueryTable *table = loom_query_schema_get (t);
    for (guint i = 0; i < table->n_columns; i++)
      if (g_ascii_strcasecmp (name, table->columns[i].name) == 0 && strcmp (table->columns[i].unit, "ns") == 0)
        return "ns";
  }
  return "";
}

/* Returns the ns from the origin of the timeline to a time, which a double represents exactly. The time may be a real
 * number, such as a mean. */
static double
since_origin (const Value *value, gint64 origin_ns)
{
  if (value->type == LOOM_QUERY_INTEGER)
    return (double) loom_time_sub (value->whole, origin_ns);
  return fabs (value->real) < 9e18 ? (double) loom_time_sub ((gint64) value->real, origin_ns) : value->real;
}

static void
set_cell (const Reader *reader, LoomResultTable *table, guint column, const Value *value, gint64 origin_ns)
{
  if (!reader->is_number[column])
    loom_result_table_set_text (table, column, value->text);
  else if (value->type == LOOM_QUERY_REAL || value->type == LOOM_QUERY_INTEGER) {
    gboolean is_time = strcmp (find_unit (loom_query_get_column_name (reader->query, column)), "time") == 0;
    loom_result_table_set_number (table, column, is_time ? since_origin (value, origin_ns) : value->real);
  }
}

/* Shows some columns as text: numbers that a double cannot represent exactly, and ids, which must not be rounded to "47.2 G". */
static void
check_numbers (Reader *reader)
{
  for (guint i = 0; i < reader->n_columns; i++)
    if (loom_query_is_event_id (reader->query, i) ||
        g_ascii_strcasecmp (loom_query_get_column_name (reader->query, i), "id") == 0)
      reader->is_number[i] = FALSE;
  for (guint i = 0; i < reader->cells->len; i++) {
    guint column = i % reader->n_columns;
    const Value *value = reader->cells->pdata[i];
    gboolean is_time = strcmp (find_unit (loom_query_get_column_name (reader->query, column)), "time") == 0;
    if (value->type == LOOM_QUERY_INTEGER && !is_time && (value->whole > MOST_EXACT || value->whole < -MOST_EXACT))
      reader->is_number[column] = FALSE;
  }
}

static LoomResultTable *
make_table (Reader *reader)
{
  LoomResultTable *table = loom_result_table_new ("");
  gint64 origin_ns = loom_timeline_get_origin (loom_query_run_get_timeline (reader->run));
  check_numbers (reader);
  for (guint i = 0; i < reader->n_columns; i++) {
    const char *name = loom_query_get_column_name (reader->query, i);
    loom_result_table_add_column (table, name, reader->is_number[i] ? find_unit (name) : NULL, "");
  }
  for (guint i = 0; i < reader->cells->len; i++) {
    if (i % reader->n_columns == 0)
      loom_result_table_add_row (table, NULL);
    set_cell (reader, table, i % reader->n_columns, reader->cells->pdata[i], origin_ns);
  }
  return table;
}

/* --- places ---------------------------------------------------------------------------------------------------------- */

static const Value *
get_integer (const Reader *reader, guint row, int column)
{
  const Value *value = column >= 0 ? reader->cells->pdata[row * reader->n_columns + (guint) column] : NULL;
  return value != NULL && value->type == LOOM_QUERY_INTEGER ? value : NULL;
}

static LoomQueryPlace
find_place (const Reader *reader, guint row)
{
  LoomQueryPlace place = { LOOM_SPAN_ID_NONE, { 0, 0 } };
  const Value *id = get_integer (reader, row, reader->id), *start = get_integer (reader, row, reader->start),
              *duration = get_integer (reader, row, reader->duration);
  if (id == NULL || !loom_query_run_unpack_id (reader->run, id->whole, &place.span))
    place.span = LOOM_SPAN_ID_NONE;
  if (start != NULL && duration != NULL && duration->whole >= 0)
    place.range = (LoomRange) { start->whole, loom_time_add (start->whole, MAX (duration->whole, 1)) };
  return place;
}

/* The first column with ids of spans; −1: none. */
static int
find_ids (const Reader *reader)
{
  for (guint i = 0; i < reader->n_columns; i++)
    if (loom_query_is_event_id (reader->query, i))
      return (int) i;
  return -1;
}

static GArray *
make_places (Reader *reader)
{
  guint n_rows = reader->n_columns > 0 ? reader->cells->len / reader->n_columns : 0;
  reader->id = find_ids (reader);
  reader->start = find_column (reader, "start");
  reader->duration = find_column (reader, "duration");
  if (reader->id < 0 && (reader->start < 0 || reader->duration < 0))
    return NULL;
  GArray *places = g_array_sized_new (FALSE, FALSE, sizeof (LoomQueryPlace), n_rows);
  for (guint i = 0; i < n_rows; i++) {
    LoomQueryPlace place = find_place (reader, i);
    g_array_append_val (places, place);
  }
  return places;
}

/* --- lanes ----------------------------------------------------------------------------------------------------------- */

/* The first column of instants, or of other numbers; G_MAXUINT: none. */
static guint
find_numbers (const LoomResultTable *table, gboolean is_time)
{
  for (guint i = 0; i < table->columns->len; i++)
    if (loom_result_table_is_number (table, i) && !loom_result_table_is_empty_column (table, i) &&
        (strcmp (loom_result_table_get_column (table, i)->unit, "time") == 0) == (is_time != FALSE))
      return i;
  return G_MAXUINT;
}

/* The column "name", or else the first one of texts that are not ids. */
static guint
find_texts (const LoomQueryAnswer *answer)
{
  const LoomResultTable *table = answer->table;
  guint first = G_MAXUINT;
  for (guint i = table->columns->len; i-- > 0;) {
    if (loom_result_table_is_number (table, i) || i == answer->id_column)
      continue;
    first = i;
    if (g_ascii_strcasecmp (loom_result_table_get_column (table, i)->title, "name") == 0)
      return i;
  }
  return first;
}

gboolean
loom_query_answer_is_lane (const LoomQueryAnswer *answer)
{
  return answer->table->n_rows > 0 && (answer->places != NULL || (find_numbers (answer->table, TRUE) != G_MAXUINT &&
                                                                  find_numbers (answer->table, FALSE) != G_MAXUINT));
}

/* Adds a bar for each row. Returns the number of rows that have no place on the timeline. */
static guint
add_bars (const LoomQueryAnswer *answer, LoomResultLane *lane)
{
  guint text = find_texts (answer), n_left = 0;
  for (guint i = 0; i < answer->table->n_rows; i++) {
    LoomRange range = answer->places[i].range;
    LoomSpanId span = answer->places[i].span;
    if (!loom_timeline_span_id_is_none (span)) {
      loom_timeline_get_span (answer->timeline, span, &range.begin_ns, &range.end_ns);
      range.end_ns = MAX (range.end_ns, loom_time_add (range.begin_ns, 1));
    }
    if (range.begin_ns < range.end_ns)
      loom_result_lane_add_bar (lane, range, span,
                                text != G_MAXUINT ? loom_result_table_get_text (answer->table, i, text) : "");
    else
      n_left++;
  }
  return n_left;
}

/* Adds a sample for each row. Returns the number of rows without a time. */
static guint
add_samples (const LoomQueryAnswer *answer, LoomResultLane *lane, guint time, guint value)
{
  gint64 origin_ns = loom_timeline_get_origin (answer->timeline);
  guint n_left = 0;
  for (guint i = 0; i < answer->table->n_rows; i++) {
    double since_ns = loom_result_table_get_number (answer->table, i, time);
    if (fabs (since_ns) < 9e18) /* FALSE for NaN, too */
      loom_result_lane_add_sample (lane, loom_time_add (origin_ns, (gint64) since_ns),
                                   loom_result_table_get_number (answer->table, i, value));
    else
      n_left++;
  }
  return n_left;
}

LoomResultLane *
loom_query_answer_make_lane (const LoomQueryAnswer *answer)
{
  if (!loom_query_answer_is_lane (answer))
    return NULL;
  guint time = find_numbers (answer->table, TRUE), value = find_numbers (answer->table, FALSE);
  gboolean is_counter = answer->places == NULL;
  LoomResultLane *lane =
    loom_result_lane_new (is_counter ? loom_result_table_get_column (answer->table, value)->title : "");
  guint n_left = is_counter ? add_samples (answer, lane, time, value) : add_bars (answer, lane);
  if (loom_result_lane_is_empty (lane)) {
    loom_result_lane_unref (lane);
    return NULL;
  }
  loom_result_lane_set_cut (lane, answer->is_cut);
  loom_result_lane_set_left (lane, n_left);
  loom_result_lane_end (lane);
  return lane;
}

/* --- the object ------------------------------------------------------------------------------------------------------ */

static gboolean
bind (LoomQuery *query, const char *const *defaults, GError **error)
{
  for (guint i = 0; defaults != NULL && defaults[i] != NULL && defaults[i + 1] != NULL; i += 2)
    if (!loom_query_bind (query, defaults[i], defaults[i + 1], error))
      return FALSE;
  return TRUE;
}

static LoomQueryAnswer *
make_answer (Reader *reader, gboolean is_cut)
{
  LoomQueryAnswer *self = g_new0 (LoomQueryAnswer, 1);
  g_atomic_ref_count_init (&self->refs);
  self->timeline = loom_timeline_ref (loom_query_run_get_timeline (reader->run));
  self->table = make_table (reader);
  self->all_places = make_places (reader);
  self->places = self->all_places != NULL ? (const LoomQueryPlace *) (gpointer) self->all_places->data : NULL;
  self->is_cut = is_cut;
  self->id_column = reader->id >= 0 ? (guint) reader->id : G_MAXUINT;
  return self;
}

LoomQueryAnswer *
loom_query_answer_new (LoomQueryRun *run, const char *sql, const char *const *defaults, guint most,
                       GCancellable *cancellable, GError **error)
{
  gboolean is_cut;
  g_autoptr (LoomQuery) query = loom_query_new (run, sql, 0, cancellable, error);
  if (query == NULL || !bind (query, defaults, error))
    return NULL;
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  Reader reader = { run, query, loom_query_get_n_columns (query), cells, NULL, -1, -1, -1 };
  g_autofree gboolean *is_number = g_new (gboolean, reader.n_columns + 1);
  reader.is_number = is_number;
  for (guint i = 0; i < reader.n_columns; i++)
    is_number[i] = TRUE;
  return read_rows (&reader, most, &is_cut, error) ? make_answer (&reader, is_cut) : NULL;
}

LoomQueryAnswer *
loom_query_answer_ref (LoomQueryAnswer *answer)
{
  g_atomic_ref_count_inc (&answer->refs);
  return answer;
}

void
loom_query_answer_unref (LoomQueryAnswer *answer)
{
  if (answer == NULL || !g_atomic_ref_count_dec (&answer->refs))
    return;
  loom_result_table_unref (answer->table);
  g_clear_pointer (&answer->all_places, g_array_unref);
  loom_timeline_unref (answer->timeline);
  g_free (answer);
}
