/** Which cores of a node a job gets. */
@org.jspecify.annotations.NullMarked
package io.dure.placement.cores;
