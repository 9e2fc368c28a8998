/** The twin beside a count of processors that knows nothing of it. */
@org.jspecify.annotations.NullMarked
package io.dure.twin;
