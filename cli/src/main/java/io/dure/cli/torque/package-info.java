/** The commands of Torque and PBS: {@code qsub}, {@code qstat}, {@code qdel} and their like. */
@NullMarked
package io.dure.cli.torque;

import org.jspecify.annotations.NullMarked;
