/** Connections of node daemons: what they report goes to the loop, effects go to them. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.node;
