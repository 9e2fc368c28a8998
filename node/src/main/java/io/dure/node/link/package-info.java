/** The node daemon's peers: the controller, and programs of its own machine. */
@org.jspecify.annotations.NullMarked
package io.dure.node.link;
