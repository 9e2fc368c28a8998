/** {@code srun}. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.srun;
