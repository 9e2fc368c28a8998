/** Phrases of the commands in the user's language. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.language;
