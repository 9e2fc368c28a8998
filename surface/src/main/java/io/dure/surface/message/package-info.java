/** What is said to a user, and how it is said that something cannot be done. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.message;
