/** Reports of what was used, as sreport prints them. */
@NullMarked
package io.dure.surface.sreport;

import org.jspecify.annotations.NullMarked;
