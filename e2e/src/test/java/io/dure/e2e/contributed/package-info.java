/**
 * Commands that Slurm has beside its own, and those of other workload managers, as users call them.
 */
@NullMarked
package io.dure.e2e.contributed;

import org.jspecify.annotations.NullMarked;
