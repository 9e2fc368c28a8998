/**
 * The options and variables of {@code srun} and {@code salloc}, and the steps that they ask for.
 */
@org.jspecify.annotations.NullMarked
package io.dure.surface.srun;
