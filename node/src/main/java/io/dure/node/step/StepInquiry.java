package io.dure.node.step;

import io.dure.protocol.step.StepAttachment;
import io.dure.protocol.step.StepQuestion;

/** What a program of this machine wants of steps that run here already. */
public sealed interface StepInquiry {
  /** The program. */
  Spawner.StepConnection connection();

  /** It asks for their processes and what they use. */
  record Figures(Spawner.StepConnection connection, StepQuestion question) implements StepInquiry {}

  /** It is to get the output of one. */
  record Attach(Spawner.StepConnection connection, StepAttachment step) implements StepInquiry {}
}
