package io.dure.e2e.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.connect.ClusterConnector;
import io.dure.e2e.cluster.User;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A user that has the controller keep as much text as it takes, by programs of their own. */
final class TextFlood {
  /** Bytes of the environment of one job, just below what is taken. */
  static final int BYTES = (2 << 20) - 1024;

  /** Bytes of an environment that the controller keeps in memory and not in a file. */
  static final int SHORT = 31 << 10;

  /** Connections that change a job each. */
  static final int THREADS = 4;

  private final Path conf;
  private final User user;
  private final int bytes;
  private final Random random = new Random(20);
  private final List<Integer> jobs = new ArrayList<>();

  TextFlood(Path conf, User user, int bytes) {
    this.bytes = bytes;
    this.conf = conf;
    this.user = user;
  }

  private ControllerConnection open() throws IOException {
    return new ClusterConnector(conf, user.uid(), user.gid()).open();
  }

  int accepted() {
    return jobs.size();
  }

  private Response submit(ControllerConnection open) throws IOException {
    byte[] letters = new byte[bytes];
    random.nextBytes(letters);
    for (int i = 0; i < letters.length; i++) {
      letters[i] = (byte) ('a' + (letters[i] & 15));
    }
    @SuppressWarnings("deprecation") // the quickest way from bytes to a text of as many bytes
    String text = new String(letters, 0);
    return open.ask(
        new Request.Change(
            new Command.SubmitJob(
                JobSpec.of(
                    "flood",
                    List.of(),
                    ResourceRequest.of(4000, 1, 1),
                    new TimeLimit.PartitionDefault()),
                Workload.BatchSpec.nothing("/"),
                new JobTexts("#!/bin/sh\n", "BIG=" + text + "\0")),
            null));
  }

  /** Until no more is taken, which must be for that reason; the number of jobs. */
  int fill(ErrorCode reason) throws IOException {
    try (ControllerConnection open = open()) {
      Response response = submit(open);
      while (response instanceof Response.Decided(Reply.Submitted(int id))) {
        jobs.add(id);
        response = submit(open);
      }
      assertTrue(
          response instanceof Response.Decided(Reply.Refused refused) && refused.code() == reason,
          "after " + jobs.size() + " jobs: " + response);
    }
    return jobs.size();
  }

  /** Begins to hold and release the jobs, over several connections. */
  Churn churn(List<Path> states) throws IOException {
    return new Churn(states);
  }

  /** Changes of jobs, until it is closed. */
  final class Churn implements AutoCloseable {
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Map<Path, Set<String>> snapshots = new HashMap<>();
    private final Map<Path, Set<String>> before = new HashMap<>();
    private volatile boolean ended;

    Churn(List<Path> states) throws IOException {
      for (Path state : states) {
        snapshots.put(state, new TreeSet<>());
      }
      look();
      snapshots.forEach((state, seen) -> before.put(state, Set.copyOf(seen)));
      for (int i = 0; i < THREADS; i++) {
        int job = jobs.get(i);
        threads.add(Thread.ofPlatform().name("churn " + i).start(() -> run(job)));
      }
    }

    private void run(int job) {
      try (ControllerConnection open = open()) {
        JobSelector one = new JobSelector(job, null);
        while (!ended) {
          change(open, new Command.HoldJob(one, false));
          change(open, new Command.ReleaseJob(one));
        }
      } catch (IOException | RuntimeException | Error e) {
        failure.compareAndSet(null, e);
      }
    }

    private void change(ControllerConnection open, Command.UserCommand command) throws IOException {
      Response response = open.ask(new Request.Change(command, null));
      if (!(response instanceof Response.Decided(Reply reply)) || reply instanceof Reply.Refused) {
        throw new AssertionError(response);
      }
      changes.incrementAndGet();
    }

    int changes() {
      return changes.get();
    }

    private void look() throws IOException {
      for (Map.Entry<Path, Set<String>> one : snapshots.entrySet()) {
        try (Stream<Path> files = Files.list(one.getKey())) {
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.matches("snapshot-\\d+"))
              .forEach(one.getValue()::add);
        }
      }
    }

    /** Whether so many snapshots have been written in each place since its beginning. */
    boolean wrote(int count) throws IOException {
      look();
      return snapshots.entrySet().stream()
          .allMatch(one -> one.getValue().size() - before.get(one.getKey()).size() >= count);
    }

    /** Fails if a change did. */
    void check() {
      Throwable cause = failure.get();
      if (cause != null) {
        throw new AssertionError("after " + changes() + " changes", cause);
      }
    }

    @Override
    public void close() {
      ended = true;
      for (Thread thread : threads) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      check();
    }
  }
}
