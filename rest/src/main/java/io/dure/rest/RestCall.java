package io.dure.rest;

import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.body.RequestDocument;
import io.dure.surface.json.DocumentProblem;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.value.WallClock;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request that was understood, with the way to the controller and the place of the answer.
 * One thread.
 *
 * @param session asks for the caller
 * @param target takes the answer
 * @param status sets the status of an answer that tells of a failure, before it begins
 */
public record RestCall(
    RestRequest request, RequestSession session, JsonTarget target, IntConsumer status) {
  /** The status that Slurm 26.05 has where earlier ones had 500. */
  public static final int UNPROCESSABLE = 422;

  private static final int UNAVAILABLE = 503;
  private static final int UNKNOWN = 500;

  /**
   * Asks, and expects a certain response.
   *
   * @param source that an error names, such as {@code slurm_load_jobs}
   * @throws RestFailure with the controller's error if it refuses
   */
  public <T extends Response> T ask(Request request, Class<T> expected, String source)
      throws RestFailure, IOException, InterruptedException {
    Response response = session.ask(request);
    if (expected.isInstance(response)) {
      return expected.cast(response);
    }
    throw failure(response, source);
  }

  /**
   * The cluster as it is.
   *
   * @throws RestFailure with the controller's error if it refuses
   */
  public Response.Cluster cluster(String source)
      throws RestFailure, IOException, InterruptedException {
    return ask(new Request.ShowCluster(null, true), Response.Cluster.class, source);
  }

  /** What the request brought. */
  public RequestDocument document() {
    return request.document();
  }

  /** The answer, which is still to be begun, tells of a failure. */
  public void failed() {
    status.accept(UNPROCESSABLE);
  }

  /** The moment, in the zone of this host. */
  public WallClock clock() {
    return new WallClock.Fixed(Instant.now(), ZoneId.systemDefault());
  }

  /** A value of the path. */
  public String path(String name) {
    String value = request.path().get(name);
    if (value == null) {
      throw new IllegalArgumentException("the path has no " + name);
    }
    return value;
  }

  /** A value behind the question mark, null if it is not there. */
  public @Nullable String query(String name) {
    return request.query().get(name);
  }

  /** An error of the call. */
  public static RestFailure failure(ErrorCode code, String description, String source) {
    return new RestFailure(UNPROCESSABLE, new DocumentProblem(description, code, source));
  }

  /** The controller's error where it gave another answer than was expected. */
  public static RestFailure failure(Response response, String source) {
    if (response instanceof Response.Failed(ErrorCode code, String detail, boolean mayBeDone)) {
      // What may have been done is not to be asked for again without a look.
      int status = mayBeDone ? UNKNOWN : code == ErrorCode.IN_STANDBY ? UNAVAILABLE : UNPROCESSABLE;
      return new RestFailure(status, new DocumentProblem(text(code, detail), code, source));
    }
    if (response instanceof Response.Decided(Reply.Refused(ErrorCode code, String detail, _))) {
      return failure(code, text(code, detail), source);
    }
    return failure(ErrorCode.UNSPECIFIED, "the controller gave another answer", source);
  }

  private static String text(ErrorCode code, String detail) {
    return detail.isEmpty() ? code.text() : detail;
  }
}
