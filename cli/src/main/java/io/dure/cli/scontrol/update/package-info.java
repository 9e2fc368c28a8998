/** Changing, creating and deleting jobs, nodes and partitions by key and value. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.scontrol.update;
