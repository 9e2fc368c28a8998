/** Tests of the life of a run on a node. */
package io.dure.node.noderun;
