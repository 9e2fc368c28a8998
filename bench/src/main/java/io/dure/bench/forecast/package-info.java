/** Forecasts of starts in the twin, and what came of them; {@code ./dure bench forecast}. */
@NullMarked
package io.dure.bench.forecast;

import org.jspecify.annotations.NullMarked;
