package io.dure.model;

import io.dure.model.jobtext.TextId;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a batch job runs and in which surroundings. The two long texts stand elsewhere, once for all
 * jobs that share them; here are their names, which a submission leaves open ({@link
 * TextId#EMPTY}): the controller fills them in.
 *
 * @param script names the script, see {@link JobTexts#script}
 * @param arguments arguments of the script
 * @param environment names the variables, see {@link JobTexts#environment}
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
@RecordBuilder
public record BatchSpec(
    TextId script,
    List<String> arguments,
    TextId environment,
    boolean loadUserEnvironment,
    String workDirectory,
    @Nullable String standardInput,
    @Nullable String standardOutput,
    @Nullable String standardError,
    OpenMode openMode,
    int umask,
    List<PropagatedRlimit> limits,
    @Nullable String command,
    String submitLine,
    String submitHost,
    int sessionId)
    implements BatchSpecBuilder.With {

  /** What runs nothing that anybody wrote, for records of jobs that never run here. */
  public static BatchSpec empty(String workDirectory) {
    return new BatchSpec(
        TextId.EMPTY,
        List.of(),
        TextId.EMPTY,
        false,
        workDirectory,
        null,
        null,
        null,
        OpenMode.DEFAULT,
        022,
        List.of(),
        null,
        "sbatch",
        "localhost",
        1);
  }

  /** The same without texts and limits, which lists do not carry. */
  public BatchSpec summary() {
    return with().script(TextId.EMPTY).environment(TextId.EMPTY).limits(List.of()).build();
  }

  /** The same with the paths and the working directory of another one. */
  public BatchSpec withOutput(BatchSpec paths) {
    return with()
        .workDirectory(paths.workDirectory())
        .standardInput(paths.standardInput())
        .standardOutput(paths.standardOutput())
        .standardError(paths.standardError())
        .build();
  }

  /** The same with these texts. */
  public BatchSpec withTexts(TextId nextScript, TextId nextEnvironment) {
    return with().script(nextScript).environment(nextEnvironment).build();
  }
}
