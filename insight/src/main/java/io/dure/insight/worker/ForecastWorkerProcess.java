package io.dure.insight.worker;

import io.dure.cluster.ClusterState;
import io.dure.cluster.StateSnapshot;
import io.dure.host.net.FrameStream;
import io.dure.host.process.IdlePriority;
import io.dure.model.forecast.FirstForecast;
import io.dure.model.forecast.JobStartForecast;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Forecasts in a worker process ({@link ForecastWorker}), so that its GC, JIT and safepoints cannot
 * stall the controller; it uses idle CPU only. It is started on demand, again after it has died,
 * and ended after {@link #IDLE} without a question.
 */
public final class ForecastWorkerProcess implements ForecastSource {
  /** Forecasts cover that many pending jobs at most, in order of submission. */
  private static final int MOST_JOBS = 25_000;

  /** A worker that has not answered for so long is killed. */
  private static final Duration MOST_PATIENCE = Duration.ofHours(1);

  /** Longer than the time between two rounds while the queue changes. */
  private static final Duration IDLE = Duration.ofSeconds(45);

  private final List<String> command;
  private final Logger log;
  private volatile @Nullable Process process;
  private volatile boolean closing;
  private Duration worked = Duration.ZERO;
  private long asked;

  /**
   * Starts nothing yet.
   *
   * @param command starts a {@link ForecastWorker}
   */
  public ForecastWorkerProcess(List<String> command, Logger log) {
    this.command = List.copyOf(command);
    this.log = log;
  }

  /**
   * The command line of a JVM with this one's class path.
   *
   * @param main its main class
   */
  public static List<String> command(String main) {
    return List.of(
        System.getProperty("java.home") + "/bin/java",
        "-XX:+UseSerialGC",
        "-XX:MaxRAMPercentage=12",
        // A heap that begins small and is given back, and native memory likewise.
        "-Xms16m",
        "-XX:MinHeapFreeRatio=20",
        "-XX:MaxHeapFreeRatio=40",
        "-XX:ReservedCodeCacheSize=48m",
        "-XX:TrimNativeHeapInterval=20000",
        "-XX:+UseCompactObjectHeaders",
        "-XX:-UsePerfData",
        "-XX:+ExitOnOutOfMemoryError",
        // Otherwise the JIT takes 15 s for each of three methods.
        "-XX:EscapeAnalysisTimeout=1",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        main);
  }

  @Override
  public ForecastSource.Result forecast(ClusterState state, Instant now)
      throws IOException, InterruptedException {
    byte[] question =
        ForecastMessages.QUESTION.encode(
            new ForecastMessages.ForecastRequest(StateSnapshot.ofQueue(state, MOST_JOBS), now));
    byte[] answer;
    try {
      answer = ask(question);
    } catch (IOException died) {
      if (closing) {
        throw died;
      }
      log.info("forecast worker ended, starting another: " + died.getMessage());
      answer = ask(question);
    }
    ForecastMessages.ForecastReply said = ForecastMessages.ANSWER.decode(answer);
    if (said.bug() != null) {
      throw new IOException("a bug in the forecast worker: " + said.bug());
    }
    Map<Integer, JobStartForecast> starts = new TreeMap<>();
    for (FirstForecast one : said.starts()) {
      starts.put(one.jobId(), one.forecast());
    }
    return new ForecastSource.Result(Collections.unmodifiableMap(starts), work());
  }

  /** CPU time of the worker since the last call. */
  private Duration work() {
    Process running = process;
    Duration total =
        running == null
            ? Duration.ZERO
            : running.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    Duration since = total.minus(worked);
    worked = total;
    return since.isNegative() ? Duration.ZERO : since;
  }

  private byte[] ask(byte[] question) throws IOException, InterruptedException {
    asked = System.nanoTime();
    Process running = running();
    CompletableFuture<Void> patience = new CompletableFuture<>();
    patience
        .orTimeout(MOST_PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .exceptionally(_ -> {
          running.destroyForcibly();
          return null;
        });
    try {
      OutputStream to = running.getOutputStream();
      FrameStream.write(to, question, ForecastMessages.MOST_BYTES);
      byte[] answer = FrameStream.read(running.getInputStream(), ForecastMessages.MOST_BYTES);
      if (answer == null) {
        throw new IOException("no answer, end of stream");
      }
      return answer;
    } catch (IOException e) {
      end();
      throw e;
    } finally {
      patience.complete(null);
    }
  }

  private Process running() throws IOException, InterruptedException {
    Process known = process;
    if (known != null && known.isAlive()) {
      return known;
    }
    Process begun = start();
    process = begun;
    worked = Duration.ZERO;
    if (closing) {
      end();
    }
    return begun;
  }

  /**
   * A process inherits the scheduling policy of the thread that starts it, so that is a new one.
   */
  private Process start() throws IOException, InterruptedException {
    CompletableFuture<Process> begun = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("forecast-start")
        .start(() -> {
          try {
            if (!IdlePriority.yieldToAll()) {
              log.info("forecast worker runs at normal CPU priority: SCHED_IDLE could not be set");
            }
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().put("MALLOC_ARENA_MAX", "1");
            Process one = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            begun.complete(one);
            if (closing) {
              // The caller may have given up waiting for it.
              one.destroyForcibly();
            }
          } catch (IOException | RuntimeException | Error e) {
            begun.completeExceptionally(e);
          }
        });
    try {
      return begun.get();
    } catch (ExecutionException e) {
      throw new IOException("cannot start the forecast worker: " + e.getCause(), e);
    }
  }

  private void end() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
    }
  }

  @Override
  public void idle() {
    if (process != null && System.nanoTime() - asked > IDLE.toNanos()) {
      end();
      process = null;
    }
  }

  @Override
  public void close() {
    closing = true;
    end();
  }
}
