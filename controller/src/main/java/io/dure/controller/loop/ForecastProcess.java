package io.dure.controller.loop;

import io.dure.core.controller.ClusterState;
import io.dure.core.controller.StateSnapshot;
import io.dure.core.history.forecast.Forecast;
import io.dure.core.history.forecast.Foretold;
import io.dure.host.log.Log;
import io.dure.host.net.Frames;
import io.dure.host.process.Niceness;
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

/**
 * Has a process of its own see forecasts ({@link Foreteller}): its garbage, its compiler and its
 * stops are none of the controller's, and it takes only what the processors have left over. It is
 * started when it is needed, once more when it has died, and ended when nobody has asked for long.
 */
public final class ForecastProcess implements Foresight.Seer {
  /** More of those that wait are not looked at: those that came first are. */
  private static final int MOST_JOBS = 25_000;

  /** A process that says nothing for so long stands still. */
  private static final Duration MOST_PATIENCE = Duration.ofHours(1);

  private static final Duration IDLE = Duration.ofMinutes(10);

  private final List<String> command;
  private final Log log;
  private volatile @Nullable Process process;
  private volatile boolean closing;
  private Duration worked = Duration.ZERO;
  private long asked;

  /**
   * One that has started nothing yet.
   *
   * @param command what starts a {@link Foreteller}
   */
  public ForecastProcess(List<String> command, Log log) {
    this.command = List.copyOf(command);
    this.log = log;
  }

  /**
   * The same program as this, in a machine of its own.
   *
   * @param main the class that begins
   */
  public static List<String> command(String main) {
    return List.of(
        System.getProperty("java.home") + "/bin/java",
        "-XX:+UseSerialGC",
        "-XX:MaxRAMPercentage=12",
        "-XX:-UsePerfData",
        "-XX:+ExitOnOutOfMemoryError",
        // Else the compiler takes a quarter of a minute for each of three methods.
        "-XX:EscapeAnalysisTimeout=1",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        main);
  }

  @Override
  public Foresight.Seen see(ClusterState state, Instant now)
      throws IOException, InterruptedException {
    byte[] question =
        ForecastTalk.QUESTION.encode(
            new ForecastTalk.Question(StateSnapshot.ofQueue(state, MOST_JOBS), now));
    byte[] answer;
    try {
      answer = ask(question);
    } catch (IOException died) {
      if (closing) {
        throw died;
      }
      log.info("the process for forecasts has ended, another begins: " + died.getMessage());
      answer = ask(question);
    }
    ForecastTalk.Answer said = ForecastTalk.ANSWER.decode(answer);
    if (said.bug() != null) {
      throw new IOException("bug in a forecast: " + said.bug());
    }
    Map<Integer, Forecast> starts = new TreeMap<>();
    for (Foretold one : said.starts()) {
      starts.put(one.jobId(), one.forecast());
    }
    return new Foresight.Seen(Collections.unmodifiableMap(starts), work());
  }

  /** How long it was busy since this was last asked. */
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
      Frames.write(to, question, ForecastTalk.MOST_BYTES);
      byte[] answer = Frames.read(running.getInputStream(), ForecastTalk.MOST_BYTES);
      if (answer == null) {
        throw new IOException("it said nothing");
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
   * A process has the policy of the thread that starts it, which has to be another one for that.
   */
  private Process start() throws IOException, InterruptedException {
    CompletableFuture<Process> begun = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("forecast-start")
        .start(() -> {
          try {
            if (!Niceness.yieldToAll()) {
              log.info("forecasts take their share of the processors as all others do");
            }
            ProcessBuilder builder = new ProcessBuilder(command);
            Process one = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            begun.complete(one);
            if (closing) {
              // Whoever wanted it may have gone without it.
              one.destroyForcibly();
            }
          } catch (IOException | RuntimeException | Error e) {
            begun.completeExceptionally(e);
          }
        });
    try {
      return begun.get();
    } catch (ExecutionException e) {
      throw new IOException("their process does not start: " + e.getCause(), e);
    }
  }

  private void end() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
    }
  }

  @Override
  public void rest() {
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
