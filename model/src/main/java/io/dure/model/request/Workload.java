package io.dure.model.request;

import io.dure.model.jobtext.TextId;
import io.dure.model.step.StepSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a job runs, and from where it was submitted. */
public sealed interface Workload {
  /** Files of jobs held a batch script before there was anything else. */
  String UNTAGGED = "Batch";

  /**
   * What a batch job runs and in which surroundings. The two long texts stand elsewhere, once for
   * all jobs that share them; here are their names, which a submission leaves open ({@link
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
   * @param limitsOfSite whether of the limits only those are set that the site names
   */
  @RecordBuilder
  record BatchSpec(
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
      int sessionId,
      boolean limitsOfSite)
      implements Workload, WorkloadBatchSpecBuilder.With {
    static final String TAG = "Batch";

    /** Characters of the command line, and of the arguments together, that lists carry. */
    private static final int LISTED = 4096;

    /** A script without any text, for records of jobs that never run here. */
    public static BatchSpec nothing(String workDirectory) {
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
          1,
          false);
    }

    @Override
    public BatchSpec summary() {
      return with()
          .script(TextId.EMPTY)
          .environment(TextId.EMPTY)
          .limits(List.of())
          .arguments(shortened(arguments))
          .submitLine(shortened(submitLine))
          .build();
    }

    private static String shortened(String line) {
      return line.length() <= LISTED ? line : line.substring(0, LISTED) + "...";
    }

    /** The first that have room together, the last of them cut. */
    private static List<String> shortened(List<String> words) {
      int room = LISTED;
      for (int i = 0; i < words.size(); i++) {
        room -= words.get(i).length() + 1;
        if (room < 0) {
          List<String> few = new ArrayList<>(words.subList(0, i));
          few.add(words.get(i).substring(0, Math.max(0, room + words.get(i).length())) + "...");
          return List.copyOf(few);
        }
      }
      return words;
    }

    @Override
    public BatchSpec withOutput(BatchSpec paths) {
      return with()
          .workDirectory(paths.workDirectory())
          .standardInput(paths.standardInput())
          .standardOutput(paths.standardOutput())
          .standardError(paths.standardError())
          .build();
    }

    @Override
    public BatchSpec withTexts(TextId nextScript, TextId nextEnvironment) {
      return with().script(nextScript).environment(nextEnvironment).build();
    }
  }

  /**
   * An allocation in which a user works: nothing runs but what its user starts there.
   *
   * @param workDirectory absolute path
   * @param submitLine the command line as typed
   * @param submitHost host that submitted
   * @param sessionId session (or process) id of the submitter
   * @param step the step that begins with it and whose end is its end ({@code srun}); null where
   *     its user ends it ({@code salloc})
   */
  record InteractiveAllocation(
      String workDirectory,
      String submitLine,
      String submitHost,
      int sessionId,
      @Nullable StepSpec step)
      implements Workload {
    static final String TAG = "InteractiveAllocation";
  }

  /**
   * Something that another system runs on the nodes, such as a pod.
   *
   * @param system which system that is
   * @param reference what it is called there
   */
  record External(String system, String reference) implements Workload {
    static final String TAG = "External";
  }

  /**
   * Nodes that another cluster has for a while.
   *
   * @param cluster which cluster
   */
  record LentNodes(String cluster) implements Workload {
    static final String TAG = "LentNodes";
  }

  /** The directory in which it was submitted, absolute. */
  default String workDirectory() {
    return "/";
  }

  /** The command line with which it was submitted, empty for none. */
  default String submitLine() {
    return "";
  }

  /** The host that submitted it, empty for none. */
  default String submitHost() {
    return "";
  }

  /** Session (or process) id of the submitter, 0 for none. */
  default int sessionId() {
    return 0;
  }

  /** Path of its script as submitted, null where it has none. */
  default @Nullable String command() {
    return null;
  }

  /** Arguments of its script. */
  default List<String> arguments() {
    return List.of();
  }

  /** Names its script, {@link TextId#EMPTY} where it has none. */
  default TextId script() {
    return TextId.EMPTY;
  }

  /** Names the variables that it brings, {@link TextId#EMPTY} where it brings none. */
  default TextId environment() {
    return TextId.EMPTY;
  }

  /** Path pattern of its standard input, null for /dev/null. */
  default @Nullable String standardInput() {
    return null;
  }

  /** Path pattern of its standard output, null for the default name. */
  default @Nullable String standardOutput() {
    return null;
  }

  /** Path pattern of its standard error, null where that joins the output. */
  default @Nullable String standardError() {
    return null;
  }

  /** The same without texts and limits, and without the end of long lines: as lists carry it. */
  default Workload summary() {
    return this;
  }

  /** The same with the paths and the working directory of a script. */
  default Workload withOutput(BatchSpec paths) {
    return this;
  }

  /** The same with these texts. */
  default Workload withTexts(TextId nextScript, TextId nextEnvironment) {
    return this;
  }
}
