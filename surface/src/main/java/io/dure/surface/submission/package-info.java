/** Jobs that documents ask for. */
@NullMarked
package io.dure.surface.submission;

import org.jspecify.annotations.NullMarked;
