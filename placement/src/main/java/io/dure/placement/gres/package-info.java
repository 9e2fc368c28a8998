/** Which generic resources of a node are free, and which of them a job gets. */
@org.jspecify.annotations.NullMarked
package io.dure.placement.gres;
