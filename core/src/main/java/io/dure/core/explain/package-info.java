/** Why a job waits, who holds it, and what would let it start sooner: each tried, none guessed. */
@NullMarked
package io.dure.core.explain;

import org.jspecify.annotations.NullMarked;
