package io.dure.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a batch job runs and in which surroundings.
 *
 * @param script the script's bytes, one char (0 to 255) for each byte
 * @param arguments arguments of the script
 * @param environment {@code NAME=value} as the user had them, after {@code --export}
 * @param loadUserEnvironment true to start from the user's login environment
 * @param workDirectory absolute path
 * @param standardInput path pattern, null for /dev/null
 * @param standardOutput path pattern, null for the default name
 * @param standardError path pattern, null to join standard output
 * @param openMode what to do with files that exist
 * @param umask file mode mask, 0 to 0777
 * @param limits limits of setrlimit(2) to set
 * @param command path of the script as submitted, null for stdin or {@code --wrap}
 * @param submitLine the command line as typed
 * @param submitHost host that submitted
 * @param sessionId session (or process) id of the submitter
 */
public record Batch(
    String script,
    List<String> arguments,
    List<String> environment,
    boolean loadUserEnvironment,
    String workDirectory,
    @Nullable String standardInput,
    @Nullable String standardOutput,
    @Nullable String standardError,
    OpenMode openMode,
    int umask,
    List<ResourceLimit> limits,
    @Nullable String command,
    String submitLine,
    String submitHost,
    int sessionId) {

  /** The same without script and environment, which lists do not carry. */
  public Batch summary() {
    return new Batch(
        "",
        arguments,
        List.of(),
        loadUserEnvironment,
        workDirectory,
        standardInput,
        standardOutput,
        standardError,
        openMode,
        umask,
        List.of(),
        command,
        submitLine,
        submitHost,
        sessionId);
  }

  /** The same with the paths and the working directory of another one. */
  public Batch withOutput(Batch paths) {
    return new Batch(
        script,
        arguments,
        environment,
        loadUserEnvironment,
        paths.workDirectory(),
        paths.standardInput(),
        paths.standardOutput(),
        paths.standardError(),
        openMode,
        umask,
        limits,
        command,
        submitLine,
        submitHost,
        sessionId);
  }
}
