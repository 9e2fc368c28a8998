package io.dure.cli.connect;

import io.dure.cli.command.ControllerConnection;
import io.dure.host.net.Connection;
import io.dure.model.ErrorCode;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests and answers as frames. For one thread. */
final class DirectConnection implements ControllerConnection {
  /** Jobs of one answer: a fraction of a second's work, a few MiB. */
  private static final int MOST_JOBS = 25_000;

  private final Connection connection;
  private final Duration limit;
  private final RecordCodec<Request> requests = WireCodecs.requests();
  private final RecordCodec<Response> responses = WireCodecs.responses().sharing();

  private DirectConnection(Connection connection, Duration limit) {
    this.connection = connection;
    this.limit = limit;
  }

  /**
   * Takes a connection over and says what speaks.
   *
   * @param magic the first bytes
   * @param limit longest time to wait for an answer
   */
  static DirectConnection start(Connection connection, int magic, Duration limit)
      throws IOException {
    connection.sendMagic(magic);
    return new DirectConnection(connection, limit);
  }

  /** Sends a request that has no answer of its own. */
  void tell(Request request) throws IOException {
    connection.send(requests.encode(request));
  }

  @Override
  public Response ask(Request request) throws IOException {
    return request instanceof Request.ListJobs list && list.jobIds().isEmpty()
        ? listing(exchange(list.inParts(MOST_JOBS), limit))
        : exchange(request, limit);
  }

  /** All jobs of a listing that comes in parts: the time limit is for each of them. */
  private Response listing(Response first) throws IOException {
    if (!(first instanceof Response.Jobs jobs) || jobs.left() == 0) {
      return first;
    }
    List<JobInfo> all = new ArrayList<>(jobs.jobs().size() + jobs.left());
    all.addAll(jobs.jobs());
    for (int left = jobs.left(); left > 0; ) {
      if (!(exchange(new Request.MoreJobs(MOST_JOBS), limit) instanceof Response.Jobs next)) {
        throw new IOException("the controller did not tell all jobs");
      }
      all.addAll(next.jobs());
      left = next.left();
    }
    return new Response.Jobs(all, jobs.now());
  }

  @Override
  public Response await(Request request) throws IOException {
    // The controller answers in time, be it that nothing has happened; one that hangs does not.
    return exchange(request, limit.plus(WireCodecs.LONGEST_WAIT));
  }

  private Response exchange(Request request, Duration longest) throws IOException {
    connection.timeLimit(longest);
    try {
      tell(request);
    } catch (SocketTimeoutException e) {
      throw timedOut(e);
    } catch (IOException e) {
      Response refusal = refusal();
      if (refusal != null) {
        return refusal;
      }
      throw new RequestNotSentException("Unable to contact slurm controller (send failure)", e);
    }
    byte[] answer;
    try {
      answer = connection.receive();
    } catch (SocketTimeoutException e) {
      throw timedOut(e);
    } catch (IOException e) {
      throw new IOException("Unable to contact slurm controller (receive failure)", e);
    }
    if (answer == null) {
      throw new IOException("Zero Bytes were transmitted or received");
    }
    try {
      return responses.decode(answer);
    } catch (MalformedMessageException e) {
      throw new IOException("Incompatible versions of client and server code", e);
    }
  }

  /** That the controller does not believe the caller, where it hung up before it was asked. */
  private @Nullable Response refusal() {
    try {
      byte[] said = connection.receive();
      return said != null
              && responses.decode(said) instanceof Response.Failed failed
              && failed.code() == ErrorCode.AUTHENTICATION
          ? failed
          : null;
    } catch (IOException | MalformedMessageException e) {
      return null;
    }
  }

  private static IOException timedOut(IOException cause) {
    return new IOException("Socket timed out on send/recv operation", cause);
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
