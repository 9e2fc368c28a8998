/** How slurm.conf names the administrator's programs. */
@org.jspecify.annotations.NullMarked
package io.dure.model.config.programpath;
