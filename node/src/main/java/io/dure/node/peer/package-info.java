/**
 * What the daemons of a step's nodes say to each other: each tells the one above it how the step
 * has ended there and below, so that the controller hears of all nodes from one.
 */
@NullMarked
package io.dure.node.peer;

import org.jspecify.annotations.NullMarked;
