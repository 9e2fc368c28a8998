/** {@code ./dure bench explanations}: whether what is said of waiting jobs comes true. */
@NullMarked
package io.dure.bench.explanations;

import org.jspecify.annotations.NullMarked;
