/** How slurm.conf names the administrator's programs. */
@org.jspecify.annotations.NullMarked
package io.dure.core.config.program;
