/** Messages to a user, and the exception that ends a command with them. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.message;
