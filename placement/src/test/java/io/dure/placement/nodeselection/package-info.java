/** Properties of choices of nodes. */
@org.jspecify.annotations.NullMarked
package io.dure.placement.nodeselection;
