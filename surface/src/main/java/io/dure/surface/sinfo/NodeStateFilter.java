package io.dure.surface.sinfo;

import io.dure.surface.facts.SlurmNodeState;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.KeywordParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * States of which a node must have one.
 *
 * @param choices the alternatives; of each, all must hold
 */
public record NodeStateFilter(List<List<StateName>> choices) {

  /** The states of nodes that a set of reasons is about. */
  static final NodeStateFilter WITH_REASON =
      new NodeStateFilter(
          List.of(List.of(StateName.DOWN), List.of(StateName.DRAIN), List.of(StateName.FAIL)));

  /** What a choice may name; those that no node of Dure can be in match none. */
  public enum StateName {
    UNKNOWN("unk"),
    DOWN("down"),
    IDLE("idle"),
    ALLOCATED("alloc"),
    MIXED("mix"),
    FUTURE("futr"),
    DRAIN("drain"),
    DRAINED("drained"),
    DRAINING("drng"),
    NO_RESPOND("no_resp"),
    RESERVED("resv"),
    PERFCTRS("npc"),
    CLOUD("cloud"),
    COMPLETING("comp"),
    POWERING_DOWN("pow_dn"),
    POWERED_DOWN("pow_dnd"),
    POWER_DOWN("pow_dn_req"),
    POWERING_UP("pow_up"),
    FAIL("fail"),
    FAILING("failg"),
    MAINT("maint"),
    REBOOT("boot"),
    PLANNED("plnd"),
    BLOCKED("block"),
    INVAL("inval");

    private final String brief;

    StateName(String brief) {
      this.brief = brief;
    }

    private boolean matches(SlurmNodeState state) {
      return switch (this) {
        case UNKNOWN -> state.base() == SlurmNodeState.Base.UNKNOWN;
        case DOWN -> state.base() == SlurmNodeState.Base.DOWN;
        case IDLE -> state.base() == SlurmNodeState.Base.IDLE && state.isUsable();
        case ALLOCATED -> state.base() == SlurmNodeState.Base.ALLOCATED && state.isUsable();
        case MIXED -> state.base() == SlurmNodeState.Base.MIXED && state.isUsable();
        case FUTURE -> state.base() == SlurmNodeState.Base.FUTURE;
        case DRAIN -> state.drain();
        case DRAINED -> state.drain() && !state.isBusy();
        case DRAINING -> state.drain() && state.isBusy();
        case NO_RESPOND -> !state.responding();
        case COMPLETING -> state.completing();
        case FAIL -> state.fail();
        case FAILING -> state.fail() && state.isBusy();
        case PLANNED -> state.planned();
        case RESERVED -> state.reserved();
        case MAINT -> state.maintenance();
        case PERFCTRS,
            CLOUD,
            POWERING_DOWN,
            POWERED_DOWN,
            POWER_DOWN,
            POWERING_UP,
            REBOOT,
            BLOCKED,
            INVAL ->
            false;
      };
    }
  }

  private static final String VALID =
      "unknown,down,idle,allocated,?,mixed,future,drain,drained,draining,no_respond,reserved,"
          + "perfctrs,cloud,completing,powering_down,powered_down,power_down,powering_up,fail,"
          + "maint,reboot,reboot^,unknown";

  /**
   * Reads {@code idle,mix,down+drain}.
   *
   * @throws CommandException if a word is no state
   */
  static @Nullable NodeStateFilter parse(String text) throws CommandException {
    List<List<StateName>> choices = new ArrayList<>();
    for (String choice : KeywordParser.list(text)) {
      if (choice.equalsIgnoreCase("all")) {
        return null;
      }
      List<StateName> words = new ArrayList<>();
      for (String word : choice.replace('&', '+').split("\\+", -1)) {
        StateName found = find(word.toLowerCase(Locale.ROOT));
        if (found == null) {
          throw CommandException.error("Bad state string: \"" + word + "\"")
              .and(StderrMessage.error("valid states: " + VALID));
        }
        words.add(found);
      }
      choices.add(words);
    }
    return new NodeStateFilter(choices);
  }

  /** The names of all states. */
  List<List<String>> names() {
    return choices.stream().map(all -> all.stream().map(Enum::name).toList()).toList();
  }

  private static @Nullable StateName find(String text) {
    String plain = text.equals("reboot^") ? "reboot" : text;
    for (StateName word : StateName.values()) {
      if (word.brief.equals(plain) || word.name().toLowerCase(Locale.ROOT).equals(plain)) {
        return word;
      }
    }
    for (StateName word : StateName.values()) {
      if (!plain.isEmpty() && word.name().toLowerCase(Locale.ROOT).startsWith(plain)) {
        return word;
      }
    }
    return null;
  }

  /** Whether a node is in one of the states. */
  boolean matches(SlurmNodeState state) {
    for (List<StateName> choice : choices) {
      boolean all = true;
      for (StateName word : choice) {
        all &= word.matches(state);
      }
      if (all) {
        return true;
      }
    }
    return false;
  }
}
