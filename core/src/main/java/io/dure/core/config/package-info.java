/** slurm.conf and its sisters: text in, records and located diagnostics out. */
@org.jspecify.annotations.NullMarked
package io.dure.core.config;
