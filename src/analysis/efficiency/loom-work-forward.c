/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-work-forward.h"

#include "loom-backward-links.h"
#include "loom-operator-inputs.h"
#include "loom-operator-pass.h"

/* maximum number of spans to examine, from a call outwards, to find the node of the backward pass around the call */
#define MOST_DEPTH 16
#define MOST_DIMENSIONS 8 /* maximum number of dimensions of a matrix */

typedef struct {
  LoomWorkReader *reader;
  const LoomTrace *trace;
  const LoomOperatorFormula *const *formulas;
  const guint8 *wanted;
  GHashTable *works;    /* span + 1 of a call whose shapes are recorded → index of its work in reader->works */
  GHashTable *forwards; /* span + 1 of a node of the backward pass → span + 1 of the operator of the forward pass */
} Search;

/* --- the gradient of a product ------------------------------------------------------------------------------------ */

/* Reads the sizes of one tensor, such as "[141, 512]", and moves `*at` behind the text that was read. Returns the
 * number of sizes; 0: there is no tensor, or it has too many sizes. */
static guint
read_sizes (const char **at, guint64 sizes[MOST_DIMENSIONS])
{
  guint n = 0;
  if (**at != '[')
    return 0;
  while (**at != '\0' && **at != ']') {
    char *end;
    guint64 size = g_ascii_strtoull (++*at, &end, 10);
    if (end == *at || n == MOST_DIMENSIONS)
      return 0;
    sizes[n++] = size;
    *at = end;
  }
  *at += strspn (*at, "], ");
  return n;
}

static guint
get_n_bytes (LoomFloatType type)
{
  switch (type) {
  case LOOM_FLOAT_TYPE_8: return 1;
  case LOOM_FLOAT_TYPE_16: return 2;
  case LOOM_FLOAT_TYPE_64: return 8;
  default: return 4;
  }
}

/* Sets `work` to the work of each gradient of a matrix product. `shape`: the sizes of the two matrices, as
 * loom_operator_work_compute() writes them. Returns FALSE if the sizes are neither those of one product nor those of a
 * batch of products. */
static gboolean
compute_gradient (const char *shape, LoomOperatorWork *work)
{
  guint64 a[MOST_DIMENSIONS], b[MOST_DIMENSIONS], rows = 1;
  guint n_a = read_sizes (&shape, a), n_b = read_sizes (&shape, b);
  if (n_a < 2 || n_b < 2 || *shape != '\0' || (n_b != 2 && n_b != n_a))
    return FALSE;
  guint64 inner = a[n_a - 1], columns = b[n_b - 2] == inner ? b[n_b - 1] : b[n_b - 2], groups = 1;
  for (guint i = 0; i + 1 < n_a; i++)
    rows = loom_operator_inputs_multiply (rows, a[i]);
  for (guint i = 0; i + 2 < n_b; i++)
    groups = loom_operator_inputs_multiply (groups, b[i]);
  guint64 n_out = loom_operator_inputs_multiply (rows, columns), n_left = loom_operator_inputs_multiply (rows, inner),
          n_right = loom_operator_inputs_multiply (groups, loom_operator_inputs_multiply (inner, columns));
  work->flop = loom_operator_inputs_multiply (2, loom_operator_inputs_multiply (n_out, inner));
  work->bytes = loom_operator_inputs_multiply (
    loom_operator_inputs_add (n_out, loom_operator_inputs_add (n_left, n_right)), get_n_bytes (work->type));
  return work->flop > 0 && work->flop != G_MAXUINT64 && work->bytes != G_MAXUINT64;
}

/* Returns the index (in reader->works) of the work of a gradient of `product`. Adds this work if it is new. Returns 0
 * if the work is unknown. */
static guint32
find_gradient (Search *search, guint32 product, const char *name)
{
  LoomWorkReader *reader = search->reader;
  LoomReadWork own = g_array_index (reader->works, LoomReadWork, product);
  g_autoptr (GString) shape = g_string_new (loom_string_pool_get (reader->texts, own.shape));
  if (own.kind != LOOM_OPERATOR_KIND_PRODUCT || !compute_gradient (shape->str, &own.work))
    return 0;
  g_string_append (shape, " (gradient)");
  g_autofree char *type = g_strdup (loom_string_pool_get (reader->texts, own.type));
  return loom_work_reader_intern (reader, name, own.kind, &own.work, shape, type);
}

/* --- calls of the backward pass ----------------------------------------------------------------------------------- */

/* If a call of the backward pass computes a gradient of a product of the forward pass, returns the index of the product
 * in reader->works. Otherwise returns 0. `span`: the call. */
static guint32
find_product (const Search *search, guint32 span)
{
  for (guint i = 0; i < MOST_DEPTH && span != G_MAXUINT32; i++) {
    gpointer forward = g_hash_table_lookup (search->forwards, GUINT_TO_POINTER (span + 1));
    if (forward != NULL)
      return GPOINTER_TO_UINT (g_hash_table_lookup (search->works, forward));
    span = loom_trace_get_parent (search->trace, span);
  }
  return 0;
}

static void
add_call (Search *search, GArray *works, guint32 span)
{
  guint32 name_id = loom_trace_get_spans (search->trace)->name_id[span];
  const LoomOperatorFormula *formula = search->formulas[name_id];
  if (formula == NULL || !search->wanted[name_id] ||
      loom_operator_work_get_kind (formula) != LOOM_OPERATOR_KIND_PRODUCT ||
      g_hash_table_contains (search->works, GUINT_TO_POINTER (span + 1)))
    return;
  guint32 product = find_product (search, span);
  guint32 gradient =
    product > 0 ? find_gradient (search, product, loom_trace_get_name (search->trace, name_id)->text) : 0;
  if (gradient > 0)
    g_array_append_val (works, ((LoomSpanShape) { span, gradient }));
}

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  guint32 x = ((const LoomSpanShape *) a)->span, y = ((const LoomSpanShape *) b)->span;
  return (x > y) - (x < y);
}

static void
fill_tables (Search *search, const GArray *works, const GArray *links)
{
  for (guint i = 0; i < works->len; i++) {
    const LoomSpanShape *own = &g_array_index (works, LoomSpanShape, i);
    g_hash_table_insert (search->works, GUINT_TO_POINTER (own->span + 1), GUINT_TO_POINTER (own->shape));
  }
  for (guint i = 0; i < links->len; i++) {
    const LoomBackwardLink *link = &g_array_index (links, LoomBackwardLink, i);
    g_hash_table_insert (search->forwards, GUINT_TO_POINTER (link->backward + 1), GUINT_TO_POINTER (link->forward + 1));
  }
}

gboolean
loom_work_forward_add (LoomWorkReader *reader, GArray *works, LoomTimeline *timeline, guint number, LoomRange range,
                       const LoomOperatorFormula *const *formulas, const guint8 *wanted, GCancellable *cancellable)
{
  g_autoptr (GArray) links = loom_backward_links_find (timeline, number, range, cancellable);
  if (links == NULL)
    return FALSE;
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL), forwards = g_hash_table_new (NULL, NULL);
  Search search = { .reader = reader,
                    .trace = loom_run_get_trace (loom_timeline_get_run (timeline), number),
                    .formulas = formulas,
                    .wanted = wanted,
                    .works = known,
                    .forwards = forwards };
  fill_tables (&search, works, links);
  guint32 n = links->len > 0 ? loom_trace_get_spans (search.trace)->n : 0;
  for (guint32 span = 0; span < n; span++)
    add_call (&search, works, span);
  g_array_sort (works, compare_spans);
  return !g_cancellable_is_cancelled (cancellable);
}
