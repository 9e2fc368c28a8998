package io.dure.surface.sacctmgr;

import io.dure.model.accounting.AccountingChange;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command said and wanted to change for one of several clusters, before anything of it is
 * printed or done. For one thread.
 */
final class ClusterPlan {
  private final StringBuilder printed = new StringBuilder();
  private final List<StderrMessage> told = new ArrayList<>();
  private @Nullable Wish wish;
  private int exitCode;

  /** A command, for the cluster that the session is at. */
  interface Action {
    /**
     * Does it.
     *
     * @throws CommandException if it goes no further
     */
    void run() throws CommandException;
  }

  /**
   * Changes that were wanted.
   *
   * @param prefix what stands before the text of a refusal
   * @param report what is printed once they are made, or before the question; null where all is
   *     printed already
   * @param allowed whether the caller may make them
   */
  record Wish(
      String prefix, @Nullable String report, List<AccountingChange> changes, boolean allowed) {}

  void print(String text) {
    printed.append(text);
  }

  void tell(StderrMessage message) {
    told.add(message);
  }

  void wish(Wish wanted) {
    wish = wanted;
  }

  void exitCode(int code) {
    exitCode = code;
  }

  String printed() {
    return printed.toString();
  }

  List<StderrMessage> told() {
    return told;
  }

  @Nullable Wish wish() {
    return wish;
  }

  int exitCode() {
    return exitCode;
  }
}
