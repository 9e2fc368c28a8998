package io.dure.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.TerminalSize;
import io.dure.host.net.PeerCredentials;
import io.dure.host.quota.Quota;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class ListingCoalescerTest {
  private static final Quota<Integer> MEMORY = new Quota<>(1 << 30, 1 << 30);

  private final ListingCoalescer listings = new ListingCoalescer();

  private static ListingCoalescer.Listing listing(
      int uid, Map<String, String> more, String... words) {
    ClientCall call =
        new ClientCall(
            0,
            0,
            0,
            new TerminalSize(0, 0),
            List.of(),
            "0".repeat(32),
            "/",
            "squeue",
            List.of(words),
            more);
    ListingCoalescer.Listing found = ListingCoalescer.of(call, new PeerCredentials(uid, uid, 1));
    return found == null ? new ListingCoalescer.Listing(null, List.of(), Map.of(), false) : found;
  }

  private static SharedListingOutput output() {
    return new SharedListingOutput(new ByteArrayOutputStream(), MEMORY, 1);
  }

  @Test
  void whoAsksForTheSameBeforeItIsBegunSharesIt() {
    SharedListingOutput first = output();
    assertNull(listings.join(listing(1, Map.of()), first));
    assertSame(first, listings.join(listing(1, Map.of("PWD", "/elsewhere")), output()));
    listings.begin(listing(1, Map.of()), first);
    assertNull(listings.join(listing(1, Map.of()), output()), "the next begins another");
  }

  @Test
  void anotherUserOrOtherWordsAreAnotherListing() {
    ListingCoalescer.Listing one = listing(1, Map.of());
    assertNotEquals(one, listing(2, Map.of()));
    assertNotEquals(one, listing(1, Map.of(), "-l"));
    assertNotEquals(one, listing(1, Map.of("SQUEUE_FORMAT", "%i")));
    assertNotEquals(one, listing(1, Map.of("TZ", "UTC")));
    assertNull(listing(1, Map.of(), "-i", "5").user(), "what repeats itself is nobody else's");
    assertNull(listing(1, Map.of(), "-ho%i").user(), "what may be an option that repeats");
  }

  @Test
  void onlyACrowdWaits() {
    ListingCoalescer.Listing listing = listing(1, Map.of());
    SharedListingOutput alone = output();
    listings.join(listing, alone);
    listings.begin(listing, alone);
    assertEquals(0, listings.patience(listing));
    SharedListingOutput crowded = output();
    listings.join(listing, crowded);
    for (int i = 0; i < 999; i++) {
      listings.join(listing, output());
    }
    listings.begin(listing, crowded);
    assertTrue(listings.patience(listing) > 0);
    assertEquals(0, listings.patience(listing(2, Map.of())));
  }

  @Test
  void whatIsTooLongIsNotKept() throws IOException {
    ByteArrayOutputStream direct = new ByteArrayOutputStream();
    SharedListingOutput output = new SharedListingOutput(direct, MEMORY, 1);
    byte[] part = new byte[1 << 20];
    for (int i = 0; i < 6; i++) {
      output.write(part, 0, part.length);
    }
    output.end(0, true);
    assertNull(output.await());
    assertEquals(6 << 20, direct.size(), "nothing of it is lost");
  }

  @Test
  void nobodyWaitsForTheReaderOfWhatIsTooLong() throws IOException {
    SharedListingOutput[] output = new SharedListingOutput[1];
    byte[] part = new byte[1 << 18];
    // Whoever reads it waits until the others have gone their own way.
    output[0] =
        new SharedListingOutput(
            new OutputStream() {
              @Override
              public void write(int letter) {
                assertNull(output[0].await());
              }
            },
            MEMORY,
            1);
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          for (int i = 0; i < 20; i++) {
            output[0].write(part, 0, part.length);
          }
        });
  }

  @Test
  void whatComplainedIsNotShared() throws IOException {
    SharedListingOutput good = output();
    good.write(new byte[] {1, 2, 3}, 0, 3);
    good.end(7, true);
    SharedListingOutput.Result result = good.await();
    assertNotNull(result);
    assertEquals(7, result.code());
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    result.writeTo(copy);
    assertEquals(3, copy.size());
    SharedListingOutput bad = output();
    bad.end(0, false);
    assertNull(bad.await());
  }

  @Test
  void whatIsKeptForOthersCountsUntilTheLastHasIt() throws IOException {
    Quota<Integer> memory = new Quota<>(1 << 20, 1 << 20);
    SharedListingOutput output = new SharedListingOutput(new ByteArrayOutputStream(), memory, 1);
    output.hold();
    byte[] part = new byte[1000];
    for (int i = 0; i < 600; i++) {
      output.write(part, 0, part.length);
    }
    output.end(0, true);
    assertNotNull(output.await());
    output.letGo();
    assertFalse(memory.tryAcquire(1, 1 << 20), "somebody reads it");
    output.letGo();
    assertTrue(memory.tryAcquire(1, 1 << 20));
    ByteArrayOutputStream direct = new ByteArrayOutputStream();
    SharedListingOutput second = new SharedListingOutput(direct, memory, 1);
    for (int i = 0; i < 600; i++) {
      second.write(part, 0, part.length);
    }
    assertNull(second.await(), "without room it is nobody else's");
    second.end(0, true);
    assertEquals(600_000, direct.size());
  }
}
