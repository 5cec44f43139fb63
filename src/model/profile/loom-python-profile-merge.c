/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up several profiles. Functions are equal if file, line and name are equal; frames of trees are equal if their
 * paths are equal.
 */
#include "loom-int64-hash.h"
#include "loom-python-profile-builder.h"
#include "loom-python-profile.h"

#include <string.h>

gboolean
loom_python_profile_can_add (const LoomPythonProfile *a, const LoomPythonProfile *b)
{
  return a->timer == b->timer && (a->kind == LOOM_PYTHON_PROFILE_CPROFILE) == (b->kind == LOOM_PYTHON_PROFILE_CPROFILE);
}

/* Returns the flags that a function has in the sum of two profiles: LOOM_FUNCTION_CALLER if both profiles give it this
 * flag, and any other flag if at least one of them does. */
static guint
join_flags (guint a, guint b)
{
  return ((a | b) & ~(guint) LOOM_FUNCTION_CALLER) | (a & b & LOOM_FUNCTION_CALLER);
}

/* Adds the functions of a profile to the sum. Returns an array that maps the index of a function in the profile to its
 * index in the sum. Owned by the caller. */
static guint32 *
add_functions (LoomPythonProfileBuilder *builder, const LoomPythonProfile *profile)
{
  guint32 *numbers = g_new (guint32, profile->functions->len + 1);
  for (guint32 i = 0; i < profile->functions->len; i++) {
    const LoomPythonProfileFunction *from = &g_array_index (profile->functions, LoomPythonProfileFunction, i);
    guint32 n_before = loom_python_profile_builder_get_n_functions (builder);
    numbers[i] = loom_python_profile_builder_function (builder, from->file, strlen (from->file), from->line, from->name,
                                                       strlen (from->name));
    if (numbers[i] == G_MAXUINT32)
      continue;
    LoomPythonProfileFunction *to = loom_python_profile_builder_get_function (builder, numbers[i]);
    to->flags = numbers[i] < n_before ? join_flags (to->flags, from->flags) : from->flags;
    to->calls = loom_time_add (to->calls, from->calls);
    to->primitive_calls = loom_time_add (to->primitive_calls, from->primitive_calls);
    to->own_ns = loom_time_add (to->own_ns, from->own_ns);
    to->cumulative_ns = loom_time_add (to->cumulative_ns, from->cumulative_ns);
  }
  return numbers;
}

static void
add_calls (LoomPythonProfileBuilder *builder, const LoomPythonProfile *profile, const guint32 *numbers)
{
  for (guint i = 0; i < profile->callers->len; i++) {
    LoomPythonProfileCall call = g_array_index (profile->callers, LoomPythonProfileCall, i);
    call.caller = numbers[call.caller];
    call.callee = numbers[call.callee];
    if (call.caller != G_MAXUINT32 && call.callee != G_MAXUINT32)
      loom_python_profile_builder_call (builder, &call);
  }
}

/* --- joining the call trees of several profiles ------------------------------------------------------------------- */

/* A node of the call tree that is joined from the trees of several profiles. Children are found by parent and function;
 * they are listed in the order in which they appear first. */
typedef struct {
  guint32 function;
  /* indices in Tree.joints of the first and the last child and of the next sibling; LOOM_FRAME_NONE: there is none */
  guint32 first_child, last_child, next;
  gint64 dur_ns;
} Joint;

typedef struct {
  GArray *joints;      /* Joint elements; element 0 is not a frame, but the parent of all roots */
  GHashTable *by_pair; /* parent << 32 | function → index in `joints` */
} Tree;

static guint32
find_child (Tree *tree, guint32 parent, guint32 function)
{
  gint64 key = (gint64) ((guint64) parent << 32 | function);
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (tree->by_pair, &key));
  if (known != 0)
    return known;
  Joint joint = { function, LOOM_FRAME_NONE, LOOM_FRAME_NONE, LOOM_FRAME_NONE, 0 };
  guint32 number = tree->joints->len;
  g_array_append_val (tree->joints, joint);
  Joint *above = &g_array_index (tree->joints, Joint, parent);
  if (above->first_child == LOOM_FRAME_NONE)
    above->first_child = number;
  else
    g_array_index (tree->joints, Joint, above->last_child).next = number;
  above->last_child = number;
  g_hash_table_insert (tree->by_pair, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (number));
  return number;
}

static void
add_tree (Tree *tree, const LoomPythonProfile *profile, const guint32 *numbers)
{
  g_autofree guint32 *places = g_new (guint32, profile->frames->len + 1);
  for (guint32 i = 0; i < profile->frames->len; i++) {
    const LoomPythonProfileFrame *frame = &g_array_index (profile->frames, LoomPythonProfileFrame, i);
    guint32 parent = frame->parent == LOOM_FRAME_NONE ? 0 : places[frame->parent];
    places[i] = find_child (tree, parent, numbers[frame->function]);
    Joint *joint = &g_array_index (tree->joints, Joint, places[i]);
    joint->dur_ns = loom_time_add (joint->dur_ns, frame->dur_ns);
  }
}

/* Writes the nodes as frames in pre-order. Does not use recursion: children are pushed on a stack, the last one
 * first. */
static void
write_tree (Tree *tree, LoomPythonProfileBuilder *builder)
{
  /* nodes still to write: index of the node << 32 | index of the written frame of its parent */
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 top = LOOM_FRAME_NONE; /* node 0 is not a frame; its children are roots */
  g_array_append_val (stack, top);
  while (stack->len > 0) {
    guint64 item = g_array_index (stack, guint64, stack->len - 1);
    const Joint *joint = &g_array_index (tree->joints, Joint, item >> 32);
    guint32 frame = LOOM_FRAME_NONE;
    g_array_set_size (stack, stack->len - 1);
    if (item >> 32 != 0 && joint->function != G_MAXUINT32)
      frame = loom_python_profile_builder_frame (builder, (guint32) item, joint->function, 0, joint->dur_ns);
    guint first = stack->len;
    for (guint32 child = joint->first_child; child != LOOM_FRAME_NONE;
         child = g_array_index (tree->joints, Joint, child).next) {
      guint64 next = (guint64) child << 32 | frame;
      g_array_append_val (stack, next);
    }
    for (guint i = first, k = stack->len; i + 1 < k; i++, k--) {
      guint64 *a = &g_array_index (stack, guint64, i), *b = &g_array_index (stack, guint64, k - 1), swap = *a;
      *a = *b;
      *b = swap;
    }
  }
}

static void
join_trees (LoomPythonProfileBuilder *builder, LoomPythonProfile *const *profiles, guint n, guint32 *const *numbers)
{
  Joint top = { G_MAXUINT32, LOOM_FRAME_NONE, LOOM_FRAME_NONE, LOOM_FRAME_NONE, 0 };
  Tree tree = { g_array_new (FALSE, FALSE, sizeof (Joint)),
                g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL) };
  g_array_append_val (tree.joints, top);
  for (guint i = 0; i < n; i++)
    add_tree (&tree, profiles[i], numbers[i]);
  write_tree (&tree, builder);
  g_array_unref (tree.joints);
  g_hash_table_unref (tree.by_pair);
}

/* --- sum of several profiles -------------------------------------------------------------------------------------- */

/* Sets node, framework and rank of the sum if they are equal in all profiles. */
static void
set_place (LoomPythonProfileBuilder *builder, LoomPythonProfile *const *profiles, guint n)
{
  const LoomPythonProfile *first = profiles[0];
  const char *node = first->node, *framework = first->framework;
  gint rank = first->rank;
  LoomPythonProfilePoint start = first->start, end = first->end;
  gint64 n_samples = 0;
  for (guint i = 0; i < n; i++) {
    const LoomPythonProfile *profile = profiles[i];
    node = g_strcmp0 (profile->node, node) == 0 ? node : NULL;
    framework = g_strcmp0 (profile->framework, framework) == 0 ? framework : NULL;
    rank = profile->rank == rank ? rank : -1;
    if (profile->start.time_ns < start.time_ns)
      start = profile->start;
    if (profile->end.time_ns > end.time_ns)
      end = profile->end;
    n_samples = n_samples < 0 || profile->n_samples < 0 ? -1 : n_samples + profile->n_samples;
  }
  loom_python_profile_builder_set_place (builder, framework, node, rank);
  loom_python_profile_builder_set_interval (builder, start, end);
  loom_python_profile_builder_set_n_samples (builder, n_samples);
}

LoomPythonProfile *
loom_python_profile_sum (LoomPythonProfile *const *profiles, guint n)
{
  g_return_val_if_fail (n > 0, NULL);
  for (guint i = 1; i < n; i++)
    if (!loom_python_profile_can_add (profiles[0], profiles[i]))
      return NULL;
  if (n == 1)
    return loom_python_profile_ref (profiles[0]);
  gboolean counted = profiles[0]->kind == LOOM_PYTHON_PROFILE_CPROFILE;
  LoomPythonProfileBuilder *builder =
    loom_python_profile_builder_new (counted ? LOOM_PYTHON_PROFILE_CPROFILE : LOOM_PYTHON_PROFILE_REPORT);
  g_autoptr (GPtrArray) numbers = g_ptr_array_new_with_free_func (g_free);
  loom_python_profile_builder_set_timer (builder, profiles[0]->timer);
  set_place (builder, profiles, n);
  for (guint i = 0; i < n; i++) {
    g_ptr_array_add (numbers, add_functions (builder, profiles[i]));
    if (counted)
      add_calls (builder, profiles[i], g_ptr_array_index (numbers, i));
  }
  if (!counted)
    join_trees (builder, profiles, n, (guint32 *const *) numbers->pdata);
  return loom_python_profile_builder_finish (builder);
}
