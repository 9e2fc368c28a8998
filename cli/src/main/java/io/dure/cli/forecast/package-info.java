/** {@code dure-forecast}: when waiting jobs are expected to start, and how well that has held. */
@NullMarked
package io.dure.cli.forecast;

import org.jspecify.annotations.NullMarked;
