/** What slurm.conf says of nodes that are switched off while nobody wants them. */
@org.jspecify.annotations.NullMarked
package io.dure.model.config.power;
