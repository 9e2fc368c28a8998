package io.dure.surface.show;

import io.dure.model.HostList;
import io.dure.model.hook.Trigger;
import io.dure.model.hook.TriggerKind;
import io.dure.protocol.TriggerCriteria;
import io.dure.surface.print.PlainText;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The listing of triggers. */
public final class TriggerText {
  /** What stands above it. */
  public static final String HEADER =
      "TRIG_ID RES_TYPE    RES_ID TYPE                                 OFFSET USER     FLAGS   "
          + " PROGRAM";

  private static final String ALL = "*";

  private TriggerText() {}

  /**
   * The lines of those that are asked for.
   *
   * @throws io.dure.model.HostListException if the nodes are no host list
   */
  public static List<String> lines(List<Trigger> triggers, TriggerCriteria criteria) {
    String nodes = criteria.nodes();
    Set<String> named =
        nodes.isEmpty() || nodes.equals(ALL) ? Set.of() : new TreeSet<>(HostList.expand(nodes));
    return triggers.stream()
        .filter(trigger -> applies(trigger, criteria) && isAbout(trigger.wish(), nodes, named))
        .map(TriggerText::line)
        .toList();
  }

  private static boolean applies(Trigger trigger, TriggerCriteria criteria) {
    Trigger.Wish wish = trigger.wish();
    String user = criteria.user();
    return (criteria.id() == null || criteria.id() == trigger.id())
        && (criteria.jobId() == null || criteria.jobId().equals(wish.jobId()))
        && (user == null || trigger.isOf(user))
        && (criteria.kinds().isEmpty() || !Collections.disjoint(criteria.kinds(), wish.kinds()));
  }

  private static boolean isAbout(Trigger.Wish wish, String nodes, Set<String> named) {
    return nodes.isEmpty()
        || wish.jobId() == null
            && (wish.nodes().equals(ALL)
                || nodes.equals(ALL)
                || HostList.expand(wish.nodes()).stream().anyMatch(named::contains));
  }

  private static String line(Trigger trigger) {
    Trigger.Wish wish = trigger.wish();
    String about = wish.jobId() != null ? wish.jobId().toString() : wish.nodes();
    return PlainText.of(
        String.format(
            Locale.ROOT,
            "%7d %-8s %9s %-35s %7d %-8s %-8s %s",
            trigger.id(),
            resource(wish),
            about,
            wish.kinds().stream().map(TriggerKind::word).collect(Collectors.joining("|")),
            wish.offsetSeconds(),
            trigger.owner().userName(),
            wish.permanent() ? "PERM" : "",
            wish.program()));
  }

  private static String resource(Trigger.Wish wish) {
    if (wish.jobId() != null) {
      return "job";
    }
    String resource = wish.kinds().getFirst().resource();
    return resource == null ? "node" : resource;
  }
}
