/** What slurm.conf says of steps on their nodes: limits, priority, CPU frequency, memory. */
@org.jspecify.annotations.NullMarked
package io.dure.model.config.step;
