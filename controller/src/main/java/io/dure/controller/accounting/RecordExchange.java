package io.dure.controller.accounting;

import io.dure.controller.replica.PeerTransport;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;

/**
 * What controllers of a group say to each other of records: takes answers to the feed, and answers
 * questions on a thread of its own, as that reads from the disk.
 */
public final class RecordExchange implements AutoCloseable {
  private static final int QUESTIONS = 16;

  private final AccountingFeed feed;
  private final PeerTransport peers;
  private final Logger log;
  private final BlockingQueue<Question> questions = new ArrayBlockingQueue<>(QUESTIONS);
  private final Thread thread;

  private static final class Question {
    private final String from;
    private final byte[] frame;

    Question(String from, byte[] frame) {
      this.from = from;
      this.frame = frame;
    }
  }

  RecordExchange(AccountingFeed feed, PeerTransport peers, Logger log) {
    this.feed = feed;
    this.peers = peers;
    this.log = log;
    thread = Thread.ofPlatform().name("accounting-exchange").daemon().start(this::run);
  }

  /** Whether a message is of records. */
  public static boolean isOfRecords(byte[] message) {
    return RecordSeeker.isOfRecords(message);
  }

  /** Takes a message of records; true, as it is one. What is too much is dropped. Any thread. */
  public boolean receive(String from, byte[] message) {
    RecordSeeker.Given part = RecordSeeker.answer(message);
    if (part != null) {
      feed.given(part);
    } else {
      var _ = questions.offer(new Question(from, message));
    }
    return true;
  }

  private void run() {
    try (RecordGiver giver = new RecordGiver(feed.log())) {
      while (true) {
        answer(giver, questions.take());
      }
    } catch (InterruptedException e) {
      // closing
    } catch (IOException e) {
      log.info("accounting: the log cannot be closed: {}", e.getMessage());
    }
  }

  private void answer(RecordGiver giver, Question question) throws InterruptedException {
    try {
      long complete = feed.recorded();
      feed.log().sync();
      byte[] answer = giver.answer(question.frame, complete);
      if (answer != null) {
        peers.send(question.from, answer);
      }
    } catch (IOException | RuntimeException e) {
      log.error("accounting: cannot give records to {}: {}", question.from, e.getMessage());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      var _ = thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
