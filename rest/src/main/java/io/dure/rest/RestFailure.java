package io.dure.rest;

import io.dure.surface.json.DocumentProblem;

/** Why an operation was not done. The answer tells of it in its list of errors. */
public final class RestFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final int status;
  private final transient DocumentProblem problem;

  /**
   * A failure.
   *
   * @param status of HTTP, from 400 up
   */
  public RestFailure(int status, DocumentProblem problem) {
    super(problem.description());
    this.status = status;
    this.problem = problem;
  }

  /** Status of HTTP. */
  public int status() {
    return status;
  }

  /** What the answer says. */
  public DocumentProblem problem() {
    return problem;
  }
}
