/** Submission of batch scripts: directives, options, environment and the request made of them. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.sbatch;
