/** Why a job waits, who holds it, and what would let it start sooner: each tried, none guessed. */
@NullMarked
package io.dure.insight.explain;

import org.jspecify.annotations.NullMarked;
