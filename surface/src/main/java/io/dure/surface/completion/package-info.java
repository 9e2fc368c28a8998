/** Records of ended jobs as JobCompType writes them, and what sacct reads of them. */
@NullMarked
package io.dure.surface.completion;

import org.jspecify.annotations.NullMarked;
