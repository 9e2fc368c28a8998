package io.dure.surface.sbatch;

import org.jspecify.annotations.Nullable;

/**
 * The script of a batch job.
 *
 * @param content its bytes, one char (0 to 255) for each byte
 * @param label how messages call it
 * @param jobName the name of a job without {@code --job-name}
 * @param path its absolute path, null for standard input and {@code --wrap}
 */
public record BatchScript(String content, String label, String jobName, @Nullable String path) {}
