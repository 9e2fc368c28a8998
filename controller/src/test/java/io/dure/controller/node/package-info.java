/** Tests of the connections of node daemons. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.node;
