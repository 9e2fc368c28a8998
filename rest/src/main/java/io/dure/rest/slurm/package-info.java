/** The operations of Slurm's REST interface. */
@NullMarked
package io.dure.rest.slurm;

import org.jspecify.annotations.NullMarked;
