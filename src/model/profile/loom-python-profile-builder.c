/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a Python profile. Each text is stored only once, so equal texts have equal addresses. Therefore a function is
 * found by the addresses of its texts.
 */
#include "loom-python-profile-builder.h"

#include "loom-int64-hash.h"
#include "loom-python-profile.h"

#include <string.h>

#define TEXT_BLOCK_BYTES 2048

typedef struct {
  const char *file, *name;
  gint64 line;
} Key;

struct _LoomPythonProfileBuilder {
  LoomPythonProfile *profile;
  GHashTable *keys; /* key of a function → index of the function, plus 1 */
  GArray *calls;    /* LoomPythonProfileCall, in the order in which they were added */
};

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;
  return (g_direct_hash (key->file) * 31u + g_direct_hash (key->name)) * 31u + (guint) key->line;
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  const Key *first = a, *second = b;
  return first->file == second->file && first->name == second->name && first->line == second->line;
}

LoomPythonProfileBuilder *
loom_python_profile_builder_new (LoomPythonProfileKind kind)
{
  LoomPythonProfileBuilder *builder = g_new0 (LoomPythonProfileBuilder, 1);
  LoomPythonProfile *profile = g_new0 (LoomPythonProfile, 1);
  g_atomic_ref_count_init (&profile->refs);
  profile->kind = kind;
  profile->start = profile->end = LOOM_PYTHON_PROFILE_POINT_NONE;
  profile->rank = -1;
  profile->n_samples = -1;
  profile->texts = g_string_chunk_new (TEXT_BLOCK_BYTES);
  profile->functions = g_array_new (FALSE, FALSE, sizeof (LoomPythonProfileFunction));
  profile->callers = g_array_new (FALSE, FALSE, sizeof (LoomPythonProfileCall));
  profile->callees = g_array_new (FALSE, FALSE, sizeof (LoomPythonProfileCall));
  profile->frames = g_array_new (FALSE, FALSE, sizeof (LoomPythonProfileFrame));
  builder->profile = profile;
  builder->keys = g_hash_table_new_full (hash_key, equal_keys, g_free, NULL);
  builder->calls = g_array_new (FALSE, FALSE, sizeof (LoomPythonProfileCall));
  return builder;
}

void
loom_python_profile_builder_free (LoomPythonProfileBuilder *builder)
{
  if (builder == NULL)
    return;
  loom_python_profile_unref (builder->profile);
  g_hash_table_unref (builder->keys);
  g_array_unref (builder->calls);
  g_free (builder);
}

void
loom_python_profile_builder_set_timer (LoomPythonProfileBuilder *builder, LoomPythonProfileTimer timer)
{
  builder->profile->timer = timer;
}

void
loom_python_profile_builder_set_interval (LoomPythonProfileBuilder *builder, LoomPythonProfilePoint start,
                                          LoomPythonProfilePoint end)
{
  builder->profile->start = start;
  builder->profile->end = end;
}

void
loom_python_profile_builder_set_place (LoomPythonProfileBuilder *builder, const char *framework, const char *node,
                                       gint rank)
{
  g_free (builder->profile->framework);
  g_free (builder->profile->node);
  builder->profile->framework = g_strdup (framework);
  builder->profile->node = g_strdup (node);
  builder->profile->rank = rank;
}

void
loom_python_profile_builder_set_n_samples (LoomPythonProfileBuilder *builder, gint64 n_samples)
{
  builder->profile->n_samples = n_samples;
}

/* --- functions and calls ------------------------------------------------------------------------------------------ */

static const char *
keep_text (LoomPythonProfileBuilder *builder, const char *text, gsize length)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) length);
  return g_string_chunk_insert_const (builder->profile->texts, valid);
}

guint32
loom_python_profile_builder_function (LoomPythonProfileBuilder *builder, const char *file, gsize file_length,
                                      gint64 line, const char *name, gsize name_length)
{
  GArray *functions = builder->profile->functions;
  Key key = { keep_text (builder, file, file_length), keep_text (builder, name, name_length), line };
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (builder->keys, &key));
  if (known != 0)
    return known - 1;
  if (functions->len >= LOOM_PYTHON_PROFILE_MAX_FUNCTIONS)
    return G_MAXUINT32;
  LoomPythonProfileFunction function = { .file = key.file, .name = key.name, .line = line };
  g_array_append_val (functions, function);
  g_hash_table_insert (builder->keys, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (functions->len));
  return functions->len - 1;
}

LoomPythonProfileFunction *
loom_python_profile_builder_get_function (LoomPythonProfileBuilder *builder, guint32 function)
{
  g_return_val_if_fail (function < builder->profile->functions->len, NULL);
  return &g_array_index (builder->profile->functions, LoomPythonProfileFunction, function);
}

guint32
loom_python_profile_builder_get_n_functions (LoomPythonProfileBuilder *builder)
{
  return builder->profile->functions->len;
}

gboolean
loom_python_profile_builder_call (LoomPythonProfileBuilder *builder, const LoomPythonProfileCall *call)
{
  if (builder->calls->len >= LOOM_PYTHON_PROFILE_MAX_CALLS)
    return FALSE;
  g_array_append_vals (builder->calls, call, 1);
  return TRUE;
}

/* --- making the call tree ----------------------------------------------------------------------------------------- */

guint32
loom_python_profile_builder_frame (LoomPythonProfileBuilder *builder, guint32 parent, guint32 function, gint64 start_ns,
                                   gint64 dur_ns)
{
  GArray *frames = builder->profile->frames;
  g_return_val_if_fail (parent == LOOM_FRAME_NONE || parent < frames->len, LOOM_FRAME_NONE);
  if (frames->len >= LOOM_PYTHON_PROFILE_MAX_FRAMES)
    return LOOM_FRAME_NONE;
  guint32 depth = parent == LOOM_FRAME_NONE ? 0 : g_array_index (frames, LoomPythonProfileFrame, parent).depth + 1;
  LoomPythonProfileFrame frame = { parent, function, depth, start_ns, dur_ns, 0 };
  g_array_append_val (frames, frame);
  return frames->len - 1;
}

void
loom_python_profile_builder_set_frame (LoomPythonProfileBuilder *builder, guint32 frame, guint32 function,
                                       gint64 dur_ns)
{
  g_return_if_fail (frame < builder->profile->frames->len && function < builder->profile->functions->len);
  LoomPythonProfileFrame *entry = &g_array_index (builder->profile->frames, LoomPythonProfileFrame, frame);
  entry->function = function;
  entry->dur_ns = dur_ns;
}

/* Computes the own time of each frame: its duration minus the durations of its children. In profiles of the kind
 * LOOM_PYTHON_PROFILE_REPORT, also sets the start of each frame: the children of a frame are placed one after another,
 * beginning at the start of the frame. */
static void
lay_out (LoomPythonProfile *profile)
{
  LoomPythonProfileFrame *frames = (LoomPythonProfileFrame *) (gpointer) profile->frames->data;
  g_autofree gint64 *next_ns =
    /* array indexed by frame: start of the frame's next child; the last element is the start of the next root */
    g_new0 (gint64, profile->frames->len + 1);
  for (guint32 i = 0; i < profile->frames->len; i++) {
    LoomPythonProfileFrame *frame = &frames[i],
                           *parent = frame->parent != LOOM_FRAME_NONE ? &frames[frame->parent] : NULL;
    gint64 *place = &next_ns[parent != NULL ? frame->parent : profile->frames->len];
    if (profile->kind != LOOM_PYTHON_PROFILE_SESSION) {
      frame->start_ns = *place;
      if (parent != NULL)
        frame->dur_ns = MIN (frame->dur_ns, loom_time_sub (parent->start_ns + parent->dur_ns, frame->start_ns));
      *place = loom_time_add (frame->start_ns, frame->dur_ns);
      next_ns[i] = frame->start_ns;
    }
    if (parent != NULL)
      parent->own_ns = MAX (0, parent->own_ns - frame->dur_ns);
    /* reduced later in this loop by the durations of the children, which come after their parent */
    frame->own_ns = frame->dur_ns;
  }
}

typedef struct {
  GHashTable *by_pair; /* caller << 32 | callee → index of the call, plus 1 */
  GArray *calls;       /* LoomPythonProfileCall: the calls that were found so far */
  GArray *active;      /* guint32 elements, indexed by call: how often the call occurs in `path` */
  guint32 *on_path;    /* array indexed by function: how often the function occurs in `path` */
  /* the current frame and the frames above it, outermost first, as pairs of guint32: function, and index of the call +
   * 1 */
  GArray *path;
} Fold;

static guint32
find_call (Fold *fold, guint32 caller, guint32 callee)
{
  gint64 key = (gint64) ((guint64) caller << 32 | callee);
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (fold->by_pair, &key));
  if (known != 0)
    return known - 1;
  LoomPythonProfileCall call = { caller, callee, LOOM_CALLS_UNKNOWN, LOOM_CALLS_UNKNOWN, 0, 0 };
  guint32 none = 0;
  g_array_append_val (fold->calls, call);
  g_array_append_val (fold->active, none);
  g_hash_table_insert (fold->by_pair, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (fold->calls->len));
  return fold->calls->len - 1;
}

static void
leave_to_depth (Fold *fold, guint32 depth)
{
  while (fold->path->len > 2 * depth) {
    guint32 function = g_array_index (fold->path, guint32, fold->path->len - 2);
    guint32 call = g_array_index (fold->path, guint32, fold->path->len - 1);
    fold->on_path[function]--;
    if (call > 0)
      g_array_index (fold->active, guint32, call - 1)--;
    g_array_set_size (fold->path, fold->path->len - 2);
  }
}

static void
fold_frame (Fold *fold, LoomPythonProfile *profile, const LoomPythonProfileFrame *frame)
{
  LoomPythonProfileFunction *function = &g_array_index (profile->functions, LoomPythonProfileFunction, frame->function);
  guint32 call = 0;
  leave_to_depth (fold, frame->depth);
  function->own_ns = loom_time_add (function->own_ns, frame->own_ns);
  if (fold->on_path[frame->function]++ == 0)
    function->cumulative_ns = loom_time_add (function->cumulative_ns, frame->dur_ns);
  if (frame->depth > 0) {
    guint32 caller = g_array_index (fold->path, guint32, fold->path->len - 2);
    call = find_call (fold, caller, frame->function) + 1;
    LoomPythonProfileCall *entry = &g_array_index (fold->calls, LoomPythonProfileCall, call - 1);
    entry->own_ns = loom_time_add (entry->own_ns, frame->own_ns);
    if (g_array_index (fold->active, guint32, call - 1)++ == 0)
      entry->cumulative_ns = loom_time_add (entry->cumulative_ns, frame->dur_ns);
  }
  g_array_append_val (fold->path, frame->function);
  g_array_append_val (fold->path, call);
}

/* Computes the times of functions and the list of calls from the call tree. */
static void
fold_tree (LoomPythonProfileBuilder *builder)
{
  LoomPythonProfile *profile = builder->profile;
  Fold fold = { g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL), builder->calls,
                g_array_new (FALSE, FALSE, sizeof (guint32)), g_new0 (guint32, profile->functions->len + 1),
                g_array_new (FALSE, FALSE, sizeof (guint32)) };
  for (guint32 i = 0; i < profile->functions->len; i++) {
    LoomPythonProfileFunction *function = &g_array_index (profile->functions, LoomPythonProfileFunction, i);
    function->calls = function->primitive_calls = LOOM_CALLS_UNKNOWN;
    function->own_ns = function->cumulative_ns = 0;
  }
  g_array_set_size (builder->calls, 0);
  for (guint32 i = 0; i < profile->frames->len; i++)
    fold_frame (&fold, profile, &g_array_index (profile->frames, LoomPythonProfileFrame, i));
  g_hash_table_unref (fold.by_pair);
  g_array_unref (fold.active);
  g_free (fold.on_path);
  g_array_unref (fold.path);
}

/* --- finishing the profile ---------------------------------------------------------------------------------------- */

static gint
compare_callers (gconstpointer a, gconstpointer b)
{
  const LoomPythonProfileCall *first = a, *second = b;
  if (first->callee != second->callee)
    return first->callee < second->callee ? -1 : 1;
  return first->caller < second->caller ? -1 : first->caller > second->caller;
}

static gint
compare_callees (gconstpointer a, gconstpointer b)
{
  const LoomPythonProfileCall *first = a, *second = b;
  return first->caller != second->caller ? (first->caller < second->caller ? -1 : 1) : compare_callers (a, b);
}

/* Returns the sum of two numbers; `unknown` if one of them is unknown. */
static gint64
add_known (gint64 a, gint64 b, gint64 unknown)
{
  return a == unknown || b == unknown ? unknown : loom_time_add (a, b);
}

static void
join_calls (LoomPythonProfileBuilder *builder)
{
  GArray *calls = builder->calls, *joined = builder->profile->callers;
  g_array_sort (calls, compare_callers);
  for (guint i = 0; i < calls->len; i++) {
    const LoomPythonProfileCall *call = &g_array_index (calls, LoomPythonProfileCall, i);
    LoomPythonProfileCall *last =
      joined->len > 0 ? &g_array_index (joined, LoomPythonProfileCall, joined->len - 1) : NULL;
    if (last == NULL || compare_callers (last, call) != 0) {
      g_array_append_vals (joined, call, 1);
      continue;
    }
    last->calls = add_known (last->calls, call->calls, LOOM_CALLS_UNKNOWN);
    last->primitive_calls = add_known (last->primitive_calls, call->primitive_calls, LOOM_CALLS_UNKNOWN);
    last->own_ns = add_known (last->own_ns, call->own_ns, LOOM_TIME_NONE);
    last->cumulative_ns = add_known (last->cumulative_ns, call->cumulative_ns, LOOM_TIME_NONE);
  }
  if (joined->len > 0)
    g_array_append_vals (builder->profile->callees, joined->data, joined->len);
  g_array_sort (builder->profile->callees, compare_callees);
}

/* Returns an array `first` by which the calls of each function f are found: their indices in `calls` are first[f] to
 * first[f + 1] − 1. The calls of f are those whose caller is f or, if `by_callee` is TRUE, whose callee is f. `calls`
 * must be sorted by caller or, if `by_callee` is TRUE, by callee. Owned by the caller. */
static guint32 *
index_calls (const GArray *calls, guint32 n_functions, gboolean by_callee)
{
  guint32 *first = g_new0 (guint32, (gsize) n_functions + 1);
  for (guint i = 0; i < calls->len; i++) {
    const LoomPythonProfileCall *call = &g_array_index (calls, LoomPythonProfileCall, i);
    first[(by_callee ? call->callee : call->caller) + 1]++;
  }
  for (guint32 f = 0; f < n_functions; f++)
    first[f + 1] += first[f];
  return first;
}

static void
add_totals (LoomPythonProfile *profile)
{
  profile->n_calls = profile->kind == LOOM_PYTHON_PROFILE_CPROFILE ? 0 : LOOM_CALLS_UNKNOWN;
  for (guint32 i = 0; i < profile->functions->len; i++) {
    const LoomPythonProfileFunction *function = &g_array_index (profile->functions, LoomPythonProfileFunction, i);
    profile->total_ns = loom_time_add (profile->total_ns, function->own_ns);
    profile->n_calls = add_known (profile->n_calls, function->calls, LOOM_CALLS_UNKNOWN);
  }
}

LoomPythonProfile *
loom_python_profile_builder_finish (LoomPythonProfileBuilder *builder)
{
  LoomPythonProfile *profile = builder->profile;
  if (profile->kind != LOOM_PYTHON_PROFILE_CPROFILE) {
    lay_out (profile);
    fold_tree (builder);
  }
  join_calls (builder);
  profile->first_caller = index_calls (profile->callers, profile->functions->len, TRUE);
  profile->first_callee = index_calls (profile->callees, profile->functions->len, FALSE);
  add_totals (profile);
  builder->profile = NULL;
  loom_python_profile_builder_free (builder);
  return profile;
}
