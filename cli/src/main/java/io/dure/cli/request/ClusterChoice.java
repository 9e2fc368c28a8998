package io.dure.cli.request;

import io.dure.cli.command.CommandContext;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.surface.message.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The clusters whose records are asked for. */
public final class ClusterChoice {
  private static final String ALL = "all";

  private ClusterChoice() {}

  /**
   * The clusters by name, null for the controller's own.
   *
   * @param failure makes a failure of its text
   * @param named the argument of {@code --clusters}, null for none
   * @param all whether all are asked for
   * @throws CommandException if one of them is not there
   */
  public static List<@Nullable String> of(
      CommandContext context,
      Function<String, CommandException> failure,
      @Nullable String named,
      boolean all)
      throws CommandException {
    List<@Nullable String> chosen = new ArrayList<>();
    boolean every = all || ALL.equalsIgnoreCase(named);
    if (named == null && !every) {
      chosen.add(null);
      return chosen;
    }
    Response.Accounts known =
        Question.ask(context, failure, null, new Request.ShowAccounts(), Response.Accounts.class);
    List<ClusterAccounts> sharing = Objects.requireNonNullElse(known.clusters(), List.of());
    List<String> there = sharing.stream().map(ClusterAccounts::cluster).toList();
    if (every) {
      chosen.addAll(there);
    } else if (named != null) {
      for (String name : named.split(",", -1)) {
        if (!there.contains(name) && !name.equals(known.clusterName())) {
          throw ClusterCheck.unknown(name);
        }
        chosen.add(there.contains(name) ? name : null);
      }
    }
    if (chosen.isEmpty()) {
      chosen.add(null);
    }
    return chosen;
  }

  /**
   * All clusters that keep their records together, null for a controller's own where it is alone.
   */
  public static List<@Nullable String> every(Response.Accounts known) {
    List<@Nullable String> all = new ArrayList<>();
    List<ClusterAccounts> sharing = Objects.requireNonNullElse(known.clusters(), List.of());
    sharing.forEach(one -> all.add(one.cluster()));
    if (all.isEmpty()) {
      all.add(null);
    }
    return all;
  }

  /**
   * Tables of the same form under the header of the first.
   *
   * @param headerLines how many lines a header has; one that differs from the first stays
   */
  public static String joined(List<String> tables, int headerLines) {
    if (tables.size() < 2) {
      return String.join("", tables);
    }
    StringBuilder out = new StringBuilder();
    List<String> first = header(tables.getFirst(), headerLines);
    for (int i = 0; i < tables.size(); i++) {
      String table = tables.get(i);
      boolean again = i > 0 && header(table, headerLines).equals(first);
      table.lines().skip(again ? headerLines : 0).forEach(line -> out.append(line).append('\n'));
    }
    return out.toString();
  }

  private static List<String> header(String table, int lines) {
    return table.lines().limit(lines).toList();
  }
}
