/** Jobs, nodes and partitions as JSON documents in the shape of Slurm's data parser 0.0.45. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.json;
