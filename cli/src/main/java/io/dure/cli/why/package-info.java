/** Why a job waits, what holds it, and what would let it start sooner, on one screen. */
@NullMarked
package io.dure.cli.why;

import org.jspecify.annotations.NullMarked;
