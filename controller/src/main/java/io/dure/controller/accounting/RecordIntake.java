package io.dure.controller.accounting;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.record.AccountingRecorder;
import io.dure.journal.AccountingLog;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.config.ControllerPrograms;
import io.dure.model.job.Job;
import io.dure.model.jobtext.TextId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Makes the records of durable events and puts them into the log. Where the log lacks those before
 * them, as this controller got the state behind them as a snapshot, others of its group are asked
 * for these. Meanwhile it keeps the records that it makes: it may lead, or follow one that lacks
 * records too, and then no other makes them. One thread.
 */
public final class RecordIntake {
  private static final int TEXTS = 100_000;

  /** Of records in the log together: what one event makes may come on top. */
  private static final int PART_BYTES = 16 << 20;

  /** Of records behind missing ones: beyond that they are asked for, too. */
  private static final long AHEAD_BYTES = 64 << 20;

  private final AccountingLog log;
  private final InstantSource clock;
  private final Logger words;
  private final RecordSeeker seeker;

  /** The state up to which it has the events. */
  private @Nullable ClusterState state;

  /** Texts that are in the log since it began, or since they were many. */
  private final Set<TextId> told = new HashSet<>();

  /** The submission of the first job that told of one of them. */
  private Instant toldSince = Instant.MIN;

  private boolean missing;

  /** The count of events up to which records are missing. */
  private long missingTo;

  /** The records of the events behind those, unless they were too many. */
  private final List<AccountingLog.Part> ahead = new ArrayList<>();

  private final long mostAhead;
  private boolean keepsAhead;

  /**
   * With the log that it fills.
   *
   * @param seeker asks the other controllers
   */
  public RecordIntake(AccountingLog log, InstantSource clock, RecordSeeker seeker, Logger words) {
    this(log, clock, seeker, words, AHEAD_BYTES);
  }

  RecordIntake(
      AccountingLog log, InstantSource clock, RecordSeeker seeker, Logger words, long mostAhead) {
    this.log = log;
    this.clock = clock;
    this.seeker = seeker;
    this.words = words;
    this.mostAhead = mostAhead;
  }

  /** Begins, or begins anew, with a state. */
  public void begin(ClusterState begun) {
    state = begun;
    forgetAhead();
    missingTo = begun.origin().events();
    missing = log.position() < missingTo;
    keepsAhead = missing;
    if (missing) {
      if (seeker.isAlone()) {
        giveUp();
      } else {
        words.info(
            "accounting: this controller lacks the records of events {} to {}, and gets them from"
                + " the others",
            log.position() + 1,
            missingTo);
        seeker.begin();
      }
    }
  }

  private void forgetAhead() {
    if (!ahead.isEmpty()) {
      ahead.clear();
      told.clear(); // of some of them the log has no word
    }
  }

  /** Whether there is room in the log, which is so unless the disk is far behind. */
  public boolean accepts() {
    return log.accepting();
  }

  /**
   * Each day's jobs tell of their texts again, as a text that was told of long ago goes with the
   * jobs of that time.
   */
  private boolean isToTell(AccountingRecord.JobText text, ClusterState after) {
    Job job = after.job(text.attempt().jobId());
    if (job != null && job.attemptTime().isAfter(toldSince.plus(Duration.ofDays(1)))) {
      told.clear();
      toldSince = job.attemptTime();
    }
    return told.add(text.id());
  }

  /**
   * Takes further events until their records are many: then the log must have room for more.
   *
   * @param after the state that all of them led to
   * @return those that it did not take, to be given again before any others
   */
  public List<Event> happened(List<Event> events, ClusterState after) {
    if (missing && !keepsAhead) {
      missingTo = after.origin().events();
      state = after;
      return List.of();
    }
    int taken = events.size();
    if (missing || after.origin().events() > log.position()) {
      AccountingLog.Part part = missing ? partAhead() : log.part();
      taken = record(events, after, part);
      if (!missing) {
        log.append(clock.instant(), part);
      } else if (ahead.stream().mapToLong(AccountingLog.Part::bytes).sum() > mostAhead) {
        forgetAhead();
        keepsAhead = false;
        return happened(events.subList(taken, events.size()), after);
      }
      if (told.size() > TEXTS) {
        told.clear();
      }
    }
    if (taken == events.size()) {
      state = after; // equal to the last one, and shares its parts with what others hold
    }
    return events.subList(taken, events.size());
  }

  /** Makes the records of events, until they are many; of how many events. */
  private int record(List<Event> events, ClusterState after, AccountingLog.Part part) {
    ClusterState before = Objects.requireNonNull(state);
    int taken = 0;
    for (; taken < events.size() && part.bytes() < PART_BYTES; taken++) {
      Event event = events.get(taken);
      ClusterState next = EventApplier.apply(before, withoutText(event));
      for (AccountingRecord record :
          AccountingRecorder.records(before, event, next, after.texts())) {
        if (!(record instanceof AccountingRecord.JobText text) || isToTell(text, next)) {
          part.add(new AccountingLog.Entry(next.origin().events(), record));
        }
      }
      before = next;
    }
    state = before;
    return taken;
  }

  private AccountingLog.Part partAhead() {
    if (ahead.isEmpty() || ahead.getLast().bytes() >= PART_BYTES) {
      ahead.add(log.part(missingTo));
    }
    return ahead.getLast();
  }

  /** What a text says is of no account here, and would be kept twice. */
  private static Event withoutText(Event event) {
    return event instanceof Event.TextStored text ? new Event.TextStored(text.id(), "") : event;
  }

  /** Whether records are missing that others may have. */
  public boolean isMissing() {
    return missing;
  }

  /** The count of events up to which the log has the records. */
  public long complete() {
    ClusterState now = state;
    return now == null ? 0 : missing ? log.position() : now.origin().events();
  }

  /** When the cluster was first configured, null before it began. */
  public @Nullable Instant created() {
    return state == null ? null : state.origin().created();
  }

  /** The count of events up to which JobCompType needs no records any more. */
  long completed() {
    ClusterState now = state;
    if (now == null) {
      return 0;
    }
    return now.settings().programs().completion() == ControllerPrograms.Completion.NONE
        ? Long.MAX_VALUE
        : now.hooks().completed();
  }

  /** The accounts as the events have made them. */
  AccountingTree accounts() {
    return state == null ? AccountingTree.initial() : state.accounts();
  }

  /** Asks for what is missing, if it is time to. To be called every now and then. */
  public void seek() {
    if (missing && log.position() >= missingTo) {
      regain();
    } else if (missing && seeker.isHopeless()) {
      giveUp();
    } else if (missing) {
      seeker.ask(log.position(), clock.instant());
    }
  }

  private void giveUp() {
    words.error(
        "accounting: the records of events {} to {} are not kept, and cannot be had from another"
            + " controller: they are missing in the accounting database of this one",
        log.position() + 1,
        missingTo);
    log.skip(clock.instant(), missingTo);
    var _ = goOn();
  }

  /** The gap is closed: what was kept meanwhile follows. False while the log has no room for it. */
  private boolean goOn() {
    Instant now = clock.instant();
    while (!ahead.isEmpty() && log.accepting()) {
      log.append(now, ahead.removeFirst());
    }
    if (ahead.isEmpty() && log.accepting()) {
      missing = false;
      log.cover(now, Objects.requireNonNull(state).origin().events());
    }
    return !missing;
  }

  private void regain() {
    if (goOn()) {
      words.info("accounting: this controller has all records again");
    }
  }

  /** Takes records that another controller gave, and asks for more if there is need to. */
  public void given(RecordSeeker.Given part) {
    Instant now = clock.instant();
    if (!missing || !seeker.takes(part, log.position())) {
      return;
    }
    long previous = Math.min(part.previous(), missingTo);
    if (previous > log.position()) {
      words.error(
          "accounting: no other controller has the records of events {} to {} any more: they are"
              + " missing in the accounting database of this one",
          log.position() + 1,
          previous);
      log.skip(now, previous);
    }
    // What lies behind is kept here already.
    log.append(
        now, part.entries().stream().filter(entry -> entry.position() <= missingTo).toList());
    log.cover(now, Math.min(part.upTo(), missingTo));
    if (log.position() < missingTo) {
      seeker.ask(log.position(), now);
    } else {
      regain();
    }
  }
}
