package io.dure.cli.torque;

import io.dure.cli.command.CapturedCall;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Question;
import io.dure.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.List;

/** Commands of Slurm that are carried out for one of PBS, whose errors are told as PBS does. */
record PbsCall(CommandContext context) {
  /** PBS's numbers of errors, cut to a byte: 15001, 15007 and 15018. */
  static final int UNKNOWN_JOB = 153;

  private static final int NOT_PERMITTED = 159;
  private static final int WRONG_STATE = 170;

  /**
   * Runs a command about one job.
   *
   * @param job as the user named it
   * @return exit code of PBS, 0 where it went well
   */
  int about(String job, CliCommand command, String name, List<String> words) {
    CapturedCall call = CapturedCall.of(command, context, name, words);
    String said = call.printed() + call.complaints();
    if (said.contains(ErrorCode.INVALID_JOB_ID.text())) {
      return failed("Unknown Job Id " + job, UNKNOWN_JOB);
    }
    if (said.contains(ErrorCode.ALREADY_DONE.text())) {
      return failed("Request invalid for state of job " + job, WRONG_STATE);
    }
    if (said.contains(ErrorCode.ACCESS_DENIED.text())) {
      return failed("Unauthorized Request " + job, NOT_PERMITTED);
    }
    if (call.code() != 0) {
      return failed(said.strip() + " " + job, call.code());
    }
    return 0;
  }

  /** Asks the controller; what it refuses is told as PBS does. */
  static <R extends Response> R ask(CommandContext context, Request request, Class<R> type)
      throws CommandException {
    return Question.ask(
        context,
        text -> new CommandException(1, List.of(StderrMessage.info(text))),
        null,
        request,
        type);
  }

  int failed(String text, int code) {
    context.report(StderrMessage.info(text));
    return code;
  }
}
