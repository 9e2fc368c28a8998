/** {@code seff}: how much of what it held an ended job used, in the form of Slurm's report. */
@NullMarked
package io.dure.cli.seff;

import org.jspecify.annotations.NullMarked;
