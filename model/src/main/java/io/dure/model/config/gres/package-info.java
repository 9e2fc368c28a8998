/** Generic resources as slurm.conf and gres.conf describe them. */
@org.jspecify.annotations.NullMarked
package io.dure.model.config.gres;
