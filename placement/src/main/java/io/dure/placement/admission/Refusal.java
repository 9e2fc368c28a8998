package io.dure.placement.admission;

import io.dure.model.ErrorCode;

/**
 * Why a request is not accepted.
 *
 * @param code Slurm's code and text
 * @param detail a line more for people, empty where the code says it all
 */
public record Refusal(ErrorCode code, String detail) {
  /** One of which the code says it all. */
  public Refusal(ErrorCode code) {
    this(code, "");
  }
}
