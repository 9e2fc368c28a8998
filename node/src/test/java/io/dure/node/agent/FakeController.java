package io.dure.node.agent;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.RunReport;
import io.dure.model.job.Job;
import io.dure.node.link.ControllerEndpoint;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.NodeToControllerMessage;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A controller without a network: the test says what it says and reads what it hears. Messages pass
 * through the codecs. Registrations and heartbeats are kept apart from the other news.
 */
public final class FakeController implements ControllerEndpoint {
  private static final long PATIENCE_SECONDS = 30;

  private final RecordCodec<ControllerToNodeMessage> toNode = WireCodecs.toNode();
  private final RecordCodec<NodeToControllerMessage> fromNode = WireCodecs.fromNode();
  private final BlockingQueue<Command.RegisterNode> registrations = new LinkedBlockingQueue<>();
  private final BlockingQueue<Command.NodeCommand> news = new LinkedBlockingQueue<>();
  private final BlockingQueue<List<RunReport>> inventories = new LinkedBlockingQueue<>();
  private final List<Command.NodeCommand> passedOver = new ArrayList<>();
  private volatile List<Job> jobs;
  private volatile FakeLink link;
  private volatile boolean reachable = true;

  /** One connection: what waits to be received by the node, with an empty one for its end. */
  private final class FakeLink implements Link {
    final BlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>();
    volatile boolean closed;

    @Override
    public void send(NodeToControllerMessage message) throws IOException {
      if (closed) {
        throw new IOException("connection closed");
      }
      switch (fromNode.decode(fromNode.encode(message))) {
        case NodeToControllerMessage.Report(Command.RegisterNode registration) ->
            registrations.add(registration);
        case NodeToControllerMessage.Report(Command.NodeCommand command) -> news.add(command);
        case NodeToControllerMessage.Heartbeat _ ->
            outgoing.add(toNode.encode(new ControllerToNodeMessage.KeepAlive(null)));
        case NodeToControllerMessage.Inventory(var runs) -> inventories.add(runs);
        case NodeToControllerMessage.JobsOfUser(int question, int uid) -> tellJobs(question, uid);
        case NodeToControllerMessage.Hello _ -> {}
      }
    }

    private void tellJobs(int question, int uid) {
      List<Job> known = jobs;
      if (known != null) {
        List<Job> own = known.stream().filter(job -> job.owner().uid() == uid).toList();
        outgoing.add(toNode.encode(new ControllerToNodeMessage.UserJobs(question, "c", own)));
      }
    }

    @Override
    public ControllerToNodeMessage receive() {
      try {
        byte[] bytes = outgoing.take();
        return bytes.length == 0 ? null : toNode.decode(bytes);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return null;
      }
    }

    @Override
    public void close() {
      closed = true;
      outgoing.add(new byte[0]);
    }
  }

  /** What runs on the node, for logins; before it is told no such question is answered. */
  public void knows(List<Job> running) {
    jobs = running;
  }

  @Override
  public Link open() throws IOException {
    if (!reachable) {
      throw new IOException("connection refused");
    }
    FakeLink opened = new FakeLink();
    link = opened;
    return opened;
  }

  /** From now on nobody is there, until the next call with true. */
  public void reachable(boolean now) {
    reachable = now;
    if (!now) {
      link.close();
    }
  }

  public void send(ControllerToNodeMessage message) {
    link.outgoing.add(toNode.encode(message));
  }

  /** Waits for the node and takes it in, with all runs that it names. */
  public List<RunReport> welcomeAll() throws InterruptedException {
    List<RunReport> runs = registration().runs();
    send(
        new ControllerToNodeMessage.Welcome(
            runs.stream()
                .map(run -> new ControllerToNodeMessage.Run(run.jobId(), run.run()))
                .toList()));
    return runs;
  }

  /** Waits for the node to register. */
  public Command.RegisterNode registration() throws InterruptedException {
    return taken(registrations.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), "registration");
  }

  /** Waits for the node's list of all its runs. */
  public List<RunReport> inventory() throws InterruptedException {
    return taken(inventories.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), "inventory");
  }

  public void launch(Job job) {
    send(new ControllerToNodeMessage.Launch(job, "test", TestJob.texts(job), List.of()));
  }

  public void terminate(Job job, Effect.TerminationReason why, int killWait) {
    send(new ControllerToNodeMessage.Terminate(job.id(), job.run(), why, killWait, job));
  }

  public void forget(Job job) {
    send(new ControllerToNodeMessage.Forget(job.id(), job.run()));
  }

  /** The next news of that type for which the condition holds; others are passed over. */
  public <T extends Command.NodeCommand> T hear(Class<T> type, Predicate<T> condition)
      throws InterruptedException {
    while (true) {
      Command.NodeCommand next =
          taken(news.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), type.getSimpleName());
      if (type.isInstance(next) && condition.test(type.cast(next))) {
        return type.cast(next);
      }
      passedOver.add(next);
    }
  }

  /** The next news, which must be of that type. */
  public <T extends Command.NodeCommand> T next(Class<T> type) throws InterruptedException {
    return assertInstanceOf(
        type, taken(news.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), type.getSimpleName()));
  }

  /** News that nobody has waited for yet. */
  public List<Command.NodeCommand> rest() {
    List<Command.NodeCommand> rest = new ArrayList<>();
    news.drainTo(rest);
    return rest;
  }

  private <T> T taken(T value, String what) {
    if (value == null) {
      throw new AssertionError("no " + what + " came; passed over: " + passedOver);
    }
    return value;
  }
}
