/** When waiting jobs are expected to start, and how true that was until now. */
@NullMarked
package io.dure.insight.forecast;

import org.jspecify.annotations.NullMarked;
