/** {@code ./dure bench explanations}: whether what is said of waiting jobs comes true. */
@NullMarked
package io.dure.simulator.explain;

import org.jspecify.annotations.NullMarked;
