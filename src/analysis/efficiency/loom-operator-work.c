/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-operator-work-private.h"

#include <stdlib.h>

#define A LOOM_OPERATOR_WORK_ABSENT
#define PRODUCT(name, compute, first, bias)                                                                     \
  {                                                                                                             \
    name, LOOM_OPERATOR_KIND_PRODUCT, loom_operator_work_##compute, first, bias, A, A, A, A, A, A, FALSE, FALSE \
  }
#define CONVOLUTION(name, bias, stride, padding, dilation, transposed, output_padding)                        \
  {                                                                                                           \
    name, LOOM_OPERATOR_KIND_CONVOLUTION, loom_operator_work_convolution, 0, bias, stride, padding, dilation, \
      transposed, output_padding, A, FALSE, FALSE                                                             \
  }
#define CONVOLUTION_BACKWARD(name, first, transposed)                                                                \
  {                                                                                                                  \
    name, LOOM_OPERATOR_KIND_CONVOLUTION, loom_operator_work_convolution_backward, first, A, A, A, A, transposed, A, \
      A, FALSE, FALSE                                                                                                \
  }
#define ATTENTION(name, compute, first, causal, heads_third, last_aligned)                                          \
  {                                                                                                                 \
    name, LOOM_OPERATOR_KIND_ATTENTION, loom_operator_work_##compute, first, A, A, A, A, A, A, causal, heads_third, \
      last_aligned                                                                                                  \
  }
#define ELEMENTS(name, kind, compute)                                                                   \
  {                                                                                                     \
    name, LOOM_OPERATOR_KIND_##kind, loom_operator_work_##compute, 0, A, A, A, A, A, A, A, FALSE, FALSE \
  }
#define ELEMENTWISE(name) ELEMENTS ("aten::" name, ELEMENTWISE, elementwise)
#define REDUCTION(name) ELEMENTS ("aten::" name, REDUCTION, reduction)

/* The operators whose work can be computed, sorted by name in the order of strcmp(), because loom_operator_work_find()
 * uses a binary search. */
static const LoomOperatorFormula formulas[] = {
  ATTENTION ("FlashAttnFunc", attention, 0, 5, TRUE, TRUE),
  PRODUCT ("aten::_addmm_activation", product, 1, 0),
  CONVOLUTION ("aten::_convolution", 2, 3, 4, 5, 6, 7),
  ATTENTION ("aten::_efficient_attention_backward", attention_backward, 1, 14, TRUE, FALSE),
  ATTENTION ("aten::_efficient_attention_forward", attention, 0, 9, TRUE, FALSE),
  ATTENTION ("aten::_flash_attention_backward", attention_backward, 1, 11, TRUE, FALSE),
  ATTENTION ("aten::_flash_attention_forward", attention, 0, 8, TRUE, FALSE),
  PRODUCT ("aten::_grouped_mm", grouped, 0, A),
  ATTENTION ("aten::_scaled_dot_product_attention_math", attention, 0, 5, FALSE, FALSE),
  ATTENTION ("aten::_scaled_dot_product_cudnn_attention", attention, 0, 6, FALSE, FALSE),
  ATTENTION ("aten::_scaled_dot_product_cudnn_attention_backward", attention_backward, 1, 14, FALSE, FALSE),
  ATTENTION ("aten::_scaled_dot_product_efficient_attention", attention, 0, 6, FALSE, FALSE),
  ATTENTION ("aten::_scaled_dot_product_efficient_attention_backward", attention_backward, 1, 11, FALSE, FALSE),
  ATTENTION ("aten::_scaled_dot_product_flash_attention", attention, 0, 4, FALSE, FALSE),
  ATTENTION ("aten::_scaled_dot_product_flash_attention_backward", attention_backward, 1, 11, FALSE, FALSE),
  ATTENTION ("aten::_scaled_dot_product_fused_attention_overrideable", attention, 0, 5, FALSE, FALSE),
  PRODUCT ("aten::_scaled_grouped_mm", grouped, 0, A),
  PRODUCT ("aten::_scaled_mm", scaled, 0, 4),
  ELEMENTWISE ("abs"),
  ELEMENTWISE ("abs_"),
  ELEMENTWISE ("add"),
  ELEMENTWISE ("add_"),
  ELEMENTWISE ("addcdiv"),
  ELEMENTWISE ("addcdiv_"),
  ELEMENTWISE ("addcmul"),
  ELEMENTWISE ("addcmul_"),
  PRODUCT ("aten::addmm", product, 1, 0),
  PRODUCT ("aten::addmm_", product, 1, 0),
  REDUCTION ("amax"),
  REDUCTION ("amin"),
  PRODUCT ("aten::baddbmm", batched, 1, 0),
  PRODUCT ("aten::baddbmm_", batched, 1, 0),
  PRODUCT ("aten::bmm", batched, 0, A),
  ELEMENTWISE ("clamp"),
  ELEMENTWISE ("clamp_"),
  ELEMENTWISE ("clamp_max"),
  ELEMENTWISE ("clamp_min"),
  ELEMENTWISE ("clamp_min_"),
  CONVOLUTION ("aten::conv1d", 2, 3, 4, 5, A, A),
  CONVOLUTION ("aten::conv2d", 2, 3, 4, 5, A, A),
  CONVOLUTION ("aten::conv3d", 2, 3, 4, 5, A, A),
  CONVOLUTION ("aten::convolution", 2, 3, 4, 5, 6, 7),
  CONVOLUTION_BACKWARD ("aten::convolution_backward", 1, 7),
  CONVOLUTION ("aten::convolution_overrideable", 2, 3, 4, 5, 6, 7),
  ELEMENTWISE ("cos"),
  CONVOLUTION ("aten::cudnn_convolution", A, 3, 2, 4, A, A),
  CONVOLUTION_BACKWARD ("aten::cudnn_convolution_backward", 0, A),
  CONVOLUTION ("aten::cudnn_convolution_relu", 2, 3, 4, 5, A, A),
  ELEMENTWISE ("div"),
  ELEMENTWISE ("div_"),
  ELEMENTWISE ("elu"),
  ELEMENTWISE ("elu_backward"),
  ELEMENTWISE ("erf"),
  ELEMENTWISE ("exp"),
  ELEMENTWISE ("exp_"),
  ELEMENTWISE ("gelu"),
  ELEMENTWISE ("gelu_"),
  ELEMENTWISE ("gelu_backward"),
  ELEMENTWISE ("hardsigmoid"),
  ELEMENTWISE ("hardswish"),
  ELEMENTWISE ("hardtanh"),
  ELEMENTWISE ("hardtanh_"),
  ELEMENTWISE ("hardtanh_backward"),
  ELEMENTWISE ("leaky_relu"),
  ELEMENTWISE ("leaky_relu_"),
  ELEMENTWISE ("leaky_relu_backward"),
  ELEMENTWISE ("lerp"),
  ELEMENTWISE ("lerp_"),
  PRODUCT ("aten::linear", linear, 0, 2),
  ELEMENTWISE ("log"),
  ELEMENTWISE ("log_"),
  REDUCTION ("max"),
  ELEMENTWISE ("maximum"),
  REDUCTION ("mean"),
  REDUCTION ("min"),
  ELEMENTWISE ("minimum"),
  CONVOLUTION ("aten::miopen_convolution", 2, 4, 3, 5, A, A),
  CONVOLUTION_BACKWARD ("aten::miopen_convolution_backward", 0, A),
  ELEMENTWISE ("mish"),
  PRODUCT ("aten::mm", product, 0, A),
  ELEMENTWISE ("mul"),
  ELEMENTWISE ("mul_"),
  ELEMENTWISE ("neg"),
  ELEMENTWISE ("neg_"),
  ELEMENTWISE ("pow"),
  ELEMENTWISE ("pow_"),
  REDUCTION ("prod"),
  ELEMENTWISE ("reciprocal"),
  ELEMENTWISE ("reciprocal_"),
  ELEMENTWISE ("relu"),
  ELEMENTWISE ("relu_"),
  ELEMENTWISE ("rsqrt"),
  ELEMENTWISE ("rsqrt_"),
  ELEMENTWISE ("rsub"),
  ATTENTION ("aten::scaled_dot_product_attention", attention, 0, 5, FALSE, FALSE),
  ELEMENTWISE ("sigmoid"),
  ELEMENTWISE ("sigmoid_"),
  ELEMENTWISE ("sigmoid_backward"),
  ELEMENTWISE ("silu"),
  ELEMENTWISE ("silu_"),
  ELEMENTWISE ("silu_backward"),
  ELEMENTWISE ("sin"),
  ELEMENTWISE ("softplus"),
  ELEMENTWISE ("softplus_backward"),
  ELEMENTWISE ("sqrt"),
  ELEMENTWISE ("sqrt_"),
  ELEMENTWISE ("square"),
  ELEMENTWISE ("sub"),
  ELEMENTWISE ("sub_"),
  REDUCTION ("sum"),
  ELEMENTWISE ("tanh"),
  ELEMENTWISE ("tanh_"),
  ELEMENTWISE ("tanh_backward"),
  ELEMENTWISE ("threshold_backward"),
  ELEMENTWISE ("true_divide"),
  ATTENTION ("flash_attn::_flash_attn_backward", attention_backward, 1, 11, TRUE, TRUE),
  ATTENTION ("flash_attn::_flash_attn_forward", attention, 0, 5, TRUE, TRUE),
};

static int
compare_names (const void *name, const void *formula)
{
  return strcmp (name, ((const LoomOperatorFormula *) formula)->name);
}

const LoomOperatorFormula *
loom_operator_work_find (const char *name)
{
  return bsearch (name, formulas, G_N_ELEMENTS (formulas), sizeof formulas[0], compare_names);
}

LoomOperatorKind
loom_operator_work_get_kind (const LoomOperatorFormula *formula)
{
  return formula->kind;
}

const char *
loom_operator_work_kind_to_string (LoomOperatorKind kind)
{
  static const char *const names[] = { "product", "convolution", "attention", "reduction", "elementwise" };
  return names[kind];
}

void
loom_operator_work_append_sizes (GString *shape, const guint64 *size, guint n)
{
  g_string_append (shape, shape->len > 0 ? ", [" : "[");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (shape, "%s%" G_GUINT64_FORMAT, i > 0 ? ", " : "", size[i]);
  g_string_append_c (shape, ']');
}

gboolean
loom_operator_work_compute (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                            LoomOperatorWork *work, GString *shape)
{
  g_string_truncate (shape, 0);
  return formula->compute (formula, inputs, work, shape) && work->type != LOOM_FLOAT_TYPE_NONE && work->flop > 0 &&
         work->flop != G_MAXUINT64 && work->bytes != G_MAXUINT64;
}
