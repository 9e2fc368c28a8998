/** The node daemon's one loop, which owns the runs of jobs on the node, and their spool. */
@org.jspecify.annotations.NullMarked
package io.dure.node.agent;
