/** Slurm's configuration file: text in, settings and located diagnostics out. */
@org.jspecify.annotations.NullMarked
package io.dure.model.config.slurmconf;
