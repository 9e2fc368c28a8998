package io.dure.model.step;

import org.jspecify.annotations.Nullable;

/** Which of a job's steps one is: what stands behind the dot of {@code 12.batch}. */
public sealed interface StepName {
  /** The step that runs the batch script on the first node. */
  record BatchStep() implements StepName {
    /** The number that Slurm gives it. */
    public static final int NUMBER = -5;
  }

  /** The step that takes in what reaches a job's nodes from outside, such as a login. */
  record ExternStep() implements StepName {
    /** The number that Slurm gives it. */
    public static final int NUMBER = -4;
  }

  /** The step of an interactive allocation's shell. */
  record InteractiveStep() implements StepName {
    /** The number that Slurm gives it. */
    public static final int NUMBER = -6;
  }

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

  /** Its number: Slurm counts the ones with names down from the highest of 32 bits. */
  default int number() {
    return switch (this) {
      case BatchStep _ -> BatchStep.NUMBER;
      case ExternStep _ -> ExternStep.NUMBER;
      case InteractiveStep _ -> InteractiveStep.NUMBER;
      case NumberedStep(int number) -> number;
    };
  }

  /** The number as {@code SLURM_STEP_ID} has it. */
  default String id() {
    return Integer.toUnsignedString(number());
  }

  /** The step of that number. */
  static StepName of(int number) {
    return switch (number) {
      case BatchStep.NUMBER -> new BatchStep();
      case ExternStep.NUMBER -> new ExternStep();
      case InteractiveStep.NUMBER -> new InteractiveStep();
      default -> new NumberedStep(number);
    };
  }

  /** What stands behind the dot for the step of that number. */
  static String text(int number) {
    return of(number).text();
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
