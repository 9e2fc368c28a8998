package io.dure.e2e.cluster;

import io.dure.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Has another controller of a group lead, by {@code scontrol takeover}. */
public final class Takeover {
  private static final Await SOON = Await.seconds(60);
  private static final Pattern LEADER =
      Pattern.compile("SlurmctldHost=(\\S+) Role=LEADER Term=(\\d+)");
  private static final int MOST_ASKED = 3;

  private Takeover() {}

  /** Who leads by what {@code scontrol show replicas} says, empty if nobody does. */
  public static String leaderIn(String replicas) {
    Matcher leader = LEADER.matcher(replicas);
    return leader.find() ? leader.group(1) : "";
  }

  static long termIn(String replicas) {
    Matcher leader = LEADER.matcher(replicas);
    return leader.find() ? Long.parseLong(leader.group(2)) : 0;
  }

  private static String replicas(Session admin) {
    return admin.run("scontrol", "show", "replicas").whatever();
  }

  /** Waits until all three vote and lack no more than a load makes in a moment. */
  public static void awaitCaughtUp(Session admin) {
    awaitCaughtUp(admin, SOON);
  }

  /** The same, for as long as a state of that size may need. */
  static void awaitCaughtUp(Session admin, Await within) {
    var _ = caughtUp(admin, within);
  }

  private static String caughtUp(Session admin, Await within) {
    return within.value(
        "all have caught up",
        () -> replicas(admin),
        seen -> seen.matches("(?s)exit 0\\R(SlurmctldHost=.*Voting=YES Lag=\\d\\d?\\R){3}"));
  }

  /**
   * Asks for another leader. On a machine so slow that there is an election at the same time the
   * command may fail, or another may lead than who was asked: then it is asked again.
   *
   * @param wanted who may lead then
   * @param index whom to ask, none for any
   */
  public static void to(Session admin, Predicate<String> wanted, String... index) {
    List<String> command = new ArrayList<>(List.of("scontrol", "takeover"));
    command.addAll(List.of(index));
    List<String> past = new ArrayList<>();
    for (int asked = 0; asked < MOST_ASKED; asked++) {
      long term = termIn(caughtUp(admin, SOON));
      String said = admin.run(command.toArray(String[]::new)).whatever();
      past.add(said);
      if (said.equals("exit 0\n")) {
        String now =
            SOON.value(
                "somebody leads anew",
                () -> replicas(admin),
                seen -> termIn(seen) > term || wanted.test(leaderIn(seen)));
        if (wanted.test(leaderIn(now))) {
          return;
        }
        past.add(now);
      }
    }
    throw new AssertionError("who leads is not who was asked: " + past);
  }
}
