/**
 * Texts that users give to real daemons: long ones, ones for terminals, ones that others must not
 * see.
 */
@org.jspecify.annotations.NullMarked
package io.dure.e2e.texts;
