package io.dure.controller.server;

import io.dure.controller.service.JobChangeFeed;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.parameters.MetricsSettings;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.rest.RequestPort;
import io.dure.rest.RequestSession;
import io.dure.rest.RestCredential;
import io.dure.rest.metrics.MetricsAccess;
import io.dure.rest.metrics.MetricsPort;
import io.dure.rest.metrics.StoredEvents;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Answers what came by HTTP as what came by the RPC protocol is answered. Any thread. */
public final class HttpRequestPort implements RequestPort, MetricsPort {
  /** The HTTP server cuts who sends more slowly; this bound is not used. */
  private static final Duration TRANSFER = Duration.ofSeconds(60);

  private final CommandSession.CommandServices wiring;

  /** With what sessions of commands have. */
  public HttpRequestPort(CommandSession.CommandServices wiring) {
    this.wiring = wiring;
  }

  @Override
  public @Nullable RequestSession open(RestCredential credential) {
    Caller.User caller =
        switch (credential) {
          case RestCredential.Peer(int uid, int gid) -> wiring.callers().of(uid, gid);
          case RestCredential.Token(String token, String user) ->
              wiring.tokens().caller(token, user);
        };
    return caller == null ? null : new HttpSession(caller, true);
  }

  @Override
  public boolean isReady() {
    return wiring.handler().get() != null;
  }

  @Override
  public @Nullable MetricsAccess access() {
    RequestHandler leading = wiring.handler().get();
    ClusterSettings settings = leading == null ? null : leading.settings();
    MetricsSettings metrics = settings == null ? null : settings.rules().metrics();
    return settings == null || metrics == null
        ? null
        : new MetricsAccess(metrics.isOpen(settings.controller().privateData()), metrics.users());
  }

  /** As root, which sees all; how often is bounded by who asks for metrics. */
  @Override
  public RequestSession openForMetrics() {
    return new HttpSession(wiring.callers().of(0, 0), false);
  }

  @Override
  public @Nullable StoredEvents stored() {
    RequestHandler leading = wiring.handler().get();
    return leading == null ? null : leading.stored();
  }

  /** One HTTP request: a listing goes on within it. */
  private final class HttpSession implements RequestSession {
    private final Caller.User caller;
    private final boolean limited;
    private final JobChangeFeed feed = new JobChangeFeed();
    private final RequestQuotas.Claim memory;
    private boolean counted;

    /**
     * A session.
     *
     * @param limited whether the caller may only ask so often
     */
    HttpSession(Caller.User caller, boolean limited) {
      this.caller = caller;
      this.limited = limited;
      memory = new RequestQuotas.Claim(wiring.quotas(), caller.identity().uid(), TRANSFER);
    }

    @Override
    public Caller.User caller() {
      return caller;
    }

    @Override
    public void admit(int bytes) throws IOException {
      // Before anything is read; the first question is free then.
      if (limited && !wiring.rate().take(caller.identity().uid(), wiring.clock().instant())) {
        throw new IOException(ErrorCode.RATE_LIMITED.text());
      }
      counted = true;
      var _ = memory.admit(bytes);
    }

    @Override
    public Response ask(Request request) throws InterruptedException {
      // The parts of one listing are one request.
      boolean free = counted;
      counted = false;
      if (limited
          && !free
          && !(request instanceof Request.MoreJobs && feed.isListing())
          && !wiring.rate().take(caller.identity().uid(), wiring.clock().instant())) {
        return new Response.Failed(ErrorCode.RATE_LIMITED, "");
      }
      RequestHandler leading = wiring.handler().get();
      return leading == null
          ? wiring.standby().answer(request, caller)
          : leading.answer(request, caller, feed);
    }

    @Override
    public void close() {
      memory.close();
    }
  }
}
