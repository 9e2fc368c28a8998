/** The operations of Slurm's REST interface that concern accounting. */
@NullMarked
package io.dure.rest.slurmdb;

import org.jspecify.annotations.NullMarked;
