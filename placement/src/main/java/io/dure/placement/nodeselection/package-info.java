/** Which of the nodes that have room a job gets: neighbours, weights, switches and blocks. */
@org.jspecify.annotations.NullMarked
package io.dure.placement.nodeselection;
