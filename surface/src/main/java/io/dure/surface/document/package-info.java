/** Describes the members of Slurm's documents once, for all that write, read and publish them. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.document;
