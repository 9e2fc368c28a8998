/** The entry of every command: picks the command by its name and gives it the real process. */
@org.jspecify.annotations.NullMarked
package io.dure.cli;
