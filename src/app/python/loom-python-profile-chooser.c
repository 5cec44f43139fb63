/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-python-profile-chooser.h"

#include "loom-bounded-text.h"
#include "loom-cell-tooltip.h"
#include "loom-drop-down-a11y-workaround.h"
#include "loom-python-profile-item.h"
#include "loom-python-profile-query.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LoomPythonProfileChooser {
  GtkBox parent;
  GtkDropDown *narrowing;
  GtkEntry *steps;
  GtkDropDown *baseline;
  GPtrArray *all;     /* LoomPythonProfileItem, in time order */
  GListStore *listed; /* the profiles in the list */
  GtkMultiSelection *selection;
  LoomTimelineState *state;
  gboolean quiet; /* signals are held back until the change is complete */
};

G_DEFINE_FINAL_TYPE (LoomPythonProfileChooser, loom_python_profile_chooser, GTK_TYPE_BOX)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
tell (LoomPythonProfileChooser *self)
{
  if (!self->quiet)
    g_signal_emit (self, signals[CHANGED], 0);
}

/* --- listed profiles ------------------------------------------------------------------------------------------------- */

static gboolean
parse_steps (const char *text, gint64 *first, gint64 *last)
{
  char *end;
  g_autofree char *plain = g_strstrip (g_strdup (text));
  *first = *last = g_ascii_strtoll (plain, &end, 10);
  if (end == plain)
    return FALSE;
  end += strspn (end, " ");
  gsize n_dash = *end == '-' ? 1 : g_str_has_prefix (end, "–") ? strlen ("–") : 0;
  if (n_dash == 0)
    return *end == '\0';
  char *second = end + n_dash + strspn (end + n_dash, " ");
  *last = g_ascii_strtoll (second, &end, 10);
  return end != second && *end == '\0' && *last >= *first;
}

static gboolean
is_in_steps (LoomPythonProfileChooser *self, const LoomPythonProfile *profile)
{
  LoomStepQuery query = LOOM_STEP_QUERY (0, 0);
  if (!parse_steps (gtk_editable_get_text (GTK_EDITABLE (self->steps)), &query.first, &query.last))
    return TRUE;
  return loom_python_profile_query_has_steps (profile, &query);
}

static gboolean
touches (const LoomPythonProfileItem *choice, LoomRange range)
{
  LoomRange own = loom_python_profile_item_get_range ((LoomPythonProfileItem *) choice);
  return own.begin_ns != LOOM_TIME_NONE && range.end_ns > range.begin_ns && own.end_ns >= range.begin_ns &&
         own.begin_ns <= range.end_ns;
}

static gboolean
is_listed (LoomPythonProfileChooser *self, LoomPythonProfileItem *choice)
{
  const LoomPythonProfile *profile = loom_python_profile_item_get_profile (choice);
  LoomRange range = { 0, 0 };
  gint64 first, last;
  if (profile == NULL) /* an HTML page alone tells neither when nor in which phase it was made */
    return gtk_drop_down_get_selected (self->narrowing) == LOOM_PROFILES_ALL &&
           !parse_steps (gtk_editable_get_text (GTK_EDITABLE (self->steps)), &first, &last);
  if (!is_in_steps (self, profile))
    return FALSE;
  switch (gtk_drop_down_get_selected (self->narrowing)) {
  case LOOM_PROFILES_IN_SELECTION:
    loom_timeline_state_get_selected_range (self->state, &range);
    return touches (choice, range);
  case LOOM_PROFILES_IN_VIEW: {
    const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
    return touches (choice, (LoomRange) { view->begin_ns, view->end_ns });
  }
  case LOOM_PROFILES_INITIALISATION:
    return loom_python_profile_query_get_job_phase (profile) == LOOM_JOB_PHASE_INITIALISATION;
  case LOOM_PROFILES_TRAINING: return loom_python_profile_query_get_job_phase (profile) == LOOM_JOB_PHASE_TRAINING;
  case LOOM_PROFILES_FINALISATION:
    return loom_python_profile_query_get_job_phase (profile) == LOOM_JOB_PHASE_FINALISATION;
  default: return TRUE;
  }
}

static gboolean
is_same_list (LoomPythonProfileChooser *self, const GPtrArray *listed)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (self->listed)) != listed->len)
    return FALSE;
  for (guint i = 0; i < listed->len; i++) {
    g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (self->listed), i);
    if (item != listed->pdata[i])
      return FALSE;
  }
  return TRUE;
}

/* When the list is narrowed by step or range, all listed profiles are chosen, as the person asked for them;
 * otherwise the first is. */
static void
refresh (LoomPythonProfileChooser *self)
{
  g_autoptr (GPtrArray) listed = g_ptr_array_new ();
  gint64 first, last;
  gboolean narrowed = gtk_drop_down_get_selected (self->narrowing) != LOOM_PROFILES_ALL ||
                      parse_steps (gtk_editable_get_text (GTK_EDITABLE (self->steps)), &first, &last);
  for (guint i = 0; i < self->all->len; i++)
    if (is_listed (self, self->all->pdata[i]))
      g_ptr_array_add (listed, self->all->pdata[i]);
  if (is_same_list (self, listed))
    return;
  self->quiet = TRUE;
  g_list_store_splice (self->listed, 0, g_list_model_get_n_items (G_LIST_MODEL (self->listed)), listed->pdata,
                       listed->len);
  if (listed->len > 0)
    gtk_selection_model_select_range (GTK_SELECTION_MODEL (self->selection), 0, narrowed ? listed->len : 1, TRUE);
  self->quiet = FALSE;
  tell (self);
}

static void
view_changed (LoomPythonProfileChooser *self)
{
  guint narrowing = gtk_drop_down_get_selected (self->narrowing);
  if (narrowing == LOOM_PROFILES_IN_SELECTION || narrowing == LOOM_PROFILES_IN_VIEW)
    refresh (self);
}

static void
steps_changed (LoomPythonProfileChooser *self)
{
  gint64 first, last;
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->steps));
  if (*text == '\0' || parse_steps (text, &first, &last))
    gtk_widget_remove_css_class (GTK_WIDGET (self->steps), "error");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->steps), "error");
  refresh (self);
}

/* --- lines ----------------------------------------------------------------------------------------------------------- */

static char *
dup_path (GtkListItem *item, guint part)
{
  return g_strdup (loom_python_profile_item_get_path (gtk_list_item_get_item (item)));
}

static void
setup_line (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *label = gtk_label_new (NULL),
            *detail = gtk_label_new (NULL);
  GtkWidget *labels[] = { label, detail };
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++) {
    gtk_label_set_xalign (GTK_LABEL (labels[i]), 0);
    gtk_label_set_ellipsize (GTK_LABEL (labels[i]), PANGO_ELLIPSIZE_MIDDLE);
    gtk_box_append (GTK_BOX (box), labels[i]);
  }
  gtk_widget_add_css_class (detail, "call-numbers");
  gtk_list_item_set_child (item, box);
  loom_cell_tooltip_add (box, item, dup_path, 0);
}

static void
bind_line (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  LoomPythonProfileItem *choice = gtk_list_item_get_item (item);
  GtkWidget *box = gtk_list_item_get_child (item), *label = gtk_widget_get_first_child (box);
  loom_bounded_text_set_label (GTK_LABEL (label), loom_python_profile_item_get_label (choice));
  loom_bounded_text_set_label (GTK_LABEL (gtk_widget_get_next_sibling (label)),
                               loom_python_profile_item_get_detail (choice));
}

static void
setup_choice (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_list_item_set_child (item, label);
}

static void
setup_cut_choice (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  setup_choice (factory, item);
  gtk_label_set_ellipsize (GTK_LABEL (gtk_list_item_get_child (item)), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (gtk_list_item_get_child (item)), 8);
}

static void
bind_choice (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  const char *text = gtk_string_object_get_string (gtk_list_item_get_item (item));
  loom_bounded_text_set_label (GTK_LABEL (gtk_list_item_get_child (item)), text);
  loom_bounded_text_set_tip (gtk_list_item_get_child (item), text);
}

/* --- the object ------------------------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  LoomPythonProfileChooser *self = LOOM_PYTHON_PROFILE_CHOOSER (object);
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_clear_object (&self->state);
  self->quiet = TRUE;
  G_OBJECT_CLASS (loom_python_profile_chooser_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_ptr_array_unref (LOOM_PYTHON_PROFILE_CHOOSER (object)->all);
  G_OBJECT_CLASS (loom_python_profile_chooser_parent_class)->finalize (object);
}

static void
fill_baselines (LoomPythonProfileChooser *self)
{
  g_autoptr (GtkStringList) words =
    gtk_string_list_new ((const char *const[]) { C_ ("compared with", "nothing"), NULL });
  for (guint i = 0; i < self->all->len && loom_python_profile_item_get_profile (self->all->pdata[i]) != NULL; i++)
    gtk_string_list_take (words, loom_python_profile_item_dup_whole_label (self->all->pdata[i]));
  gtk_drop_down_set_model (self->baseline, G_LIST_MODEL (words));
}

static void
loom_python_profile_chooser_class_init (LoomPythonProfileChooserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  g_type_ensure (LOOM_TYPE_PYTHON_PROFILE_ITEM);
  signals[CHANGED] =
    g_signal_new ("changed", LOOM_TYPE_PYTHON_PROFILE_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/traceloom/Traceloom/loom-python-profile-chooser.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomPythonProfileChooser, baseline);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonProfileChooser, listed);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonProfileChooser, narrowing);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonProfileChooser, selection);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonProfileChooser, steps);
  gtk_widget_class_bind_template_callback (widget_class, bind_choice);
  gtk_widget_class_bind_template_callback (widget_class, bind_line);
  gtk_widget_class_bind_template_callback (widget_class, refresh);
  gtk_widget_class_bind_template_callback (widget_class, setup_choice);
  gtk_widget_class_bind_template_callback (widget_class, setup_cut_choice);
  gtk_widget_class_bind_template_callback (widget_class, setup_line);
  gtk_widget_class_bind_template_callback (widget_class, steps_changed);
  gtk_widget_class_bind_template_callback (widget_class, tell);
}

static void
loom_python_profile_chooser_init (LoomPythonProfileChooser *self)
{
  self->all = g_ptr_array_new_with_free_func (g_object_unref);
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_baselines (self);
  loom_drop_down_a11y_workaround_set (self->narrowing, _ ("Which intervals are listed"));
  loom_drop_down_a11y_workaround_set (self->baseline, _ ("The profile whose numbers are taken off"));
}

void
loom_python_profile_chooser_set_state (LoomPythonProfileChooser *self, LoomTimelineState *state)
{
  g_return_if_fail (LOOM_IS_PYTHON_PROFILE_CHOOSER (self) && self->state == NULL);
  self->state = g_object_ref (state);
  g_signal_connect_swapped (state, "selection-changed", G_CALLBACK (view_changed), self);
  g_signal_connect_swapped (state, "view-changed", G_CALLBACK (view_changed), self);
}

/* While a run loads its timeline is replaced again and again; a timeline with the same profiles counts as no change. */
static gboolean
has_same_profiles (const GPtrArray *a, const GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (loom_python_profile_item_get_profile (a->pdata[i]) != loom_python_profile_item_get_profile (b->pdata[i]) ||
        !g_str_equal (loom_python_profile_item_get_label (a->pdata[i]),
                      loom_python_profile_item_get_label (b->pdata[i])) ||
        !g_str_equal (loom_python_profile_item_get_detail (a->pdata[i]),
                      loom_python_profile_item_get_detail (b->pdata[i])) ||
        g_strcmp0 (loom_python_profile_item_get_page (a->pdata[i]), loom_python_profile_item_get_page (b->pdata[i])) !=
          0)
      return FALSE;
  return TRUE;
}

void
loom_python_profile_chooser_set_timeline (LoomPythonProfileChooser *self, LoomTimeline *timeline)
{
  g_return_if_fail (LOOM_IS_PYTHON_PROFILE_CHOOSER (self));
  const LoomSourceOverrides *names =
    self->state != NULL ? loom_row_list_get_names (loom_timeline_state_get_row_list (self->state)) : NULL;
  g_autoptr (GPtrArray) all = loom_python_profile_items_of (timeline, names);
  if (has_same_profiles (all, self->all))
    return;
  g_ptr_array_unref (self->all);
  self->all = g_steal_pointer (&all);
  self->quiet = TRUE;
  fill_baselines (self);
  self->quiet = FALSE;
  refresh (self);
}

guint
loom_python_profile_chooser_get_n_profiles (LoomPythonProfileChooser *self)
{
  return self->all->len;
}

GPtrArray *
loom_python_profile_chooser_dup_chosen (LoomPythonProfileChooser *self)
{
  GPtrArray *chosen = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_python_profile_unref);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->listed)); i++) {
    g_autoptr (LoomPythonProfileItem) choice = g_list_model_get_item (G_LIST_MODEL (self->listed), i);
    if (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->selection), i) &&
        loom_python_profile_item_get_profile (choice) != NULL)
      g_ptr_array_add (chosen, loom_python_profile_ref (loom_python_profile_item_get_profile (choice)));
  }
  return chosen;
}

char *
loom_python_profile_chooser_dup_page (LoomPythonProfileChooser *self)
{
  g_autoptr (GtkBitset) chosen = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  if (gtk_bitset_get_size (chosen) != 1)
    return NULL;
  g_autoptr (LoomPythonProfileItem) choice =
    g_list_model_get_item (G_LIST_MODEL (self->listed), gtk_bitset_get_minimum (chosen));
  return g_strdup (loom_python_profile_item_get_page (choice));
}

LoomPythonProfile *
loom_python_profile_chooser_get_baseline (LoomPythonProfileChooser *self)
{
  guint selected = gtk_drop_down_get_selected (self->baseline);
  return selected > 0 && selected <= self->all->len
           ? loom_python_profile_item_get_profile (self->all->pdata[selected - 1])
           : NULL;
}

void
loom_python_profile_chooser_narrow (LoomPythonProfileChooser *self, LoomProfileNarrowing narrowing)
{
  gtk_drop_down_set_selected (self->narrowing, narrowing);
}

gboolean
loom_python_profile_chooser_set_steps (LoomPythonProfileChooser *self, const char *text)
{
  gint64 first, last;
  gtk_editable_set_text (GTK_EDITABLE (self->steps), text);
  return *text == '\0' || parse_steps (text, &first, &last);
}

guint
loom_python_profile_chooser_get_n_listed (LoomPythonProfileChooser *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->listed));
}

void
loom_python_profile_chooser_choose (LoomPythonProfileChooser *self, guint first, guint n)
{
  gtk_selection_model_select_range (GTK_SELECTION_MODEL (self->selection), first, n, TRUE);
}

void
loom_python_profile_chooser_compare_with (LoomPythonProfileChooser *self, guint number)
{
  gtk_drop_down_set_selected (self->baseline, number == G_MAXUINT ? 0 : number + 1);
}

gboolean
loom_python_profile_chooser_choose_profile (LoomPythonProfileChooser *self, const LoomPythonProfile *profile)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->listed)); i++) {
    g_autoptr (LoomPythonProfileItem) choice = g_list_model_get_item (G_LIST_MODEL (self->listed), i);
    if (loom_python_profile_item_get_profile (choice) == profile) {
      gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), i, TRUE);
      return TRUE;
    }
  }
  return FALSE;
}
