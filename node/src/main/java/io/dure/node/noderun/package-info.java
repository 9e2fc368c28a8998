/** The life of a job's run on one node: what the node daemon decides, as pure functions. */
@org.jspecify.annotations.NullMarked
package io.dure.node.noderun;
