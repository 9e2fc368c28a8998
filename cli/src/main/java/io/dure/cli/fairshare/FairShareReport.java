package io.dure.cli.fairshare;

import io.dure.model.accounting.PrioritySettings;
import io.dure.protocol.Response;
import java.util.List;

/**
 * How the fair share of one place comes about.
 *
 * @param place the place
 * @param path it and the accounts above, the highest first
 * @param levels with what each of these is compared, the first first
 * @param days what was used, the newest day first
 * @param ranks whether the factor is a rank, or a function of use and share
 * @param weighs whether jobs are ordered by priorities at all
 */
record FairShareReport(
    Response.Share place,
    List<Response.Share> path,
    List<List<Response.Share>> levels,
    List<DayUse> days,
    boolean ranks,
    boolean weighs,
    PrioritySettings settings) {
  FairShareReport {
    path = List.copyOf(path);
    levels = levels.stream().map(List::copyOf).toList();
    days = List.copyOf(days);
  }

  /** The name of a place among its siblings. */
  static String name(Response.Share row) {
    String user = row.association().user();
    String partition = row.association().partition();
    String name = user == null ? row.association().account() : user;
    return partition == null ? name : name + " (partition " + partition + ")";
  }

  /** How many of those that it is compared with come before, of which the ratio is larger. */
  static int before(Response.Share row, List<Response.Share> siblings) {
    return (int) siblings.stream().filter(one -> one.level() > row.level()).count();
  }
}
