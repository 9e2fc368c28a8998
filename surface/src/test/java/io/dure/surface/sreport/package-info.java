@NullMarked
package io.dure.surface.sreport;

import org.jspecify.annotations.NullMarked;
