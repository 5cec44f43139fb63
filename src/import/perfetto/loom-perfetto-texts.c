/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores the texts of a Perfetto trace to which packets refer by number. The interface is described in
 * loom-perfetto-texts.h.
 */
#include "loom-perfetto-texts.h"

#include "loom-json-slice.h"
#include "loom-limits.h"
#include "loom-perfetto-ids.h"

#include <string.h>

/* Texts for numbers below MOST_DENSE are stored in an array with the number as index, if enough of its elements are
 * used. */
#define MOST_DENSE 65536
#define LEAST_DENSE 32

/* A text, and the place in the file from which on a number refers to this text. */
typedef struct {
  guint64 place;
  const char *text; /* the text, encoded as JSON without quotes; stored in LoomPerfettoTexts.chunk */
  gsize length;     /* length of `text` in bytes */
} Meaning;

typedef struct {
  Meaning first;
  /* array of Meaning: the texts that replaced `first` from some place in the file on, in ascending order of
   * Meaning.place; NULL: `first` was never replaced */
  GArray *later;
} Text;

typedef struct {
  Text **dense[LOOM_PERFETTO_N_TEXT_KINDS]; /* array indexed by number: the text of the number; NULL: the number has no
                                             * text */
  guint n_dense[LOOM_PERFETTO_N_TEXT_KINDS], n_texts;
  GHashTable *texts; /* number and kind → Text, for numbers that are not in `dense` */
} Generation;

struct _LoomPerfettoTexts {
  /* Generation pointers, indexed by the number of the generation (a period between two packets that clear the state of
   * a sequence); an element is NULL until the generation gets its first text */
  GPtrArray *generations;
  GStringChunk *chunk;
  GString *scratch;
  gboolean has_mark;
  guint32 n_changed; /* see loom_perfetto_texts_get_n_changed() */
};

static void
free_text (gpointer data)
{
  Text *text = data;
  if (text->later != NULL)
    g_array_unref (text->later);
  g_free (text);
}

static void
free_generation (gpointer data)
{
  Generation *generation = data;
  if (generation == NULL)
    return;
  for (guint i = 0; i < LOOM_PERFETTO_N_TEXT_KINDS; i++)
    g_free (generation->dense[i]);
  g_hash_table_unref (generation->texts);
  g_free (generation);
}

LoomPerfettoTexts *
loom_perfetto_texts_new (void)
{
  LoomPerfettoTexts *self = g_new0 (LoomPerfettoTexts, 1);
  self->generations = g_ptr_array_new_with_free_func (free_generation);
  self->chunk = g_string_chunk_new (64 * 1024);
  self->scratch = g_string_new (NULL);
  return self;
}

void
loom_perfetto_texts_free (LoomPerfettoTexts *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->generations);
  g_string_chunk_free (self->chunk);
  g_string_free (self->scratch, TRUE);
  g_free (self);
}

guint32
loom_perfetto_texts_add_generation (LoomPerfettoTexts *self)
{
  /* NULL: the generation is allocated when it gets its first text, because many generations have no texts */
  g_ptr_array_add (self->generations, NULL);
  return self->generations->len - 1;
}

/* Stores a text that is encoded as JSON without quotes. Returns a Meaning: from `place` on, a number has this text. */
static Meaning
keep (LoomPerfettoTexts *self, guint64 place, const char *text, gsize length)
{
  g_string_truncate (self->scratch, 0);
  loom_json_slice_append_string (self->scratch, text, MIN (length, LOOM_LIMIT_NAME_BYTES));
  g_string_truncate (self->scratch, self->scratch->len - 1);
  return (Meaning) { place, g_string_chunk_insert_const (self->chunk, self->scratch->str + 1),
                     strlen (self->scratch->str + 1) };
}

static const Meaning *
get_last (const Text *text)
{
  return text->later != NULL ? &g_array_index (text->later, Meaning, text->later->len - 1) : &text->first;
}

static Generation *
hold_generation (LoomPerfettoTexts *self, guint32 number)
{
  Generation *generation = self->generations->pdata[number];
  if (generation == NULL) {
    generation = g_new0 (Generation, 1);
    generation->texts = loom_perfetto_ids_new (free_text);
    self->generations->pdata[number] = generation;
  }
  return generation;
}

static inline Text *
find_text (const Generation *generation, LoomPerfettoTextKind kind, guint64 number)
{
  if (G_UNLIKELY (generation == NULL))
    return NULL;
  if (G_LIKELY (number < generation->n_dense[kind]))
    return generation->dense[kind][number];
  return loom_perfetto_ids_find (generation->texts, number, kind, 0);
}

/* Extends the array `dense` of a kind so that it has an element for the number. */
static void
grow_dense (Generation *generation, LoomPerfettoTextKind kind, guint64 number)
{
  guint n_before = generation->n_dense[kind], n = MAX (n_before, LEAST_DENSE);
  while (n <= number)
    n *= 2;
  generation->dense[kind] = g_renew (Text *, generation->dense[kind], n);
  generation->n_dense[kind] = n;
  for (guint i = n_before; i < n; i++)
    generation->dense[kind][i] = loom_perfetto_ids_find (generation->texts, i, kind, 0);
}

static Text *
add_text (Generation *generation, LoomPerfettoTextKind kind, guint64 number)
{
  Text *text = g_new0 (Text, 1);
  loom_perfetto_ids_insert (generation->texts, number, kind, 0, text);
  generation->n_texts++;
  if (number >= generation->n_dense[kind] && number < MOST_DENSE &&
      (number < LEAST_DENSE || number < generation->n_texts * 4))
    grow_dense (generation, kind, number);
  if (number < generation->n_dense[kind])
    generation->dense[kind][number] = text;
  return text;
}

void
loom_perfetto_texts_add (LoomPerfettoTexts *self, guint32 generation, LoomPerfettoTextKind kind, guint64 number,
                         guint64 place, const char *text, gsize length)
{
  Generation *texts = hold_generation (self, generation);
  Meaning meaning = keep (self, place, text, length);
  Text *known = find_text (texts, kind, number);
  self->has_mark |= kind == LOOM_PERFETTO_TEXT_ARG_NAME && strcmp (meaning.text, LOOM_PERFETTO_TEXTS_MARK) == 0;
  if (known == NULL) {
    add_text (texts, kind, number)->first = meaning;
  } else if (get_last (known)->text != meaning.text) {
    if (known->later == NULL)
      known->later = g_array_new (FALSE, FALSE, sizeof (Meaning));
    g_array_append_val (known->later, meaning);
    self->n_changed++;
  }
}

gboolean
loom_perfetto_texts_has_mark (const LoomPerfettoTexts *self)
{
  return self->has_mark;
}

guint32
loom_perfetto_texts_get_n_changed (const LoomPerfettoTexts *self)
{
  return self->n_changed;
}

/* Returns the meaning that a number has at a place (see loom-perfetto-packets.h), that is, the last meaning set at or
 * before this place. NULL: the number has no meaning there yet. */
static inline const Meaning *
find_meaning (const Text *text, guint64 place)
{
  guint low = 0, high = text->later != NULL ? text->later->len : 0;
  while (low < high) {
    guint middle = (low + high) / 2;
    if (g_array_index (text->later, Meaning, middle).place <= place)
      low = middle + 1;
    else
      high = middle;
  }
  if (low > 0)
    return &g_array_index (text->later, Meaning, low - 1);
  return text->first.place <= place ? &text->first : NULL;
}

static inline const Meaning *
look_up (const LoomPerfettoTexts *self, guint32 generation, LoomPerfettoTextKind kind, guint64 number, guint64 place)
{
  const Text *text = find_text (self->generations->pdata[generation], kind, number);
  return text != NULL ? find_meaning (text, place) : NULL;
}

const char *
loom_perfetto_texts_get (const LoomPerfettoTexts *self, guint32 generation, LoomPerfettoTextKind kind, guint64 number,
                         guint64 place)
{
  const Meaning *meaning = look_up (self, generation, kind, number, place);
  return meaning != NULL ? meaning->text : NULL;
}

gboolean
loom_perfetto_texts_get_length (const LoomPerfettoTexts *self, guint32 generation, LoomPerfettoTextKind kind,
                                guint64 number, guint64 place, gsize *length)
{
  const Meaning *meaning = look_up (self, generation, kind, number, place);
  if (meaning == NULL)
    return FALSE;
  *length = meaning->length;
  return TRUE;
}
