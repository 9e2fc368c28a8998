package io.dure.protocol;

import io.dure.model.request.PropagatedRlimit;
import io.dure.model.step.MpiInterface;
import io.dure.model.step.TaskProgram;
import io.dure.protocol.step.TaskBinding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code srun} sends to each node of a step: the credential, and what to run.
 *
 * @param credential a {@link StepCredential} in bytes, as it was signed
 * @param signature the controller's signature of it
 * @param programs what its tasks run
 * @param environment variables, {@code NAME=VALUE} each
 * @param workDirectory where tasks begin, absolute
 * @param umask file mode mask, 0 to 0777
 * @param limits limits of setrlimit(2) to set
 * @param streams where input, output and errors of the tasks come from and go to
 * @param mpi how its MPI processes find each other
 * @param binding what its tasks are bound to
 * @param taskProlog a program to run before each task, after the site's; null for none
 * @param taskEpilog one to run after it, before the site's; null for none
 * @param keepsCounts whether tasks see the numbers of nodes and tasks that {@code environment} has,
 *     and not those of the step
 * @param accountingFrequency {@code --acctg-freq}, null for the job's
 * @param profile {@code --profile}, null for the job's
 * @param awaitsChildren whether the step lasts as long as processes that its tasks leave behind
 */
@SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
public record StepLaunchOrder(
    byte[] credential,
    byte[] signature,
    List<TaskProgram> programs,
    List<String> environment,
    String workDirectory,
    int umask,
    List<PropagatedRlimit> limits,
    Streams streams,
    MpiService mpi,
    TaskBinding binding,
    @Nullable String taskProlog,
    @Nullable String taskEpilog,
    boolean keepsCounts,
    @Nullable String accountingFrequency,
    @Nullable String profile,
    boolean awaitsChildren) {

  /**
   * What serves the MPI processes of the step.
   *
   * @param type what they speak; null for what the node's configuration says
   * @param token letters and digits that only the step's tasks know
   * @param across the components of the heterogeneous step that it is a part of, null for none
   */
  public record MpiService(
      @Nullable MpiInterface type, String token, @Nullable MpiComponents across) {
    /** Nothing. */
    public static final MpiService NONE = new MpiService(MpiInterface.NONE, "", null);
  }

  /**
   * What the MPI processes of several components have in common: they are one world.
   *
   * @param step what it is called, {@code 12.0}
   * @param nodes {@code NAME:RANKS} of each node of all components, in order
   * @param first which of them is the component's first
   */
  public record MpiComponents(String step, List<String> nodes, int first) {}

  /**
   * Where streams come from and go to.
   *
   * @param input path pattern; empty for the front end
   * @param output path pattern; empty for the front end
   * @param error path pattern; empty for the front end
   * @param append whether files that exist are kept
   * @param unbuffered whether output that has no end of line yet is sent, too
   * @param terminalRows rows of the terminal that the first task gets, 0 for none
   * @param terminalColumns its columns
   * @param labelled whether lines that nodes write to files begin with the number of their task
   */
  public record Streams(
      String input,
      String output,
      String error,
      boolean append,
      boolean unbuffered,
      int terminalRows,
      int terminalColumns,
      boolean labelled) {
    /** All of them at the front end. */
    public static final Streams OF_FRONT_END = new Streams("", "", "", false, false, 0, 0, false);
  }
}
