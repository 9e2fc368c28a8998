/** What a command is, what it is given, and how it says that something went wrong. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.command;
