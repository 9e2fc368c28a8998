package io.dure.host.lua;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What runs, and in which surroundings.
 *
 * @param file the script of the site
 * @param prelude {@code job_submit.lua} or {@code cli_filter.lua}: what the script is for
 * @param bounds how much it may take
 * @param constants words of {@code slurm} that the script may read
 * @param environment its variables, null for those of this process
 * @param directory its working directory, null for that of this process
 * @param terminal whether it may ask the user at the terminal of this process
 */
public record LuaProgram(
    Path file,
    String prelude,
    LuaBounds bounds,
    Map<String, Long> constants,
    @Nullable Map<String, String> environment,
    @Nullable Path directory,
    boolean terminal) {
  /** A script in the surroundings of this process. */
  public LuaProgram(Path file, String prelude, LuaBounds bounds, Map<String, Long> constants) {
    this(file, prelude, bounds, constants, null, null, false);
  }
}
