/** Plants damage in a controller's files and looks at what a start makes of it. */
@org.jspecify.annotations.NullMarked
package io.dure.faults.corruption;
