/** What is free on each node, which nodes a job gets, and whether a placement still holds. */
@NullMarked
package io.dure.placement;

import org.jspecify.annotations.NullMarked;
