package io.dure.cli.scrontab;

import io.dure.surface.message.StderrMessage;
import io.dure.surface.scrontab.CrontabFile;
import java.util.ArrayList;
import java.util.List;

/**
 * Why a crontab was not taken.
 *
 * @param problems which of its lines
 * @param messages what to tell of them
 */
record CrontabFaults(List<CrontabFile.Problem> problems, List<StderrMessage> messages) {

  /** Those of these lines, each told in a message behind some others. */
  static CrontabFaults of(List<CrontabFile.Problem> problems, List<StderrMessage> before) {
    List<StderrMessage> messages = new ArrayList<>(before);
    for (CrontabFile.Problem problem : problems) {
      String lines =
          problem.firstLine() == problem.lastLine()
              ? "line " + problem.lastLine()
              : "lines " + problem.firstLine() + "-" + problem.lastLine();
      messages.add(StderrMessage.error(lines + ": " + problem.text()));
    }
    return new CrontabFaults(List.copyOf(problems), List.copyOf(messages));
  }
}
