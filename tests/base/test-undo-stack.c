/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the undo stack: undo and redo of steps of several kinds, changes that are joined to one step, and the dropping
 * of old steps.
 */
#include "loom-undo-stack.h"

typedef struct {
  int number;
  char letter;
} World;

static guint n_freed;

static void
free_state (gpointer state)
{
  n_freed++;
  g_free (state);
}

static void
apply_number (gconstpointer state, gpointer world)
{
  ((World *) world)->number = *(const int *) state;
}

static void
apply_letter (gconstpointer state, gpointer world)
{
  ((World *) world)->letter = *(const char *) state;
}

static const LoomUndoKind numbers = { apply_number, free_state, FALSE }, letters = { apply_letter, free_state, TRUE };

static void
set_number (LoomUndoStack *undo, World *world, int number, gboolean joins)
{
  int before = world->number;
  world->number = number;
  loom_undo_stack_push (undo, &numbers, "number", g_memdup2 (&before, sizeof before),
                        g_memdup2 (&number, sizeof number), joins);
}

static void
set_letter (LoomUndoStack *undo, World *world, char letter)
{
  char before = world->letter;
  world->letter = letter;
  loom_undo_stack_push (undo, &letters, "letter", g_memdup2 (&before, 1), g_memdup2 (&letter, 1), TRUE);
}

static void
test_kinds (void)
{
  World world = { 0, 'a' };
  g_autoptr (LoomUndoStack) undo = loom_undo_stack_new (&world);
  g_assert_false (loom_undo_stack_back (undo));
  g_assert_null (loom_undo_stack_get_back (undo));
  set_number (undo, &world, 1, FALSE);
  set_letter (undo, &world, 'b');
  set_number (undo, &world, 2, FALSE);
  g_assert_true (loom_undo_stack_back (undo));
  g_assert_cmpint (world.number, ==, 1);
  g_assert_cmpstr (loom_undo_stack_get_back (undo), ==, "letter");
  g_assert_cmpstr (loom_undo_stack_get_forward (undo), ==, "number");
  g_assert_true (loom_undo_stack_back (undo));
  g_assert_cmpint (world.letter, ==, 'a');
  g_assert_true (loom_undo_stack_forward (undo));
  g_assert_cmpint (world.letter, ==, 'b');
  set_number (undo, &world, 7, FALSE); /* a new step clears the steps that were undone */
  g_assert_false (loom_undo_stack_forward (undo));
  g_assert_true (loom_undo_stack_back (undo));
  g_assert_cmpint (world.number, ==, 1);
}

static void
test_joins (void)
{
  World world = { 0, 'a' };
  g_autoptr (LoomUndoStack) undo = loom_undo_stack_new (&world);
  for (int i = 1; i < 10; i++)
    set_number (undo, &world, i, TRUE);
  loom_undo_stack_seal (undo);
  set_number (undo, &world, 20, TRUE);
  set_number (undo, &world, 21, TRUE);
  set_letter (undo, &world, 'b');
  /* not joined to the previous step of this kind, because a step of another kind is between them */
  set_number (undo, &world, 22, TRUE);
  loom_undo_stack_back (undo);
  g_assert_cmpint (world.number, ==, 21);
  loom_undo_stack_back (undo);
  loom_undo_stack_back (undo);
  g_assert_cmpint (world.number, ==, 9);
  loom_undo_stack_forward (undo);
  g_assert_cmpint (world.number, ==, 21);
  loom_undo_stack_back (undo);
  set_number (undo, &world, 30, TRUE); /* does not join a step that was undone */
  loom_undo_stack_back (undo);
  g_assert_cmpint (world.number, ==, 9);
}

static void
test_forgets (void)
{
  World world = { 0, 'a' };
  LoomUndoStack *undo = loom_undo_stack_new (&world);
  n_freed = 0;
  for (int i = 1; i <= LOOM_UNDO_STACK_MOST + 5; i++)
    set_number (undo, &world, i, FALSE);
  g_assert_cmpuint (n_freed, ==, 10);
  while (loom_undo_stack_back (undo))
    ;
  g_assert_cmpint (world.number, ==, 5);
  loom_undo_stack_clear (undo);
  g_assert_false (loom_undo_stack_forward (undo));
  g_assert_cmpuint (n_freed, ==, 2 * (LOOM_UNDO_STACK_MOST + 5));
  loom_undo_stack_free (undo);
}

/* Steps of the kind "letter" are transient: they never push other steps off the stack, however many there are. */
static void
test_passes (void)
{
  World world = { 0, 'a' };
  g_autoptr (LoomUndoStack) undo = loom_undo_stack_new (&world);
  set_number (undo, &world, 1, FALSE);
  for (int i = 0; i < 2 * LOOM_UNDO_STACK_MOST; i++) {
    loom_undo_stack_seal (undo);
    set_letter (undo, &world, (char) ('b' + i % 20));
  }
  for (guint i = 0; i < LOOM_UNDO_STACK_MOST - 1; i++)
    g_assert_true (loom_undo_stack_back (undo));
  g_assert_cmpstr (loom_undo_stack_get_back (undo), ==, "number");
  g_assert_true (loom_undo_stack_back (undo));
  g_assert_cmpint (world.number, ==, 0);
  g_assert_false (loom_undo_stack_back (undo));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/undo/kinds", test_kinds);
  g_test_add_func ("/undo/joins", test_joins);
  g_test_add_func ("/undo/forgets", test_forgets);
  g_test_add_func ("/undo/passes", test_passes);
  return g_test_run ();
}
