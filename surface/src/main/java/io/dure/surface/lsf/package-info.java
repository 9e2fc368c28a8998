/** What users of LSF ask for, in words of {@code sbatch}. */
@NullMarked
package io.dure.surface.lsf;

import org.jspecify.annotations.NullMarked;
