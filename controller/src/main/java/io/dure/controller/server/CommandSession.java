package io.dure.controller.server;

import io.dure.controller.service.CallerDirectory;
import io.dure.controller.service.JobChangeFeed;
import io.dure.host.net.Connection;
import io.dure.host.quota.Quota;
import io.dure.host.quota.RequestRateLimiter;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One connection of a command: requests one after the other, each answered. One thread. */
public final class CommandSession {
  private static final RecordCodec<Request> REQUESTS = WireCodecs.requests().strict();
  private static final RecordCodec<Response> RESPONSES = WireCodecs.responses();

  /** For long lists that are requested in parts: those clients read this encoding. */
  private static final RecordCodec<Response> LISTS = RESPONSES.sharing();

  private static final Duration IDLE = Duration.ofMinutes(10);

  /** For a request that has begun to come, and for an answer to be taken. */
  private static final Duration TRANSFER = Duration.ofSeconds(60);

  private static final Duration SKEW = Duration.ofMinutes(5);

  private final Connection connection;
  private final CommandServices wiring;
  private final JobChangeFeed feed = new JobChangeFeed();
  private RecordCodec<Response> answers = RESPONSES;
  private @Nullable Runnable ending;

  /**
   * What sessions need of the controller.
   *
   * @param handler answers while this controller leads, null while it is in standby
   * @param standby answers then
   * @param tokens those of {@code auth/jwt}
   * @param end ends the controller, once the caller has the response
   * @param abort the same at once, with a core file
   */
  public record CommandServices(
      Supplier<@Nullable RequestHandler> handler,
      StandbyHandler standby,
      CallerDirectory callers,
      RequestRateLimiter rate,
      RequestQuotas quotas,
      ClusterKey key,
      UserTokens tokens,
      InstantSource clock,
      Runnable end,
      Runnable abort) {}

  /** A session on an accepted connection whose first bytes have been read. */
  public CommandSession(Connection connection, CommandServices wiring) {
    this.connection = connection;
    this.wiring = wiring;
  }

  /** Serves a caller of this machine, identified by the kernel. */
  public void runLocal(int uid, int gid) throws IOException, InterruptedException {
    serve(wiring.callers().of(uid, gid));
  }

  /**
   * Serves a caller of another machine, or of an agent: a token comes first.
   *
   * @param distrust why tokens of the cluster's key are not taken of who has connected, null if
   *     they are; those of {@code auth/jwt} are taken of everybody
   */
  public void runWithToken(@Nullable String distrust) throws IOException, InterruptedException {
    byte[] first = connection.receive(WireCodecs.MAX_GREETING);
    if (first == null || !(REQUESTS.decode(first) instanceof Request.Greeting greeting)) {
      return;
    }
    boolean ofCluster = greeting.token().startsWith(AuthToken.BEGINNING);
    if (ofCluster && distrust != null) {
      refuse(distrust);
      return;
    }
    Caller.User caller =
        ofCluster
            ? vouchedFor(greeting.token())
            : wiring.tokens().caller(greeting.token(), greeting.user());
    if (caller == null) {
      refuse("token not valid");
    } else {
      serve(caller);
    }
  }

  private Caller.@Nullable User vouchedFor(String token) {
    return AuthToken.verify(token, wiring.key(), wiring.clock().instant(), SKEW)
                instanceof AuthToken.Verdict.Valid(AuthToken valid)
            && valid.kind() == AuthToken.Kind.USER
        ? wiring.callers().of(valid.uid(), valid.gid(), valid.host())
        : null;
  }

  /** Says that the caller is not believed; of a token that is not valid never why. */
  private void refuse(String why) throws IOException {
    connection.send(RESPONSES.encode(new Response.Failed(ErrorCode.AUTHENTICATION, why)));
    // A connection that is closed before what has come on it is read may lose what was said.
    connection.receive(WireCodecs.MAX_GREETING);
  }

  private void serve(Caller.User caller) throws IOException, InterruptedException {
    int uid = caller.identity().uid();
    Quota<Integer> responses = wiring.quotas().responses();
    while (true) {
      connection.timeLimit(IDLE);
      Response response = next(caller);
      if (response == null) {
        return;
      }
      responses.acquire(uid, 1);
      try {
        connection.timeLimit(TRANSFER);
        connection.send(answers.encode(response));
      } finally {
        responses.release(uid, 1);
        if (ending != null) {
          ending.run();
        }
      }
    }
  }

  /** The answer to the next request, null when there is none. */
  private @Nullable Response next(Caller.User caller) throws IOException, InterruptedException {
    try (RequestQuotas.Claim claim =
        new RequestQuotas.Claim(wiring.quotas(), caller.identity().uid(), TRANSFER)) {
      byte[] frame = connection.receive(WireCodecs.MAX_REQUEST, claim);
      return frame == null ? null : answer(frame, caller);
    }
  }

  private Response answer(byte[] frame, Caller.User caller) throws InterruptedException {
    Request request;
    try {
      request = REQUESTS.decode(frame);
    } catch (MalformedMessageException e) {
      return new Response.Failed(ErrorCode.BAD_INPUT, String.valueOf(e.getMessage()));
    }
    // The parts of one listing are one request.
    if (!(request instanceof Request.MoreJobs && feed.isListing())
        && !wiring.rate().take(caller.identity().uid(), wiring.clock().instant())) {
      return new Response.Failed(ErrorCode.RATE_LIMITED, "");
    }
    RequestHandler leading = wiring.handler().get();
    Response response =
        leading == null
            ? wiring.standby().answer(request, caller)
            : leading.answer(request, caller, feed);
    answers = isInParts(request) ? LISTS : RESPONSES;
    ending =
        request instanceof Request.Shutdown shutdown && response instanceof Response.Decided
            ? shutdown.leavingCore() ? wiring.abort() : wiring.end()
            : null;
    return response;
  }

  private static boolean isInParts(Request request) {
    return request instanceof Request.MoreJobs
        || (request instanceof Request.ListJobs list && list.most() > 0)
        || (request instanceof Request.ChangedJobs changed && changed.most() > 0);
  }
}
