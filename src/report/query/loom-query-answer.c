/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the rows of a query's result. Finds the unit of each column, and the place of each row on the timeline. Makes a
 * lane of the timeline (LoomResultLane) that shows the rows.
 */
#include "loom-query-answer.h"

#include <math.h>
#include <string.h>

/* Largest integer up to which a double represents all integers exactly. */
#define MOST_EXACT (G_GINT64_CONSTANT (1) << 53)

/* Maximum rounding error, in ns, of a time since 1970 that a query computes as a double, for example as a mean of
 * times. */
#define LOST_NS 1000.0

/* Maximum number of bytes of a text that are kept for a cell. */
#define MOST_CELL_BYTES 4096

typedef struct {
  LoomQueryRun *run;
  LoomQuery *query;
  guint n_columns;
  GPtrArray *cells;    /* Value *: the cells of the result, row after row */
  gboolean *is_number; /* array indexed by column: TRUE if all cells are numbers that a double represents exactly */
  const char **units;  /* array indexed by column: unit of the column, as in LoomResultTableColumn */
  /* indices of the columns "id", "start" and "duration", from which the place of a row on the timeline is read; −1: the
   * result has no such column */
  int id, start, duration;
} Reader;

typedef struct {
  LoomQueryType type;
  gint64 whole;
  double real;
  char text[]; /* the value as text, cut to MOST_CELL_BYTES bytes; "" for NULL */
} Value;

/* --- reading ------------------------------------------------------------------------------------------------------ */

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

/* Reads at most `most` rows of the query. Sets `is_cut` to TRUE if the query has more rows. Returns FALSE with
 * `error`. */
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

/* --- table of the rows -------------------------------------------------------------------------------------------- */

static gboolean
is_time (const Reader *reader, guint column)
{
  return strcmp (reader->units[column], "time") == 0;
}

/* Returns TRUE if all numbers of the column are times within the run, and too large to be durations. Returns FALSE for
 * every column if the times of the run count from its start and not from 1970, because times and durations then have
 * similar magnitudes. */
static gboolean
is_within_run (const Reader *reader, guint column, LoomRange run)
{
  guint n = 0;
  for (guint i = column; i < reader->cells->len; i += reader->n_columns) {
    const Value *value = reader->cells->pdata[i];
    if (value->type == LOOM_QUERY_NULL)
      continue;
    if (!(value->real >= (double) run.begin_ns - LOST_NS && value->real <= (double) run.end_ns + LOST_NS))
      return FALSE;
    n++;
  }
  return n > 0 && run.begin_ns > loom_time_sub (run.end_ns, run.begin_ns) + (gint64) LOST_NS;
}

/* Returns TRUE if a computed column contains instants, according to its values. The name alone is not sufficient:
 * "sum(duration) AS time" contains no instants, but "min(start) AS first" does. In a run without a date, times are
 * small numbers that may also be something else; the column must then also have the name of a column of instants. */
static gboolean
is_computed_instant (const Reader *reader, guint column)
{
  LoomRange run;
  return reader->is_number[column] && loom_timeline_get_extent (loom_query_run_get_timeline (reader->run), &run) &&
         (run.begin_ns > MOST_EXACT ||
          loom_query_schema_is_instant (loom_query_get_column_name (reader->query, column))) &&
         is_within_run (reader, column, run);
}

/* Returns the unit of a column: "time" for instants, "ns" for durations, "B" for bytes, "" for all other columns. */
static const char *
find_unit (const Reader *reader, guint column)
{
  const LoomQueryColumn *origin = loom_query_get_origin (reader->query, column);
  if (origin == NULL)
    return is_computed_instant (reader, column)                                              ? "time"
           : loom_query_schema_is_in_ns (loom_query_get_column_name (reader->query, column)) ? "ns"
                                                                                             : "";
  if (strcmp (origin->unit, "bytes") == 0)
    return "B";
  if (strcmp (origin->unit, "ns") != 0)
    return "";
  return loom_query_schema_is_instant (origin->name) ? "time" : "ns";
}

/* Returns the difference between a time and `zero_ns`, in ns. A double can represent this difference exactly even if it
 * cannot represent the time itself. The time may be a real number, such as a mean. */
static double
since_zero (const Value *value, gint64 zero_ns)
{
  if (value->type == LOOM_QUERY_INTEGER)
    return (double) loom_time_sub (value->whole, zero_ns);
  return fabs (value->real) < 9e18 ? (double) loom_time_sub ((gint64) value->real, zero_ns) : value->real;
}

static void
set_cell (const Reader *reader, LoomResultTable *table, guint column, const Value *value, gint64 zero_ns)
{
  if (!reader->is_number[column])
    loom_result_table_set_text (table, column, value->text);
  else if (value->type == LOOM_QUERY_REAL || value->type == LOOM_QUERY_INTEGER)
    loom_result_table_set_number (table, column, is_time (reader, column) ? since_zero (value, zero_ns) : value->real);
}

/* Finds the columns of numbers that must be shown as text: columns with numbers that a double cannot represent exactly,
 * and columns of ids, because an id must not be shown as "47.2 G". */
static void
check_numbers (Reader *reader)
{
  for (guint i = 0; i < reader->n_columns; i++)
    if (loom_query_is_event_id (reader->query, i) ||
        g_ascii_strcasecmp (loom_query_get_column_name (reader->query, i), "id") == 0)
      reader->is_number[i] = FALSE;
  for (guint i = 0; i < reader->n_columns; i++)
    reader->units[i] = find_unit (reader, i);
  for (guint i = 0; i < reader->cells->len; i++) {
    guint column = i % reader->n_columns;
    const Value *value = reader->cells->pdata[i];
    if (value->type == LOOM_QUERY_INTEGER && !is_time (reader, column) &&
        (value->whole > MOST_EXACT || value->whole < -MOST_EXACT))
      reader->is_number[column] = FALSE;
  }
}

/* Returns the title of the next column. If an earlier column has the same name, a number is appended, because charts
 * identify columns by their titles. */
static char *
dup_title (const Reader *reader, const LoomResultTable *table)
{
  char *title = g_strdup (loom_query_get_column_name (reader->query, table->columns->len));
  for (guint number = 2, i = 0; i < table->columns->len; i++) {
    if (!g_str_equal (loom_result_table_get_column (table, i)->title, title))
      continue;
    g_free (title);
    title = g_strdup_printf ("%s (%u)", loom_query_get_column_name (reader->query, table->columns->len), number++);
    i = G_MAXUINT; /* start again, because another column may already have the title with this number */
  }
  return title;
}

static LoomResultTable *
make_table (Reader *reader, gint64 zero_ns)
{
  LoomResultTable *table = loom_result_table_new ("");
  check_numbers (reader);
  for (guint i = 0; i < reader->n_columns; i++) {
    g_autofree char *title = dup_title (reader, table);
    loom_result_table_add_column (table, title, reader->is_number[i] ? reader->units[i] : NULL, "");
  }
  for (guint i = 0; i < reader->cells->len; i++) {
    if (i % reader->n_columns == 0)
      loom_result_table_add_row (table, NULL);
    set_cell (reader, table, i % reader->n_columns, reader->cells->pdata[i], zero_ns);
  }
  return table;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

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

/* Returns the index of the first column with this name that may contain times; −1 if there is no such column. Computed
 * columns may contain times. Of the other columns, only columns of instants count if `is_instant` is TRUE, and only
 * columns of durations if it is FALSE. */
static int
find_column (const Reader *reader, const char *name, gboolean is_instant)
{
  for (guint i = 0; i < reader->n_columns; i++)
    if (g_ascii_strcasecmp (loom_query_get_column_name (reader->query, i), name) == 0 &&
        (loom_query_get_origin (reader->query, i) == NULL ||
         strcmp (find_unit (reader, i), is_instant ? "time" : "ns") == 0))
      return (int) i;
  return -1;
}

/* Returns the index of the first column that contains ids of spans; −1 if there is no such column. */
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
  reader->start = find_column (reader, "start", TRUE);
  reader->duration = find_column (reader, "duration", FALSE);
  if (reader->id < 0 && (reader->start < 0 || reader->duration < 0))
    return NULL;
  GArray *places = g_array_sized_new (FALSE, FALSE, sizeof (LoomQueryPlace), n_rows);
  for (guint i = 0; i < n_rows; i++) {
    LoomQueryPlace place = find_place (reader, i);
    g_array_append_val (places, place);
  }
  return places;
}

/* Returns the index of the column of texts with the name "series"; G_MAXUINT if there is no such column. */
static guint
find_series (const LoomQueryAnswer *answer)
{
  for (guint i = 0; i < answer->table->columns->len; i++)
    if (!loom_result_table_is_number (answer->table, i) &&
        g_ascii_strcasecmp (loom_result_table_get_column (answer->table, i)->title, "series") == 0)
      return i;
  return G_MAXUINT;
}

static gboolean
is_filled_number (const LoomResultTable *table, guint column)
{
  return loom_result_table_is_number (table, column) && !loom_result_table_is_empty_column (table, column);
}

/* --- lanes -------------------------------------------------------------------------------------------------------- */

/* Returns the index of the first column of numbers that are not times; G_MAXUINT if there is no such column. */
static guint
find_numbers (const LoomQueryAnswer *answer)
{
  for (guint i = 0; i < answer->table->columns->len; i++)
    if (i != answer->time_column && is_filled_number (answer->table, i) &&
        strcmp (loom_result_table_get_column (answer->table, i)->unit, "time") != 0)
      return i;
  return G_MAXUINT;
}

/* Returns the index of the column of texts with the name "name". If there is none, returns the index of the first
 * column of texts that are not ids. If there is none either, returns G_MAXUINT. */
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
  return answer->table->n_rows > 0 &&
         (answer->places != NULL || (answer->time_column != G_MAXUINT && find_numbers (answer) != G_MAXUINT));
}

/* Adds a bar to `lane` for each row of the answer. Returns the number of rows that have no place on the timeline. */
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

/* Adds a sample to `lane` for each row. The series of the sample is given by the text in the column "series". Returns
 * the number of rows without a time. */
static guint
add_samples (const LoomQueryAnswer *answer, LoomResultLane *lane, guint value)
{
  guint time = answer->time_column, series = find_series (answer);
  gboolean is_time = strcmp (loom_result_table_get_column (answer->table, time)->unit, "time") == 0;
  gint64 zero_ns = is_time ? answer->zero_ns : 0;
  guint n_left = 0;
  for (guint i = 0; i < answer->table->n_rows; i++) {
    double since_ns = loom_result_table_get_number (answer->table, i, time);
    if (fabs (since_ns) < 9e18) /* also FALSE for NaN, so that rows without a time are counted */
      loom_result_lane_add_sample (
        lane, series != G_MAXUINT ? loom_result_table_get_text (answer->table, i, series) : "",
        loom_time_add (zero_ns, (gint64) since_ns), loom_result_table_get_number (answer->table, i, value));
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
  gboolean is_counter = answer->places == NULL;
  const LoomResultTableColumn *value =
    is_counter ? loom_result_table_get_column (answer->table, find_numbers (answer)) : NULL;
  LoomResultLane *lane = loom_result_lane_new (is_counter ? value->title : "", is_counter ? value->unit : "");
  guint n_left = is_counter ? add_samples (answer, lane, find_numbers (answer)) : add_bars (answer, lane);
  if (loom_result_lane_is_empty (lane)) {
    loom_result_lane_unref (lane);
    return NULL;
  }
  loom_result_lane_set_cut (lane, answer->is_cut);
  loom_result_lane_set_left (lane, n_left);
  loom_result_lane_end (lane);
  return lane;
}

/* Returns the index of the first column of instants. If there is none, returns the index of the first computed column
 * that has the name of a column of instants. In a run without a date, such a column may also contain durations, but no
 * other column is more likely to contain times. Returns G_MAXUINT if there is no such column either. */
static guint
find_times (const Reader *reader, const LoomResultTable *table)
{
  guint named = G_MAXUINT;
  for (guint i = 0; i < reader->n_columns; i++) {
    if (!is_filled_number (table, i))
      continue;
    if (is_time (reader, i))
      return i;
    if (named == G_MAXUINT && loom_query_get_origin (reader->query, i) == NULL &&
        loom_query_schema_is_instant (loom_query_get_column_name (reader->query, i)))
      named = i;
  }
  return named;
}

/* --- creating and freeing an answer ------------------------------------------------------------------------------- */

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
  self->zero_ns = loom_timeline_get_origin (self->timeline);
  self->table = make_table (reader, self->zero_ns);
  self->all_places = make_places (reader);
  self->places = self->all_places != NULL ? (const LoomQueryPlace *) (gpointer) self->all_places->data : NULL;
  self->time_column = find_times (reader, self->table);
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
  Reader reader = { run, query, loom_query_get_n_columns (query), cells, NULL, NULL, -1, -1, -1 };
  g_autofree gboolean *is_number = g_new (gboolean, reader.n_columns + 1);
  g_autofree const char **units = g_new0 (const char *, reader.n_columns + 1);
  reader.is_number = is_number;
  reader.units = units;
  for (guint i = 0; i < reader.n_columns; i++)
    is_number[i] = TRUE;
  return read_rows (&reader, most, &is_cut, error) ? make_answer (&reader, is_cut) : NULL;
}

void
loom_query_answer_set_zero (LoomQueryAnswer *answer, gint64 zero_ns)
{
  if (answer->zero_ns == zero_ns)
    return;
  loom_result_table_move_times (answer->table, (double) loom_time_sub (answer->zero_ns, zero_ns));
  answer->zero_ns = zero_ns;
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
