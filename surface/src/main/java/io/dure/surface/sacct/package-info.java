/** What {@code sacct} asks for and prints. */
@NullMarked
package io.dure.surface.sacct;

import org.jspecify.annotations.NullMarked;
