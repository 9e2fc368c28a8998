/** {@code ./dure simulate} and {@code ./dure bench published}. */
@org.jspecify.annotations.NullMarked
package io.dure.twin.simulate;
