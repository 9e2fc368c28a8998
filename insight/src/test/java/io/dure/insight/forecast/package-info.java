/** Forecasts, each part by itself. */
@NullMarked
package io.dure.insight.forecast;

import org.jspecify.annotations.NullMarked;
