package io.dure.model.step;

import org.jspecify.annotations.Nullable;

/** Which of a job's steps one is: what stands behind the dot of {@code 12.batch}. */
public sealed interface StepName {
  /** The step that runs the batch script on the first node. */
  record BatchStep() implements StepName {}

  /** The step that takes in what reaches a job's nodes from outside, such as a login. */
  record ExternStep() implements StepName {}

  /** The step of an interactive allocation's shell. */
  record InteractiveStep() implements StepName {}

  /** A step that the job itself launched, counted from 0. */
  record NumberedStep(int number) implements StepName {}

  /** As Slurm writes it: {@code batch}, {@code extern}, {@code interactive}, {@code 0}. */
  default String text() {
    return switch (this) {
      case BatchStep _ -> "batch";
      case ExternStep _ -> "extern";
      case InteractiveStep _ -> "interactive";
      case NumberedStep(int number) -> Integer.toString(number);
    };
  }

  /** The step of that name, null if no step is called so. */
  static @Nullable StepName parse(String text) {
    return switch (text) {
      case "batch" -> new BatchStep();
      case "extern" -> new ExternStep();
      case "interactive" -> new InteractiveStep();
      default -> numbered(text);
    };
  }

  private static @Nullable StepName numbered(String text) {
    try {
      int number = Integer.parseInt(text);
      return Integer.toString(number).equals(text) && number >= 0 ? new NumberedStep(number) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
