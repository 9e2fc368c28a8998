/** Crontabs as users write them. */
@NullMarked
package io.dure.surface.scrontab;

import org.jspecify.annotations.NullMarked;
