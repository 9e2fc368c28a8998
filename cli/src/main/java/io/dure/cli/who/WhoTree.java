package io.dure.cli.who;

import io.dure.model.report.ClusterHoldings;
import io.dure.model.report.ResourceAmounts;
import io.dure.model.report.ResourceHolder;
import io.dure.model.report.ShareHolder;
import java.util.ArrayList;
import java.util.List;

/** Which holders are shown, and which small ones are summed up in one row. */
final class WhoTree {
  private static final int MOST_ACCOUNTS = 10;
  private static final int MOST_USERS = 4;
  private static final int MOST_USERS_ALONE = 16;

  private WhoTree() {}

  /**
   * A line.
   *
   * @param holder the account or user; of several drawn together what they hold in all
   * @param together how many others are drawn together here, 0 for a holder of its own
   */
  record Row(ResourceHolder holder, int together) {}

  /** The holders that are asked for, accounts above them too. */
  static List<ResourceHolder> of(ClusterHoldings holdings, WhoArguments call) {
    List<ResourceHolder> all = holdings.holders();
    boolean[] shown = new boolean[all.size()];
    List<String> path = new ArrayList<>();
    for (int i = 0; i < shown.length; i++) {
      ResourceHolder one = all.get(i);
      while (path.size() > one.depth()) {
        path.removeLast();
      }
      boolean inside =
          call.accounts().isEmpty() || path.stream().anyMatch(call.accounts()::contains);
      switch (one.who()) {
        case ShareHolder.Account(String name) -> {
          path.add(name);
          boolean named = inside || call.accounts().contains(name);
          shown[i] = named && call.users().isEmpty();
        }
        case ShareHolder.User(String name, _) ->
            shown[i] = inside && (call.users().isEmpty() || call.users().contains(name));
        case ShareHolder.Others _ -> shown[i] = inside && call.users().isEmpty();
      }
      if (call.gpus() && one.held().gpuMilli() == 0 && one.waiting().asked().gpuMilli() == 0) {
        shown[i] = false;
      }
      if (shown[i]) {
        showAbove(all, shown, i);
      }
    }
    List<ResourceHolder> some = new ArrayList<>();
    for (int i = 0; i < shown.length; i++) {
      if (shown[i]) {
        some.add(all.get(i));
      }
    }
    return some;
  }

  private static void showAbove(List<ResourceHolder> all, boolean[] shown, int index) {
    int depth = all.get(index).depth();
    for (int i = index - 1; i >= 0 && depth > 0; i--) {
      if (all.get(i).depth() < depth) {
        depth = all.get(i).depth();
        shown[i] = true;
      }
    }
  }

  /** The lines: of many siblings the first, the rest drawn together. */
  static List<Row> rows(List<ResourceHolder> holders, boolean everybody) {
    List<Row> rows = new ArrayList<>();
    write(holders, everybody, rows);
    return rows;
  }

  private static void write(List<ResourceHolder> holders, boolean everybody, List<Row> rows) {
    boolean underAccount = !holders.isEmpty() && holders.getFirst().depth() > 0;
    int accounts = 0;
    int users = 0;
    List<ResourceHolder> rest = new ArrayList<>();
    int at = 0;
    while (at < holders.size()) {
      ResourceHolder one = holders.get(at);
      int end = at + 1;
      while (end < holders.size() && holders.get(end).depth() > one.depth()) {
        end++;
      }
      boolean isAccount = one.who() instanceof ShareHolder.Account;
      int most = isAccount ? MOST_ACCOUNTS : underAccount ? MOST_USERS : MOST_USERS_ALONE;
      if (everybody || (isAccount ? accounts++ : users++) < most) {
        rows.add(new Row(one, 0));
        write(holders.subList(at + 1, end), everybody, rows);
      } else {
        rest.add(one);
      }
      at = end;
    }
    if (rest.size() == 1) {
      rows.add(new Row(rest.getFirst(), 0));
    } else if (!rest.isEmpty()) {
      rows.add(new Row(sum(rest), rest.size()));
    }
  }

  private static ResourceHolder sum(List<ResourceHolder> rest) {
    ResourceAmounts held = ResourceAmounts.NONE;
    long running = 0;
    ResourceHolder.Waiting waiting = new ResourceHolder.Waiting(0, 0, ResourceAmounts.NONE);
    for (ResourceHolder one : rest) {
      held = held.plus(one.held());
      running += one.running();
      waiting = waiting.plus(one.waiting());
    }
    ResourceHolder first = rest.getFirst();
    return new ResourceHolder(
        new ShareHolder.Others(null), first.depth(), held, running, waiting, null);
  }
}
