package io.dure.cli.command;

import java.util.List;

/**
 * What the calling process needs to run a step: it connects to the nodes itself, passes streams and
 * signals on, and says how the step ended.
 *
 * @param entries what it is told of the step, {@code key=value} each; docs/agent-protocol.md lists
 *     them
 * @param launches what it sends to nodes; the entries say which node gets which
 */
@SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
public record StepFrontEnd(List<String> entries, List<byte[]> launches) {
  /**
   * How the step ended.
   *
   * @param code exit code of {@code srun}
   * @param launchFailed whether no task was started, or the step was lost on a node
   * @param aborted whether the user gave up
   */
  public record Outcome(int code, boolean launchFailed, boolean aborted) {}
}
