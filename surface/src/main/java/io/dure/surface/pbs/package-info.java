/** What users of Torque and PBS ask for, in words of {@code sbatch}. */
@NullMarked
package io.dure.surface.pbs;

import org.jspecify.annotations.NullMarked;
