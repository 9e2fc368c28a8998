/** Makes the story of a failure short. */
@org.jspecify.annotations.NullMarked
package io.dure.faults.shrink;
