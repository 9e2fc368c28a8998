/** The commands of LSF: {@code bsub}, {@code bjobs} and {@code bkill}. */
@NullMarked
package io.dure.cli.lsf;

import org.jspecify.annotations.NullMarked;
