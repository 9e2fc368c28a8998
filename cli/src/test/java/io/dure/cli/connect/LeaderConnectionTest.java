package io.dure.cli.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.ControllerConnection;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.record.JobCorrection;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is sent again to which controller, and what is not. */
@Tag("pure")
class LeaderConnectionTest {
  private static final Response DONE = new Response.Decided(new Reply.Done());
  private static final Response STANDBY = new Response.Failed(ErrorCode.IN_STANDBY, "");
  private static final Response DEPOSED = new Response.Failed(ErrorCode.IN_STANDBY, "", true);

  /** The request came, and no answer. */
  private static final String LOST = "Zero Bytes";

  /** Nobody is there to connect to. */
  private static final String AWAY = "connect failure";

  /** The request did not leave. */
  private static final String UNSENT = "send failure";

  private static final Command.UserCommand HOLD =
      new Command.HoldJob(new JobSelector(7, null), false);
  private static final Request NAMED = new Request.Change(HOLD, null, "0".repeat(32));
  private static final Request NAMELESS = new Request.Change(HOLD, null);

  /** Three controllers of which each does next what the script says. */
  private static final class Doors implements ConnectionOpeners {
    final Deque<Object> script = new ArrayDeque<>();
    final List<String> heard = new ArrayList<>();

    /** Whoever asks has no more time after this answer. */
    @Nullable Response interrupts;

    Doors(Object... answers) {
      script.addAll(List.of(answers));
    }

    @Override
    public int count() {
      return 3;
    }

    @Override
    public String name(int door) {
      return "c" + door;
    }

    @Override
    public String host(int door) {
      return name(door);
    }

    @Override
    public ControllerConnection open(int door, Duration longest) throws IOException {
      if (AWAY.equals(script.peek())) {
        script.remove();
        throw new IOException(AWAY);
      }
      return new ControllerConnection() {
        @Override
        public Response ask(Request request) throws IOException {
          Object answer = script.remove();
          if (answer.equals(UNSENT)) {
            throw new RequestNotSentException(UNSENT, new IOException());
          }
          heard.add(door + " " + request.getClass().getSimpleName());
          if (answer.equals(LOST)) {
            throw new IOException(LOST);
          }
          if (answer.equals(interrupts)) {
            Thread.currentThread().interrupt();
          }
          return (Response) answer;
        }

        @Override
        public Response await(Request request) throws IOException {
          return ask(request);
        }

        @Override
        public void close() {}
      };
    }
  }

  private static Response ask(Doors doors, Request request) throws IOException {
    try (LeaderConnection connection = new LeaderConnection(doors)) {
      return connection.ask(request);
    }
  }

  @Test
  void whatIsKnownAgainIsAskedUntilItIsAnswered() throws IOException {
    Doors doors = new Doors(STANDBY, LOST, AWAY, DEPOSED, DONE);
    assertEquals(DONE, ask(doors, NAMED));
    assertEquals(List.of("0 Change", "1 Change", "0 Change", "1 Change"), doors.heard);
  }

  @Test
  void whatMayBeDoneIsAskedUntilItIsDecided() throws IOException {
    for (ErrorCode code :
        List.of(ErrorCode.RATE_LIMITED, ErrorCode.CANNOT_STORE, ErrorCode.AUTHENTICATION)) {
      Response refused = new Response.Failed(code, "");
      assertEquals(DONE, ask(new Doors(LOST, STANDBY, refused, AWAY, refused, DONE), NAMED));
      assertEquals(DONE, ask(new Doors(DEPOSED, refused, DONE), NAMED));
      assertEquals(refused, ask(new Doors(STANDBY, refused), NAMED), "it is not done");
    }
    Response invalid = new Response.Failed(ErrorCode.BAD_INPUT, "");
    assertEquals(invalid, ask(new Doors(LOST, invalid), new Request.Reconfigure()));
  }

  @Test
  void aRefusalThatIsNoDecisionLeavesItUnknown() {
    Response refused = new Response.Failed(ErrorCode.RATE_LIMITED, "");
    Doors doors = new Doors(LOST, refused, AWAY, DONE);
    doors.interrupts = refused;
    IOException unknown = assertThrows(IOException.class, () -> ask(doors, NAMED));
    assertTrue(Thread.interrupted());
    assertEquals(
        "Rate limit exceeded, please retry momentarily; the controller ended before it answered:"
            + " this may be done or not",
        unknown.getMessage());
  }

  @Test
  void whatWasNotCarriedOutIsAskedElsewhere() throws IOException {
    for (Request request :
        List.of(NAMELESS, new Request.Shutdown(true), new Request.TakeOver(-1), NAMED)) {
      assertEquals(DONE, ask(new Doors(STANDBY, UNSENT, STANDBY, DONE), request));
    }
  }

  @Test
  void whatMayBeDoneIsNotDoneAgain() {
    Request correction =
        new Request.CorrectJobs(
            List.of(new AttemptId(7, 1)), new JobCorrection("x", null, null, null));
    for (Request request :
        List.of(NAMELESS, new Request.Shutdown(true), new Request.TakeOver(-1), correction)) {
      Doors doors = new Doors(STANDBY, LOST, DONE);
      IOException unknown = assertThrows(IOException.class, () -> ask(doors, request));
      assertEquals(
          "Zero Bytes; the controller ended before it answered: this may be done or not",
          unknown.getMessage());
      assertEquals(1, doors.script.size(), "asked no third");
      Doors deposed = new Doors(DEPOSED, DONE);
      assertThrows(IOException.class, () -> ask(deposed, request));
      assertEquals(1, deposed.script.size(), "asked no second");
    }
  }

  @Test
  void questionsAndWhatComesToTheSameAreAskedAgain() throws IOException {
    for (Request request :
        List.of(
            new Request.ShowCluster(),
            new Request.Reconfigure(),
            new Request.TakeOver(1),
            new Request.ShowReplicas())) {
      assertEquals(DONE, ask(new Doors(LOST, DONE), request));
    }
  }

  /** Controllers that keep their connections and say nothing, but for some that live. */
  private static final class SilentDoors implements ConnectionOpeners {
    private final int leader;
    private final AtomicInteger left = new AtomicInteger();

    SilentDoors(int leader) {
      this.leader = leader;
    }

    @Override
    public int count() {
      return 3;
    }

    @Override
    public String name(int door) {
      return "c" + door;
    }

    @Override
    public String host(int door) {
      return name(door);
    }

    @Override
    public ControllerConnection open(int door, Duration longest) {
      CountDownLatch closed = new CountDownLatch(1);
      return new ControllerConnection() {
        @Override
        public Response ask(Request request) throws IOException {
          if (door == leader) {
            return request instanceof Request.ShowReplicas
                ? new Response.Replicas(
                    List.of(new Response.Replica("c" + door, "LEADER", 2, true, 0, 0)), null)
                : DONE;
          }
          try {
            if (!closed.await(60, TimeUnit.SECONDS)) {
              throw new AssertionError("waited for an answer that never comes");
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          throw new IOException("Socket timed out on send/recv operation");
        }

        @Override
        public Response await(Request request) throws IOException {
          return ask(request);
        }

        @Override
        public void close() {
          left.incrementAndGet();
          closed.countDown();
        }
      };
    }
  }

  /** As when its process is stopped: the kernel goes on taking connections. */
  @Test
  void aSilentControllerIsLeftForTheOneThatLeads() throws IOException {
    SilentDoors doors = new SilentDoors(2);
    try (LeaderConnection connection = new LeaderConnection(doors)) {
      assertEquals(DONE, connection.ask(NAMED));
      assertEquals(DONE, connection.await(NAMED));
    }
    SilentDoors others = new SilentDoors(1);
    try (LeaderConnection connection = new LeaderConnection(others)) {
      assertThrows(IOException.class, () -> connection.ask(NAMELESS), "may be done");
    }
  }

  @Test
  void silentControllersAreLeftWhenTheTimeIsOver() throws IOException {
    SilentDoors doors = new SilentDoors(-1);
    try (LeaderConnection connection = new LeaderConnection(doors, Duration.ofMillis(1500))) {
      IOException late = assertThrows(IOException.class, () -> connection.ask(NAMED));
      assertEquals(
          "Socket timed out on send/recv operation; the controller ended before it answered: this"
              + " may be done or not",
          late.getMessage());
    }
    assertTrue(doors.left.get() > 0);
  }

  /** The socket and the address of the controller that leads, which needs two seconds. */
  private static final class TwoDoorsToOne implements ConnectionOpeners {
    private final CountDownLatch left = new CountDownLatch(1);
    private final AtomicInteger looks = new AtomicInteger();

    @Override
    public int count() {
      return 2;
    }

    @Override
    public @Nullable String name(int door) {
      return door == 0 ? null : "c1";
    }

    @Override
    public String host(int door) {
      return "c1";
    }

    @Override
    public ControllerConnection open(int door, Duration longest) {
      return new ControllerConnection() {
        @Override
        public Response ask(Request request) throws IOException {
          if (request instanceof Request.ShowReplicas) {
            looks.incrementAndGet();
            return new Response.Replicas(
                List.of(new Response.Replica("c1", "LEADER", 2, true, 0, 0)), null);
          }
          try {
            if (left.await(2, TimeUnit.SECONDS)) {
              throw new IOException("closed while it was waited for");
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return DONE;
        }

        @Override
        public Response await(Request request) throws IOException {
          return ask(request);
        }

        @Override
        public void close() {
          if (door == 0) {
            left.countDown();
          }
        }
      };
    }
  }

  @Test
  void aLeaderThatTakesItsTimeIsWaitedForThoughASecondDoorLeadsToIt() throws IOException {
    TwoDoorsToOne doors = new TwoDoorsToOne();
    try (LeaderConnection connection = new LeaderConnection(doors)) {
      assertEquals(DONE, connection.ask(NAMELESS));
    }
    assertTrue(doors.looks.get() > 0, "the other door was tried");
  }
}
