/** How nodes fail in a twin, and when they come back. */
@NullMarked
package io.dure.twin.nodefailure;

import org.jspecify.annotations.NullMarked;
