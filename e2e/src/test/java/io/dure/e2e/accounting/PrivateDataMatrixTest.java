package io.dure.e2e.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every command that tells of others, by an ordinary user, a coordinator, an operator and root,
 * with each word of {@code PrivateData} and without it: the table is {@code private-data.txt}.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class PrivateDataMatrixTest {
  private static final String CALLERS = "acor";
  private static final String NO_JOB = "99999";

  private final Map<Character, Session> shells = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();
  private @Nullable TenantSite site;
  private int asked;

  /**
   * One line of the table.
   *
   * @param hidden who sees it with the word
   * @param open who sees it without
   * @param secret what tells of it; {@code denied} for any answer that one about a job that is not
   *     there does not get
   */
  private record Row(String word, String hidden, String open, String secret, String command) {
    static Row of(String line) {
      String[] parts = line.split(" +", 5);
      return new Row(parts[0], none(parts[1]), none(parts[2]), parts[3], parts[4]);
    }

    private static String none(String callers) {
      return callers.equals("-") ? "" : callers;
    }

    /** Operators could do what the others are denied. */
    String callers() {
      return secret.equals("denied") ? "ac" : CALLERS;
    }
  }

  @AfterEach
  void stop() {
    if (site != null) {
      site.close();
    }
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    PrivateDataMatrixTest.class.getResourceAsStream("private-data.txt")),
                StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (!line.isEmpty() && !line.startsWith("#")) {
          rows.add(Row.of(line));
        }
      }
    }
    return rows;
  }

  private TenantSite start(String slurmdbd) throws IOException {
    TenantSite started = new TenantSite(slurmdbd);
    shells.put('a', started.as("zalice"));
    shells.put('c', started.as("zcoord"));
    shells.put('o', started.as("zoper"));
    shells.put('r', started.cluster.admin());
    site = started;
    return started;
  }

  private TenantSite site() {
    return Objects.requireNonNull(site);
  }

  private String numbered(String text) {
    return text.replace("FARWAIT", Integer.toString(site().farWait()))
        .replace("FAR", Integer.toString(site().farJob()))
        .replace("PEER", Integer.toString(site().peerJob()));
  }

  private String said(char caller, String command) {
    asked++;
    return Objects.requireNonNull(shells.get(caller)).run(command.split(" ")).whatever();
  }

  private boolean isSeen(char caller, Row row, String said) {
    if (!row.secret().equals("denied")) {
      return said.contains(numbered(row.secret()).replace('_', ' '));
    }
    String ofNone = said(caller, row.command().replace("FAR", NO_JOB));
    return !ofNone.replace(NO_JOB, Integer.toString(site().farJob())).equals(said);
  }

  private void check(Row row, String privateData, String seers) {
    for (char caller : row.callers().toCharArray()) {
      String command = numbered(row.command());
      String said = said(caller, command);
      boolean seen = isSeen(caller, row, said);
      if (seen != seers.indexOf(caller) >= 0) {
        wrong.add(
            "PrivateData=%s, %s: %s %s %s%n%s"
                .formatted(
                    privateData,
                    caller,
                    command,
                    seen ? "TELLS OF" : "does not tell of",
                    row.secret(),
                    said.length() > 600 ? said.substring(0, 600) : said));
      }
    }
  }

  @Test
  void whatIsPrivateIsSeenByThoseAloneWhoMay() throws IOException {
    TenantSite its = start("");
    List<Row> rows = rows();
    for (Row row : rows) {
      check(row, "none", row.open());
    }
    for (String word : rows.stream().map(Row::word).distinct().toList()) {
      its.set(word);
      rows.stream().filter(row -> row.word().equals(word)).forEach(r -> check(r, word, r.hidden()));
    }
    System.out.printf("private data: %d commands, %d runs%n", rows.size(), asked);
    assertTrue(rows.size() >= 105, "rows: " + rows.size());
    assertEquals("", String.join("\n\n", wrong));
  }

  /** slurmdbd.conf hides of the books alone. */
  @Test
  void slurmdbdConfHidesWhatIsInTheBooks() throws IOException {
    start("PrivateData=jobs,users,usage,events\n");
    check(Row.of("jobs or acor fardone sacct -a -X -n -o JobName%20"), "slurmdbd", "or");
    check(Row.of("jobs cor acor peerdone sacct -a -X -n -o JobName%20"), "slurmdbd", "cor");
    check(Row.of("users or acor zfar sacctmgr -n -P show user"), "slurmdbd", "or");
    check(
        Row.of(
            "usage or acor zfar sreport -t Seconds -n -P user TopUsage start=now-1days end=now+2hours"),
        "slurmdbd",
        "or");
    check(Row.of("events or acor brokenfan sacctmgr -n -P show event"), "slurmdbd", "or");
    check(Row.of("jobs acor acor farjob squeue -h -o %j"), "slurmdbd", "acor");
    check(Row.of("jobs acor acor farjob scontrol show job"), "slurmdbd", "acor");
    assertEquals("", String.join("\n\n", wrong));
  }
}
