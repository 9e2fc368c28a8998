/** {@code ./dure whatif}: what would be different if something were otherwise. */
@NullMarked
package io.dure.whatif;

import org.jspecify.annotations.NullMarked;
