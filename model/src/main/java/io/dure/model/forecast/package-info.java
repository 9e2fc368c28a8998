/** What was forecast of the starts of jobs, and how accurate that turned out to be. */
@NullMarked
package io.dure.model.forecast;

import org.jspecify.annotations.NullMarked;
