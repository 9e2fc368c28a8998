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
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Makes the records of durable events and puts them into the log. Where the log lacks those before
 * them, as this controller got the state behind them as a snapshot, others of its group are asked
 * for all, until nothing is missing. One thread.
 */
public final class RecordIntake {
  private static final int TEXTS = 100_000;

  /** Of records in the log together: what one event makes may come on top. */
  private static final int PART_BYTES = 16 << 20;

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

  /**
   * With the log that it fills.
   *
   * @param seeker asks the other controllers
   */
  public RecordIntake(AccountingLog log, InstantSource clock, RecordSeeker seeker, Logger words) {
    this.log = log;
    this.clock = clock;
    this.seeker = seeker;
    this.words = words;
  }

  /** Begins, or begins anew, with a state. */
  public void begin(ClusterState begun) {
    state = begun;
    long events = begun.origin().events();
    missing = log.position() < events;
    if (missing) {
      if (seeker.isAlone()) {
        giveUp();
      } else {
        words.info(
            "accounting: this controller lacks the records of events {} to {}, and gets them from"
                + " the others",
            log.position() + 1,
            events);
        seeker.begin();
      }
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
    int taken = events.size();
    if (!missing && after.origin().events() > log.position()) {
      AccountingLog.Part part = log.part();
      ClusterState before = Objects.requireNonNull(state);
      for (taken = 0; taken < events.size() && part.bytes() < PART_BYTES; taken++) {
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
      log.append(clock.instant(), part);
      if (told.size() > TEXTS) {
        told.clear();
      }
      state = before;
    }
    if (taken == events.size()) {
      state = after; // equal to the last one, and shares its parts with what others hold
    }
    return events.subList(taken, events.size());
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
    if (missing && seeker.isHopeless()) {
      giveUp();
    } else if (missing) {
      seeker.ask(log.position(), clock.instant());
    }
  }

  private void giveUp() {
    long events = Objects.requireNonNull(state).origin().events();
    words.error(
        "accounting: the records of events {} to {} are not kept, and cannot be had from another"
            + " controller: they are missing in the accounting database of this one",
        log.position() + 1,
        events);
    log.skip(clock.instant(), events);
    missing = false;
  }

  /** Takes records that another controller gave, and asks for more if there is need to. */
  public void given(RecordSeeker.Given part) {
    Instant now = clock.instant();
    if (!missing || !seeker.takes(part, log.position())) {
      return;
    }
    if (part.previous() > log.position()) {
      words.error(
          "accounting: no other controller has the records of events {} to {} any more: they are"
              + " missing in the accounting database of this one",
          log.position() + 1,
          part.previous());
      log.skip(now, part.previous());
    }
    log.append(now, part.entries());
    log.cover(now, part.upTo());
    missing = log.position() < Objects.requireNonNull(state).origin().events();
    if (missing) {
      seeker.ask(log.position(), now);
    } else {
      words.info("accounting: this controller has all records again");
    }
  }
}
