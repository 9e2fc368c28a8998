package io.dure.simulator.twin.accounts;

import io.dure.cli.command.CommandClock;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.SupposedCaller;
import io.dure.cli.sacctmgr.Sacctmgr;
import io.dure.core.accounting.AccountingTree;
import io.dure.simulator.twin.trace.Skip;
import io.dure.simulator.twin.trace.TraceException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the accounts of a cluster: a dump of {@code sacctmgr}, or a script of its commands, line by
 * line as the command itself takes them. What a line says of the cluster is said of all accounts.
 */
public final class AccountsFile {
  private static final long MOST_BYTES = 64L << 20;
  private static final Pattern ADD_CLUSTER =
      Pattern.compile("(?i)add\\s+clusters?\\s+(?:names?=)?([^\\s=]+)(.*)");
  private static final Pattern REMOVE_QOS = Pattern.compile("(?i)(?:remove|delete)\\s+qos\\b");

  private final Path file;
  private final KeptAccounts kept;
  private final List<Skip> skipped = new ArrayList<>();

  /** Lines that take away the only QOS there is, by number: scripts do, and then add their own. */
  private final SortedMap<Integer, String> removals = new TreeMap<>();

  /**
   * What a file says.
   *
   * @param tree the accounts
   * @param skipped lines that were refused, by what was said
   */
  public record Accounts(AccountingTree tree, List<Skip> skipped) {
    public Accounts {
      skipped = List.copyOf(skipped);
    }
  }

  private AccountsFile(Path file, String cluster) {
    this.file = file;
    kept = new KeptAccounts(cluster);
  }

  /**
   * Reads a file.
   *
   * @param cluster the cluster's name
   * @throws TraceException if it cannot be read
   */
  public static Accounts read(Path file, String cluster) throws TraceException {
    return new AccountsFile(file, cluster).read();
  }

  private Accounts read() throws TraceException {
    List<String> lines;
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new TraceException(file.toString(), "it has more than 64 MiB", "name a smaller file");
      }
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new TraceException(
          file.toString(), "cannot be read", "name a dump or a script of sacctmgr");
    }
    if (lines.stream().anyMatch(line -> line.strip().startsWith("Cluster - "))) {
      call(List.of("load", "file=" + file, "clean"), "", 0);
    } else {
      int number = 0;
      for (String line : lines) {
        line(line.strip(), ++number);
      }
      removals.forEach((place, line) -> call(List.of(), line, place));
    }
    return new Accounts(kept.tree(), skipped);
  }

  private void line(String line, int number) {
    String first = line.split("\\s", 2)[0].toLowerCase(Locale.ROOT);
    if (line.isEmpty() || line.startsWith("#") || first.equals("list") || first.equals("show")) {
      return;
    }
    if (REMOVE_QOS.matcher(line).lookingAt() && kept.tree().qosByNumber().size() == 1) {
      removals.put(number, line);
      return;
    }
    Matcher cluster = ADD_CLUSTER.matcher(line);
    if (!cluster.matches()) {
      call(List.of(), line, number);
    } else if (!cluster.group(2).isBlank()) {
      call(List.of(), "modify cluster set" + cluster.group(2), number);
    }
  }

  private void call(List<String> words, String typed, int number) {
    List<String> arguments = new ArrayList<>(List.of("-i", "-Q"));
    arguments.addAll(words);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CommandContext context =
        new CommandContext(
            "sacctmgr",
            arguments,
            Map.of(),
            Path.of("/"),
            new ByteArrayInputStream((typed + "\n").getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            new SupposedCaller(file::equals),
            new NoClock(),
            kept);
    int code = new Sacctmgr().run(context);
    String said = err.toString(StandardCharsets.UTF_8).strip();
    if (code != 0 && !said.isEmpty()) {
      skipped.add(
          new Skip(
              "accounts: "
                  + file.getFileName()
                  + ": "
                  + String.join("; ", said.lines().map(String::strip).toList()),
              1,
              number));
    }
  }

  /** The beginning of all time, which does not pass. */
  private static final class NoClock implements CommandClock {
    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public ZoneId zone() {
      return ZoneOffset.UTC;
    }

    @Override
    public void pause(Duration time) {
      throw new UnsupportedOperationException("a script's time does not pass");
    }
  }
}
