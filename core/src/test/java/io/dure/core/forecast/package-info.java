/** Forecasts, each part by itself. */
@NullMarked
package io.dure.core.forecast;

import org.jspecify.annotations.NullMarked;
