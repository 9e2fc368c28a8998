/** {@code ./dure bench scheduler}: how long plans take on big clusters with full queues. */
@NullMarked
package io.dure.bench.scheduling;

import org.jspecify.annotations.NullMarked;
