/** The cluster's future as its own scheduler would make it, for questions of what would be when. */
@NullMarked
package io.dure.virtual;

import org.jspecify.annotations.NullMarked;
