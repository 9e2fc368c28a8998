package io.dure.cli.command;

/**
 * The size of a terminal.
 *
 * @param rows its lines, 0 where that is not known
 * @param columns letters of a line, 0 where that is not known
 */
public record TerminalSize(int rows, int columns) {}
