/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file
 * Libraries that are no analytics: of another version of the interface (WRONG_ABI), without functions
 * (WRONG_FUNCTIONS), or without the symbol. In C, because the interface is.
 */
#include "InSitu/Runtime/rivulet_analytics.h"

#include <stddef.h>

#if defined(WRONG_ABI)
static const rivulet_analytics analytics = { RIVULET_ANALYTICS_ABI + 1, 0, NULL, NULL, NULL };
#define ENTRY rivulet_analytics_entry
#elif defined(WRONG_FUNCTIONS)
static const rivulet_analytics analytics = { RIVULET_ANALYTICS_ABI, 0, NULL, NULL, NULL };
#define ENTRY rivulet_analytics_entry
#else
static const rivulet_analytics analytics = { RIVULET_ANALYTICS_ABI, 0, NULL, NULL, NULL };
#define ENTRY some_other_symbol
#endif

RIVULET_ANALYTICS_EXPORT const rivulet_analytics* ENTRY(void)
{
  return &analytics;
}
