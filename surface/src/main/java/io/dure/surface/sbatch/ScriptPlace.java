package io.dure.surface.sbatch;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where a batch script is looked for.
 *
 * @param directory where relative names start, absolute
 * @param environment of which PATH names the directories with commands
 * @param in standard input, for a call that names no script
 * @param files the caller's files
 */
public record ScriptPlace(
    Path directory, Map<String, String> environment, InputStream in, CallerFiles files) {}
