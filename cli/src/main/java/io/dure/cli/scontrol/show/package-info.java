/** Records of jobs, nodes and partitions in the layouts that scripts read. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.scontrol.show;
