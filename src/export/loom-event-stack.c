/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-stack.h"

#include "loom-trace-event-writer.h"

#include <string.h>

gboolean
loom_event_stack_find (const LoomEvent *event, LoomEventStack *stack)
{
  const struct {
    const char *key;
    LoomJsonSlice *slot;
  } members[] = {
    { "\"sf\"", &stack->frame[LOOM_EVENT_STACK_BEGIN] },
    { "\"stack\"", &stack->list[LOOM_EVENT_STACK_BEGIN] },
    { "\"esf\"", &stack->frame[LOOM_EVENT_STACK_END] },
    { "\"estack\"", &stack->list[LOOM_EVENT_STACK_END] },
  };
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  gboolean found = FALSE;
  *stack = (LoomEventStack) { 0 };
  if (!loom_json_slice_iter_init (&iter, event->text))
    return FALSE;
  while (loom_json_slice_iter_next (&iter, &key, &value))
    for (guint i = 0; i < G_N_ELEMENTS (members); i++)
      if (loom_json_slice_equal (key, members[i].key)) {
        *members[i].slot = value;
        found = TRUE;
      }
  return found;
}

void
loom_event_stack_take_end (LoomEventStack *stack, const LoomEventStack *end)
{
  if (end->frame[LOOM_EVENT_STACK_BEGIN].text == NULL && end->list[LOOM_EVENT_STACK_BEGIN].text == NULL)
    return;
  stack->frame[LOOM_EVENT_STACK_END] = end->frame[LOOM_EVENT_STACK_BEGIN];
  stack->list[LOOM_EVENT_STACK_END] = end->list[LOOM_EVENT_STACK_BEGIN];
}

guint32
loom_event_stack_find_frame (const LoomEvent *event, LoomJsonSlice id, const LoomStackFrames *stacks)
{
  g_autofree char *scope = loom_json_slice_dup_plain (event->member[LOOM_MEMBER_PID]),
                  *text = loom_json_slice_dup_plain (id);
  return *text != '\0' ? loom_stack_frames_find (stacks, scope, text) : LOOM_STACK_FRAMES_NONE;
}

static void
add_frames (GPtrArray *names, const LoomEvent *event, LoomJsonSlice id, const LoomStackFrames *stacks)
{
  g_autofree char *scope = loom_json_slice_dup_plain (event->member[LOOM_MEMBER_PID]),
                  *text = loom_json_slice_dup_plain (id);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  loom_stack_frames_resolve (stacks, scope, text, numbers);
  for (guint i = 0; i < numbers->len; i++)
    g_ptr_array_add (names, g_strdup (loom_stack_frames_get (stacks, g_array_index (numbers, guint32, i)).name));
}

static void
add_list (GPtrArray *names, LoomJsonSlice list)
{
  LoomJsonIter iter;
  LoomJsonSlice none, name;
  if (*list.text != '[' || !loom_json_slice_iter_init (&iter, list))
    return;
  while (names->len < LOOM_STACK_FRAMES_MAX_DEPTH && loom_json_slice_iter_next (&iter, &none, &name))
    g_ptr_array_add (names, loom_json_slice_dup_plain (name));
}

GPtrArray *
loom_event_stack_dup_names (const LoomEventStack *stack, LoomEventStackSide side, const LoomEvent *event,
                            const LoomStackFrames *stacks)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  if (stacks != NULL && stack->frame[side].text != NULL)
    add_frames (names, event, stack->frame[side], stacks);
  if (names->len == 0 && stack->list[side].text != NULL)
    add_list (names, stack->list[side]);
  return names->len > 0 ? g_steal_pointer (&names) : NULL;
}

void
loom_event_stack_append_names (GString *line, const char *key, const LoomEventStack *stack, LoomEventStackSide side,
                               const LoomEvent *event, const LoomStackFrames *stacks)
{
  g_autoptr (GPtrArray) names = loom_event_stack_dup_names (stack, side, event, stacks);
  if (names == NULL)
    return;
  loom_trace_event_writer_append_key (line, key);
  for (guint i = 0; i < names->len; i++) {
    g_string_append_c (line, i == 0 ? '[' : ',');
    loom_json_slice_append_string (line, names->pdata[i], strlen (names->pdata[i]));
  }
  g_string_append_c (line, ']');
}
