/** Tests of the node daemon's loop with real shepherds, processes and files. */
package io.dure.node.agent;
