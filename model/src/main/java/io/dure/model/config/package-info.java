/** Slurm's configuration file: text in, records and located diagnostics out. */
@org.jspecify.annotations.NullMarked
package io.dure.model.config;
