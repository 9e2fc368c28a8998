package io.dure.core.controller;

import io.dure.core.model.ErrorCode;
import java.util.List;

/**
 * What is to happen: events to store and apply, effects to perform after that, the answer to give
 * then.
 */
public record Decision(List<Event> events, List<Effect> effects, Reply reply) {

  /** Nothing changes; {@code Done}. */
  public static final Decision NOTHING = new Decision(List.of(), List.of(), new Reply.Done());

  /** Nothing changes: a refusal in Slurm's words. */
  public static Decision refuse(ErrorCode code) {
    return refuse(code, "");
  }

  /** Nothing changes: a refusal in Slurm's words and some of our own. */
  public static Decision refuse(ErrorCode code, String detail) {
    return new Decision(List.of(), List.of(), new Reply.Refused(code, detail));
  }
}
