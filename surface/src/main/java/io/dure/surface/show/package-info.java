/** Records as scontrol show prints them. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.show;
