/**
 * Submissions: the options of sbatch, in scripts, in the environment and on command lines, made
 * into a job's request.
 */
@org.jspecify.annotations.NullMarked
package io.dure.surface.sbatch;
