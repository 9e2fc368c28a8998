package io.dure.node.agent;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.controller.RunReport;
import io.dure.core.model.Job;
import io.dure.node.link.ControllerPort;
import io.dure.protocol.FromNode;
import io.dure.protocol.ToNode;
import io.dure.protocol.Wire;
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
public final class FakeController implements ControllerPort {
  private static final long PATIENCE_SECONDS = 30;

  private final RecordCodec<ToNode> toNode = Wire.toNode();
  private final RecordCodec<FromNode> fromNode = Wire.fromNode();
  private final BlockingQueue<Command.RegisterNode> registrations = new LinkedBlockingQueue<>();
  private final BlockingQueue<Command.FromNode> news = new LinkedBlockingQueue<>();
  private final BlockingQueue<List<RunReport>> inventories = new LinkedBlockingQueue<>();
  private final List<Command.FromNode> passedOver = new ArrayList<>();
  private volatile FakeLink link;
  private volatile boolean reachable = true;

  /** One connection: what waits to be received by the node, with an empty one for its end. */
  private final class FakeLink implements Link {
    final BlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>();
    volatile boolean closed;

    @Override
    public void send(FromNode message) throws IOException {
      if (closed) {
        throw new IOException("connection closed");
      }
      switch (fromNode.decode(fromNode.encode(message))) {
        case FromNode.Report(Command.RegisterNode registration) -> registrations.add(registration);
        case FromNode.Report(Command.FromNode command) -> news.add(command);
        case FromNode.Heartbeat _ -> outgoing.add(toNode.encode(new ToNode.Beat(null)));
        case FromNode.Inventory(var runs) -> inventories.add(runs);
        case FromNode.Hello _ -> {}
      }
    }

    @Override
    public ToNode receive() {
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

  public void send(ToNode message) {
    link.outgoing.add(toNode.encode(message));
  }

  /** Waits for the node and takes it in, with all runs that it names. */
  public List<RunReport> welcomeAll() throws InterruptedException {
    List<RunReport> runs = registration().runs();
    send(
        new ToNode.Welcome(
            runs.stream().map(run -> new ToNode.Run(run.jobId(), run.run())).toList()));
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
    send(new ToNode.Launch(job, "test", TestJob.texts(job), List.of()));
  }

  public void terminate(Job job, Effect.Why why, int killWait) {
    send(new ToNode.Terminate(job.id(), job.run(), why, killWait, job));
  }

  public void forget(Job job) {
    send(new ToNode.Forget(job.id(), job.run()));
  }

  /** The next news of that type for which the condition holds; others are passed over. */
  public <T extends Command.FromNode> T hear(Class<T> type, Predicate<T> condition)
      throws InterruptedException {
    while (true) {
      Command.FromNode next =
          taken(news.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), type.getSimpleName());
      if (type.isInstance(next) && condition.test(type.cast(next))) {
        return type.cast(next);
      }
      passedOver.add(next);
    }
  }

  /** The next news, which must be of that type. */
  public <T extends Command.FromNode> T next(Class<T> type) throws InterruptedException {
    return assertInstanceOf(
        type, taken(news.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), type.getSimpleName()));
  }

  /** News that nobody has waited for yet. */
  public List<Command.FromNode> rest() {
    List<Command.FromNode> rest = new ArrayList<>();
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
