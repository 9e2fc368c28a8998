package io.dure.twin.accounts;

import io.dure.model.accounting.AccountingTree;
import io.dure.surface.value.LineTokenizer;
import io.dure.twin.trace.SkippedRecords;
import io.dure.twin.trace.TraceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
  private final InMemoryAccountController kept;
  private final List<SkippedRecords> skipped = new ArrayList<>();

  /** Lines that take away the only QOS there is, by number: scripts do, and then add their own. */
  private final SortedMap<Integer, String> removals = new TreeMap<>();

  /**
   * What a file says.
   *
   * @param tree the accounts
   * @param skipped lines that were refused, by what was said
   */
  public record Accounts(AccountingTree tree, List<SkippedRecords> skipped) {
    public Accounts {
      skipped = List.copyOf(skipped);
    }
  }

  private AccountsFile(Path file, String cluster) {
    this.file = file;
    kept = new InMemoryAccountController(cluster);
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
      call(List.of("load", "file=" + file, "clean"), 0);
    } else {
      int number = 0;
      for (String line : lines) {
        line(line.strip(), ++number);
      }
      removals.forEach((place, line) -> call(LineTokenizer.of(line), place));
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
      call(LineTokenizer.of(line), number);
    } else if (!cluster.group(2).isBlank()) {
      call(LineTokenizer.of("modify cluster set" + cluster.group(2)), number);
    }
  }

  private void call(List<String> words, int number) {
    List<String> said = OfflineSacctmgr.complaints(kept, file, words);
    if (said != null && !said.isEmpty()) {
      String cause = "accounts: " + file.getFileName() + ": " + String.join("; ", said);
      skipped.add(new SkippedRecords(cause, 1, number));
    }
  }
}
