/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown-cause.h"

#include <glib/gi18n.h>
#include <math.h>

#include "loom-cxx-name.h"
#include "loom-ellipsize.h"
#include "loom-list-separator.h"
#include "loom-sentence.h"
#include "loom-time.h"

#define NAME_LETTERS 48 /* maximum length of the name of a kernel in a sentence */

char *
loom_slowdown_cause_dup_names (const LoomSlowdownCause *cause)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < cause->n_main; i++) {
    const LoomSlowdownCauseName *name = &g_array_index (cause->names, LoomSlowdownCauseName, i);
    g_autofree char *brief = loom_cxx_name_dup_brief (name->name, NAME_LETTERS);
    g_ptr_array_add (texts,
                     g_strdup_printf (/* Translators: the name of a kernel, and how much longer it takes */
                                      C_ ("kernel, extra time", "%s (%+.0f %%)"), brief, 100 * (name->factor - 1)));
  }
  return loom_list_separator_join_all (texts);
}

static char *
dup_kernels (const LoomSlowdownCause *cause, const char *rank)
{
  g_autofree char *names = loom_slowdown_cause_dup_names (cause);
  gint64 main_ns = 0;
  for (guint i = 0; i < cause->n_main; i++)
    main_ns += g_array_index (cause->names, LoomSlowdownCauseName, i).longer_ns;
  return g_strdup_printf (
    /* Translators: the name of a rank, a percentage, and a list of kernels such as “gemm (+40 %)” */
    ngettext ("Of the time that %s computes longer, %.0f %% is in one kernel: %s.",
              "Of the time that %s computes longer, %.0f %% is in these kernels: %s.", cause->n_main),
    rank, fmin (100 * (double) main_ns / (double) (cause->longer_ns + MAX (cause->more_ns, 0)), 100), names);
}

static char *
dup_device (const LoomSlowdownCause *cause, const char *rank)
{
  double percent = 100 * (cause->factor - 1);
  if (cause->is_in_all_steps)
    return g_strdup_printf (
      /* Translators: the name of a rank, and a percentage */
      _ ("Nearly all kernels of %s take about %.0f %% longer than the same kernels on the other ranks."), rank,
      percent);
  return g_strdup_printf (
    ngettext (
      /* Translators: the name of a rank, and a percentage */
      "In its slow step, nearly all kernels of %s take about %.0f %% longer than the same kernels on the other ranks.",
      "In its slow steps, nearly all kernels of %s take about %.0f %% longer than the same kernels on the other ranks.",
      cause->n_steps),
    rank, percent);
}

static char *
dup_most (const LoomSlowdownCause *cause, const char *rank)
{
  double share = 100 * cause->alike, percent = 100 * (cause->alike_factor - 1);
  if (cause->is_in_all_steps)
    return g_strdup_printf (
      _ (
        /* Translators: the name of a rank, and two percentages */
        "Most kernels of %s (%.0f %% of their time) take about %.0f %% longer than the same kernels on the other ranks."),
      rank, share, percent);
  return g_strdup_printf (
    ngettext (
      /* Translators: the name of a rank, and two percentages */
      "In its slow step, most kernels of %s (%.0f %% of their time) take about %.0f %% longer than the same kernels on the other ranks.",
      "In its slow steps, most kernels of %s (%.0f %% of their time) take about %.0f %% longer than the same kernels on the other ranks.",
      cause->n_steps),
    rank, share, percent);
}

static const char *
get_reason (const LoomSlowdownCause *cause)
{
  gboolean is_device = cause->kind == LOOM_SLOWDOWN_CAUSE_DEVICE;
  if (cause->inputs == LOOM_SLOWDOWN_INPUTS_SAME)
    return is_device
             ? _ (
                 "The inputs have the same shapes as on other ranks, so this points to a slow device (clock, temperature, power limit).")
             : _ (
                 "The inputs have the same shapes as on other ranks, so this points to a lower clock of its device, which does not slow down all kernels.");
  return is_device
           ? _ ("This points to a slow device (clock, temperature, power limit) or to larger inputs.")
           : _ ("This points to a lower clock of its device or to larger inputs, which do not slow down all kernels.");
}

/* Returns a sentence that states why all kernels take longer. */
static char *
dup_reason (const LoomSlowdownCause *cause)
{
  if (cause->inputs != LOOM_SLOWDOWN_INPUTS_LARGER)
    return g_strdup (get_reason (cause));
  g_autofree char *name = loom_ellipsize_middle (cause->larger_name, NAME_LETTERS);
  return g_strdup_printf (
    /* Translators: the name of an operator, such as aten::mm, and a percentage */
    _ ("This points to larger inputs: on average, those of “%s” have %.0f %% more elements than on other ranks."), name,
    100 * (cause->larger - 1));
}

static char *
dup_longer (const LoomSlowdownCause *cause, const char *rank)
{
  if (cause->kind == LOOM_SLOWDOWN_CAUSE_KERNELS)
    return dup_kernels (cause, rank);
  if (cause->kind != LOOM_SLOWDOWN_CAUSE_DEVICE && cause->kind != LOOM_SLOWDOWN_CAUSE_MOST_KERNELS)
    return NULL;
  g_autofree char *first =
                    cause->kind == LOOM_SLOWDOWN_CAUSE_DEVICE ? dup_device (cause, rank) : dup_most (cause, rank),
                  *reason = dup_reason (cause);
  return loom_sentence_join (first, reason);
}

gint64
loom_slowdown_cause_get_more_time (const LoomSlowdownCause *cause)
{
  return cause->more_ns / MAX (cause->n_steps, 1);
}

static char *
dup_more (const LoomSlowdownCause *cause, const char *rank)
{
  g_autofree char *time = loom_time_format_duration (loom_slowdown_cause_get_more_time (cause));
  if (cause->calls > 1)
    return g_strdup_printf (
      /* Translators: the name of a rank, and a percentage */
      _ ("Compared with the median of the other ranks, %s runs %.0f %% more kernels."), rank, 100 * (cause->calls - 1));
  return g_strdup_printf (
    /* Translators: the name of a rank, and a duration */
    _ ("Compared with the other ranks, %s runs additional or other kernels, which take %s longer per step."), rank,
    time);
}

char *
loom_slowdown_cause_dup_sentence (const LoomSlowdownCause *cause, const char *rank)
{
  char *longer = dup_longer (cause, rank);
  if (!cause->has_more)
    return longer;
  g_autofree char *first = dup_more (cause, rank), *second = longer;
  return loom_sentence_join (first, second);
}
