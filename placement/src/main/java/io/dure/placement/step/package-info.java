/** Which part of its job's allocation a step gets, and which tasks run where. */
@org.jspecify.annotations.NullMarked
package io.dure.placement.step;
