/**
 * Tasks with GPUs arrive at an empty cluster until it is full: how much of it then is allocated.
 */
@org.jspecify.annotations.NullMarked
package io.dure.twin.gpupacking;
