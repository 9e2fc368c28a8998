/** What somebody who types {@code ./dure simulate} sees. */
@org.jspecify.annotations.NullMarked
package io.dure.twin.simulate;
