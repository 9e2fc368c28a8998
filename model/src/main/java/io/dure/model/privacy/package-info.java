/** What callers see of others, and which jobs of others they may change. */
@NullMarked
package io.dure.model.privacy;

import org.jspecify.annotations.NullMarked;
