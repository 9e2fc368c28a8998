/** The real process around a command: its words, environment, limits and clock. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.process;
