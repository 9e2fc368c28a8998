package io.dure.faults.corruption;

import io.dure.cluster.TextStorage;
import io.dure.controller.loop.EventFollower;
import io.dure.controller.loop.JournalEventStore;
import io.dure.faults.corruption.RecoveryVerdict.Outcome;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterTrust;
import io.dure.host.user.CurrentProcess;
import io.dure.journal.EventJournal;
import io.dure.journal.Journal;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A controller that is alone: its directory {@code state}, with journal, snapshots and authority,
 * and beside it {@code dure.key}. Made and started by the product's own code on real files.
 */
final class StandaloneFixture {
  private static final JournalSettings SETTINGS =
      new JournalSettings(32 * 1024, 1 << 24, Duration.ofMillis(10));
  private static final String KEY = "dure.key";
  private static final long AT_REST_NANOS = 50_000_000;

  private final Path whole;
  private final GeneratedHistory history;

  private StandaloneFixture(Path whole, GeneratedHistory history) {
    this.whole = whole;
    this.history = history;
  }

  /**
   * Makes them: one that never wrote a snapshot, one as the end of the process by a signal leaves
   * it, one that was stopped.
   */
  static List<StandaloneFixture> make(Path root, GeneratedHistory history)
      throws IOException, InterruptedException, ExecutionException {
    Path stopped = root.resolve("stopped");
    List<StandaloneFixture> made = new ArrayList<>();
    List<GeneratedHistory.HistoryBatch> all = history.decisions();
    var _ = trust(stopped);
    try (Journal journal = RecoveredJournal.open(state(stopped), SETTINGS, new Ear()).journal()) {
      for (int i = 0; i < all.size(); i++) {
        var _ = journal.append(EventJournal.records(all.get(i).at(), all.get(i).events())).get();
        if (i == all.size() / 4) {
          made.add(image(stopped, root.resolve("young"), history.until(i + 1)));
        }
        if (i == all.size() / 3 || i == all.size() * 2 / 3) {
          journal.snapshot(
              journal.lastAppended(), StateBytes.snapshot(history.states().get(i + 1)));
        }
      }
      made.add(image(stopped, root.resolve("killed"), history));
    }
    made.add(new StandaloneFixture(stopped, history));
    return made;
  }

  /** The files as they are now, which is what a killed process leaves. */
  private static StandaloneFixture image(Path running, Path to, GeneratedHistory history)
      throws IOException {
    LockSupport.parkNanos(AT_REST_NANOS); // the mark behind the last record follows the answer
    TestDirectories.copy(running, to);
    return new StandaloneFixture(to, history);
  }

  private static Path state(Path place) {
    return place.resolve("state");
  }

  private static ClusterTrust trust(Path place) throws IOException {
    Files.createDirectories(place);
    return ClusterTrust.open(
        new ClusterTrust.TrustLocations(
            place.resolve(KEY), state(place).resolve("tls"), "rot", "a", null),
        CurrentProcess.effectiveUid(),
        Instant.now());
  }

  /** The undamaged files. */
  Path whole() {
    return whole;
  }

  /** Starts on damaged files, as the program does. */
  RecoveryVerdict start(Path place, FileDamage damage) throws IOException {
    Path before = place.resolveSibling("before");
    TestDirectories.copy(place, before);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try {
      ClusterTrust trust = trust(place);
      String wrong = compare(trust);
      if (wrong == null) {
        wrong = replay(place, said);
      }
      if (wrong != null) {
        return RecoveryVerdict.missed(wrong);
      }
      String words = said.toString(StandardCharsets.UTF_8);
      // What of the authority can be made anew is: the file is another then.
      boolean remade =
          damage.file().startsWith("state/tls")
              && !TestDirectories.sameFile(place, before, damage.file());
      boolean told = words.contains(String.valueOf(damage.file().getFileName())) || remade;
      return new RecoveryVerdict(told ? Outcome.REPAIRED : Outcome.UNTOLD, words);
    } catch (IOException e) {
      return refusal(e, place, before, damage);
    } finally {
      TestDirectories.delete(before);
    }
  }

  private static RecoveryVerdict refusal(IOException e, Path place, Path before, FileDamage damage)
      throws IOException {
    String words = String.valueOf(e.getMessage());
    Path file = place.resolve(damage.file());
    boolean journal = damage.sort().equals("journal");
    boolean named =
        journal
            ? words.matches("(?s).*" + Pattern.quote(file + ":") + "\\d+:.*")
            : words.contains(file.toString()) || words.contains(place + "/");
    if (!named) {
      return RecoveryVerdict.missed("refused without the place: " + words);
    }
    if (!words.matches("(?s).*(restore|copy it anew|bring that|correct it|belongs to another).*")) {
      return RecoveryVerdict.missed("refused without a way out: " + words);
    }
    if (!TestDirectories.same(place, before)) {
      return RecoveryVerdict.missed("refused, but not left as it was: " + words);
    }
    return new RecoveryVerdict(Outcome.REFUSED, words);
  }

  private @Nullable String compare(ClusterTrust found) throws IOException {
    ClusterTrust truth = trust(whole);
    Instant now = Instant.now();
    String token =
        AuthToken.forController("a", now.plusSeconds(60), new SecureRandom()).sign(found.key());
    boolean sameSecret =
        AuthToken.verify(token, truth.key(), now, Duration.ZERO) instanceof AuthToken.Verdict.Valid;
    boolean sameCa = truth.ca().fingerprint().equals(found.ca().fingerprint());
    return sameSecret && sameCa ? null : "another key or authority was taken for the true one";
  }

  private @Nullable String replay(Path place, ByteArrayOutputStream said) throws IOException {
    Ear ear = new Ear();
    List<RecoveredJournal> opened = new ArrayList<>();
    Logger log = DaemonLog.toStream(said, LogLevel.INFO, InstantSource.system(), ZoneOffset.UTC);
    JournalEventStore.Place where =
        new JournalEventStore.Place(
            state(place),
            (at, listener) -> {
              opened.add(RecoveredJournal.open(at, SETTINGS, listener));
              return opened.getFirst();
            },
            Integer.MAX_VALUE,
            Runnable::run,
            () -> TextStorage.IN_MEMORY,
            EventFollower.NONE);
    JournalEventStore.Opened found =
        JournalEventStore.open(where, GeneratedHistory.config(), ear, log);
    try (JournalEventStore _ = found.store()) {
      opened.getFirst().journal().inspect().forEach(log::error);
      return StateBytes.same(history.last(), found.state())
          ? null
          : "another state was taken for the true one";
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Hears nothing: what it would hear of is asked for. */
  private static final class Ear implements JournalListener {
    @Override
    public void failed(IOException cause) {}

    @Override
    public void healed() {}

    @Override
    public void stopped(Throwable cause) {}
  }
}
