package io.dure.controller.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.AccountingLog;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalSettings;
import io.dure.testkit.Await;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Controllers that have not seen all events get the records of the rest from others. */
@Tag("process")
class RecordExchangeTest {
  private static final Await SOON = Await.seconds(60);
  private static final List<String> ALL = List.of("a", "b", "c");

  @TempDir Path temp;
  private final TestCluster cluster = ClusterBuilder.of(8).cpus(16).start();
  private final List<TestCluster.Step> story = new ArrayList<>();
  private final Map<String, Member> members = new TreeMap<>();
  private final KeptLog log = new KeptLog();
  private final AtomicReference<Instant> now = new AtomicReference<>(TestCluster.START);
  private final AtomicInteger messages = new AtomicInteger();
  private IntPredicate arrives = _ -> true;

  /** A controller's log, and what fills it. */
  private final class Member {
    private final String name;
    private final AccountingLog records;
    private final AccountingFeed feed;
    private final RecordExchange exchange;

    Member(String name) throws IOException {
      this(name, RecordSeeker.Patience.USUAL);
    }

    Member(String name, RecordSeeker.Patience patience) throws IOException {
      this.name = name;
      InstantSource clock = now::get;
      records = AccountingLog.open(temp.resolve(name), JournalSettings.defaults(), SILENT);
      RecordSeeker seeker =
          new RecordSeeker(
              this::send, ALL.stream().filter(other -> !other.equals(name)).toList(), patience);
      feed =
          new AccountingFeed(
              records,
              seeker,
              false,
              clock,
              bug -> {
                throw new AssertionError(bug);
              },
              log);
      exchange = new RecordExchange(feed, this::send, log);
      members.put(name, this);
    }

    private void send(String host, byte[] message) {
      Member to = members.get(host);
      if (to != null && arrives.test(messages.incrementAndGet())) {
        to.exchange.receive(name, message);
      }
    }

    /** It has the state before that step, and hears of what follows. */
    void hears(int from, int to) {
      feed.begin(story.get(from).before());
      goesOn(from, to);
    }

    void goesOn(int from, int to) {
      story.subList(from, to).forEach(step -> feed.happened(List.of(step.event()), step.after()));
    }

    /** What its log has once nothing is missing. */
    List<AccountingLog.Entry> entries() throws Exception {
      long events = story.getLast().after().origin().events();
      SOON.until(
          name + " has all",
          () -> {
            now.updateAndGet(time -> time.plusSeconds(1));
            feed.hurry(events);
            return feed.recorded() == events && !feed.isMissing();
          });
      records.sync();
      List<AccountingLog.Entry> all = new ArrayList<>();
      try (AccountingLog.Follower follower = records.follow(records.reachesBackTo())) {
        for (var next = follower.next(); next != null; next = follower.next()) {
          all.addAll(next.entries());
        }
      }
      return all;
    }

    void close() throws IOException {
      exchange.close();
      feed.close();
      records.close();
    }
  }

  private static final JournalListener SILENT =
      new JournalListener() {
        @Override
        public void failed(IOException cause) {
          throw new AssertionError(cause);
        }

        @Override
        public void healed() {}

        @Override
        public void stopped(Throwable cause) {
          throw new AssertionError(cause);
        }
      };

  @AfterEach
  void end() throws IOException {
    for (Member member : members.values()) {
      member.close();
    }
  }

  private void jobs(int count) {
    for (int i = 0; i < count; i++) {
      var _ = cluster.submit(TestCluster.ALICE, JobBuilder.job().name("job " + i).runs(1 + i % 50));
    }
    cluster.seconds(40);
    story.addAll(cluster.steps());
    cluster.forgetSteps();
  }

  @Test
  void whatASnapshotSteppedOverIsHadFromAnother() throws Exception {
    jobs(700);
    int middle = story.size();
    jobs(50);
    Member a = new Member("a");
    a.hears(0, story.size());
    Member b = new Member("b");
    b.hears(middle, story.size());
    List<AccountingLog.Entry> all = a.entries();
    assertTrue(all.size() > 2000, () -> all.size() + " records, which is one part");
    assertEquals(all, b.entries());
    assertEquals(1, log.with("has all records again").size(), log.with("").toString());
  }

  @Test
  void messagesMayBeLost() throws Exception {
    arrives = number -> number % 3 != 0;
    jobs(900);
    Member a = new Member("a");
    a.hears(0, story.size());
    Member c = new Member("c");
    c.hears(0, story.size());
    Member b = new Member("b");
    b.hears(story.size() - 1, story.size());
    assertEquals(a.entries(), b.entries());
    assertEquals(c.entries(), b.entries());
  }

  /** One that lacks them, too, gives none; the third has them. */
  @Test
  void oneThatLacksThemTooIsPassedOver() throws Exception {
    jobs(100);
    Member a = new Member("a");
    a.hears(story.size() - 1, story.size());
    Member b = new Member("b");
    b.hears(story.size() - 1, story.size());
    Member c = new Member("c");
    c.hears(0, story.size());
    assertEquals(c.entries(), a.entries());
    assertEquals(c.entries(), b.entries());
  }

  @Test
  void whatNoneHasIsToldAndSteppedOver() throws Exception {
    RecordSeeker.Patience little = new RecordSeeker.Patience(2, 4);
    jobs(20);
    int middle = story.size();
    long lost = story.getLast().after().origin().events();
    jobs(20);
    Member a = new Member("a", little);
    a.hears(middle, middle);
    SOON.until(
        "it is told",
        () -> {
          now.updateAndGet(time -> time.plusSeconds(2));
          return !log.with("cannot be had from another").isEmpty();
        });
    a.goesOn(middle, story.size());
    List<AccountingLog.Entry> rest = a.entries();
    assertTrue(!rest.isEmpty() && rest.stream().allMatch(entry -> entry.position() > lost));
    Member b = new Member("b", little);
    b.hears(story.size() - 1, story.size());
    SOON.until(
        "that one is asked at last",
        () -> {
          now.updateAndGet(time -> time.plusSeconds(2));
          return !b.feed.isMissing();
        });
    assertEquals(rest, b.entries());
    assertEquals(1, log.with("no other controller has the records of events 1 to " + lost).size());
  }
}
