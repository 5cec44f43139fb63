/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-python-profile-chooser.h"

#include "loom-bounded-text.h"
#include "loom-cell-tooltip.h"
#include "loom-drop-down-a11y-workaround.h"

#include <glib/gi18n.h>

struct _LoomPythonProfileChooser {
  GtkBox parent;
  GtkDropDown *narrowing;
  GtkEntry *steps;
  GtkDropDown *baseline;
  GtkMultiSelection *selection;
  LoomPythonProfiles *profiles; /* profiles of the run; NULL before loom_python_profile_chooser_set_profiles() */
  gboolean quiet;               /* TRUE while the program changes the selection, so that no signal is emitted */
};

G_DEFINE_FINAL_TYPE (LoomPythonProfileChooser, loom_python_profile_chooser, GTK_TYPE_BOX)

/* --- choosing ----------------------------------------------------------------------------------------------------- */

static void
narrowing_changed (LoomPythonProfileChooser *self)
{
  if (!self->quiet)
    loom_python_profiles_narrow (self->profiles, gtk_drop_down_get_selected (self->narrowing));
}

static void
steps_changed (LoomPythonProfileChooser *self)
{
  if (loom_python_profiles_set_steps (self->profiles, gtk_editable_get_text (GTK_EDITABLE (self->steps))))
    gtk_widget_remove_css_class (GTK_WIDGET (self->steps), "error");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->steps), "error");
}

static void
baseline_changed (LoomPythonProfileChooser *self)
{
  guint selected = gtk_drop_down_get_selected (self->baseline);
  if (!self->quiet)
    loom_python_profiles_compare_with (self->profiles, selected > 0 ? selected - 1 : G_MAXUINT);
}

static void
selection_changed (LoomPythonProfileChooser *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  g_autoptr (GArray) positions = g_array_new (FALSE, FALSE, sizeof (guint));
  GtkBitsetIter iter;
  guint position;
  if (self->quiet)
    return;
  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &position); more;
       more = gtk_bitset_iter_next (&iter, &position))
    g_array_append_val (positions, position);
  loom_python_profiles_choose (self->profiles, (const guint *) (gpointer) positions->data, positions->len);
}

/* --- following the state ------------------------------------------------------------------------------------------ */

static void
show_chosen (LoomPythonProfileChooser *self)
{
  guint n;
  const guint *chosen = loom_python_profiles_get_chosen (self->profiles, &n);
  g_autoptr (GtkBitset) selected = gtk_bitset_new_empty ();
  g_autoptr (GtkBitset) all =
    gtk_bitset_new_range (0, g_list_model_get_n_items (loom_python_profiles_get_list (self->profiles)));
  for (guint i = 0; i < n; i++)
    gtk_bitset_add (selected, chosen[i]);
  self->quiet = TRUE;
  gtk_selection_model_set_selection (GTK_SELECTION_MODEL (self->selection), selected, all);
  self->quiet = FALSE;
}

static void
fill_baselines (LoomPythonProfileChooser *self)
{
  const GPtrArray *all = loom_python_profiles_get_all (self->profiles);
  g_autoptr (GtkStringList) words = gtk_string_list_new ((const char *const[]) { C_ ("compared with", "None"), NULL });
  for (guint i = 0; i < all->len && ((LoomPythonProfileItem *) all->pdata[i])->profile != NULL; i++)
    gtk_string_list_take (words, loom_python_profile_item_dup_whole_label (all->pdata[i]));
  self->quiet = TRUE;
  gtk_drop_down_set_model (self->baseline, G_LIST_MODEL (words));
  self->quiet = FALSE;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static char *
dup_path (GtkListItem *item, guint part)
{
  return g_strdup (LOOM_PYTHON_PROFILE_ITEM (gtk_list_item_get_item (item))->path);
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
  loom_bounded_text_set_label (GTK_LABEL (label), choice->label);
  loom_bounded_text_set_label (GTK_LABEL (gtk_widget_get_next_sibling (label)), choice->detail);
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

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomPythonProfileChooser *self = LOOM_PYTHON_PROFILE_CHOOSER (object);
  self->quiet = TRUE;
  G_OBJECT_CLASS (loom_python_profile_chooser_parent_class)->dispose (object);
  g_clear_object (&self->profiles);
}

static void
loom_python_profile_chooser_class_init (LoomPythonProfileChooserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/traceloom/Traceloom/loom-python-profile-chooser.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomPythonProfileChooser, baseline);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonProfileChooser, narrowing);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonProfileChooser, selection);
  gtk_widget_class_bind_template_child (widget_class, LoomPythonProfileChooser, steps);
  gtk_widget_class_bind_template_callback (widget_class, baseline_changed);
  gtk_widget_class_bind_template_callback (widget_class, bind_choice);
  gtk_widget_class_bind_template_callback (widget_class, bind_line);
  gtk_widget_class_bind_template_callback (widget_class, narrowing_changed);
  gtk_widget_class_bind_template_callback (widget_class, selection_changed);
  gtk_widget_class_bind_template_callback (widget_class, setup_choice);
  gtk_widget_class_bind_template_callback (widget_class, setup_cut_choice);
  gtk_widget_class_bind_template_callback (widget_class, setup_line);
  gtk_widget_class_bind_template_callback (widget_class, steps_changed);
}

static void
loom_python_profile_chooser_init (LoomPythonProfileChooser *self)
{
  self->quiet = TRUE; /* don't emit signals while the template sets the drop-downs */
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_drop_down_a11y_workaround_set (self->narrowing, _ ("Intervals whose profiles are listed"));
  loom_drop_down_a11y_workaround_set (self->baseline, _ ("Profile to subtract"));
  self->quiet = FALSE;
}

void
loom_python_profile_chooser_set_profiles (LoomPythonProfileChooser *self, LoomPythonProfiles *profiles)
{
  g_return_if_fail (LOOM_IS_PYTHON_PROFILE_CHOOSER (self) && self->profiles == NULL);
  self->profiles = g_object_ref (profiles);
  self->quiet = TRUE;
  gtk_multi_selection_set_model (self->selection, loom_python_profiles_get_list (profiles));
  self->quiet = FALSE;
  fill_baselines (self);
  show_chosen (self);
  g_signal_connect_object (profiles, "profiles-changed", G_CALLBACK (fill_baselines), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (profiles, "chosen-changed", G_CALLBACK (show_chosen), self, G_CONNECT_SWAPPED);
}
