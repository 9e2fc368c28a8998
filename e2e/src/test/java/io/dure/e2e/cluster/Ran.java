package io.dure.e2e.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;

/**
 * A command that has ended. Somebody has to say what it should have been: one of the methods below,
 * each of which accounts for the exit code and for both outputs. The cluster fails the test for one
 * at which nobody looked.
 */
public final class Ran {
  private static final List<Ran> UNSEEN = new ArrayList<>();

  private final String line;
  private final int code;
  private final String out;
  private final String err;

  public Ran(String line, int code, String out, String err) {
    this.line = line;
    this.code = code;
    this.out = out;
    this.err = err;
    synchronized (UNSEEN) {
      UNSEEN.add(this);
    }
  }

  /** It went well and complained of nothing; what it printed, without the last line end. */
  public String ok() {
    expect(0, "");
    return out.stripTrailing();
  }

  /** It went well, printed nothing and complained of nothing. */
  public void okSilently() {
    assertEquals("", ok(), line + ": standard output");
  }

  /** It went well but said this as well; what it printed. */
  public String okSaying(String complaint) {
    expect(0, complaint);
    return out.stripTrailing();
  }

  /** It failed with this code and exactly these lines of complaint, and printed nothing. */
  public void fails(int expected, String... complaint) {
    assertEquals("", out, line + ": standard output");
    expect(expected, String.join("\n", complaint));
  }

  /** What it printed, whatever came of it. */
  public String output() {
    seen();
    return out;
  }

  /** What it said, whatever came of it: code, output and complaint in one. */
  public String whatever() {
    seen();
    return "exit " + code + "\n" + out + err;
  }

  private void expect(int expected, String complaint) {
    seen();
    assertEquals(
        "exit " + expected + "\n" + complaint.stripTrailing(),
        "exit " + code + "\n" + err.stripTrailing(),
        () -> line + "\nprinted: " + out);
  }

  private void seen() {
    synchronized (UNSEEN) {
      UNSEEN.remove(this);
    }
  }

  /** After a failure the rest of the test's commands says nothing new. */
  public static void forget() {
    synchronized (UNSEEN) {
      UNSEEN.clear();
    }
  }

  /** Fails if there are commands whose outcome nobody looked at; forgets them. */
  public static void assertAllSeen() {
    List<String> lines;
    synchronized (UNSEEN) {
      lines = UNSEEN.stream().map(ran -> ran.line + "\n" + ran.out + ran.err).toList();
      UNSEEN.clear();
    }
    assertEquals(List.of(), lines, "commands whose outcome nobody looked at");
  }
}
