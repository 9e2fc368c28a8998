/** Why a job waits, what blocks it, and what would let it start sooner: tried, not guessed. */
@NullMarked
package io.dure.insight.explain;

import org.jspecify.annotations.NullMarked;
