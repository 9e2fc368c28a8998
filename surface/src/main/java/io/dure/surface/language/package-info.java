/** What commands say to people, in their language. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.language;
