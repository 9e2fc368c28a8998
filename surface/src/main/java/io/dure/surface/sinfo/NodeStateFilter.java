package io.dure.surface.sinfo;

import io.dure.surface.facts.SlurmNodeState;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.KeywordParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * States of which a node must have one.
 *
 * @param choices the alternatives; of each, all must hold
 */
public record NodeStateFilter(List<List<Term>> choices) {

  /** The states of nodes that a set of reasons is about. */
  static final NodeStateFilter WITH_REASON =
      new NodeStateFilter(
          Stream.of(StateName.DOWN, StateName.DRAIN, StateName.FAIL)
              .map(name -> List.of(new Term(name, false)))
              .toList());

  /**
   * A state that must hold, or must not.
   *
   * @param negated whether it must not
   */
  public record Term(StateName name, boolean negated) {
    private static final String NOT = "~";

    /** {@code IDLE}, {@code ~IDLE}. */
    String text() {
      return negated ? NOT + name : name.name();
    }

    /** That of a text, null for a state that is not known here. */
    static @Nullable Term of(String text) {
      boolean negated = text.startsWith(NOT);
      String bare = negated ? text.substring(NOT.length()) : text;
      for (StateName name : StateName.values()) {
        if (name.name().equals(bare)) {
          return new Term(name, negated);
        }
      }
      return null;
    }

    private boolean matches(SlurmNodeState state, boolean alone) {
      return negated != (alone ? name.matches(state) : name.isPartOf(state));
    }
  }

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
    INVAL("inval"),
    REBOOT_ISSUED("reboot^"),
    REBOOT_REQUESTED("reboot@"),
    EXTERNAL("ext"),
    DYNAMIC_NORM("dynamic_norm"),
    DYNAMIC_FUTURE("dynamic_future");

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
        case CLOUD -> state.cloud();
        case POWERING_DOWN -> state.power() == SlurmNodeState.Power.POWERING_DOWN;
        case POWERED_DOWN -> state.power() == SlurmNodeState.Power.POWERED_DOWN;
        case POWER_DOWN -> state.power() == SlurmNodeState.Power.POWER_DOWN;
        case POWERING_UP -> state.power() == SlurmNodeState.Power.POWERING_UP;
        case REBOOT, REBOOT_ISSUED -> state.power() == SlurmNodeState.Power.REBOOTING;
        case REBOOT_REQUESTED -> state.power() == SlurmNodeState.Power.REBOOT_ASKED;
        case EXTERNAL -> state.external();
        case PERFCTRS, BLOCKED, INVAL, DYNAMIC_NORM, DYNAMIC_FUTURE -> false;
      };
    }

    /**
     * Whether it is one of several states that a node is in: {@code idle} of {@code idle+drain}.
     */
    private boolean isPartOf(SlurmNodeState state) {
      return switch (this) {
        case IDLE -> state.base() == SlurmNodeState.Base.IDLE;
        case ALLOCATED -> state.base() == SlurmNodeState.Base.ALLOCATED;
        case MIXED -> state.base() == SlurmNodeState.Base.MIXED;
        default -> matches(state);
      };
    }
  }

  private static final String VALID =
      "unknown,down,idle,allocated,?,mixed,future,drain,drained,draining,no_respond,reserved,"
          + "perfctrs,cloud,completing,powering_down,powered_down,power_down,powering_up,fail,"
          + "maint,reboot,reboot^,unknown";

  /**
   * Reads {@code idle,mix,down+drain,~alloc}.
   *
   * @throws CommandException if a word is no state
   */
  static @Nullable NodeStateFilter parse(String text) throws CommandException {
    List<List<Term>> choices = new ArrayList<>();
    for (String choice : KeywordParser.list(text)) {
      if (choice.equalsIgnoreCase("all")) {
        return null;
      }
      List<Term> words = new ArrayList<>();
      for (String word : choice.replace('&', '+').split("\\+", -1)) {
        boolean negated = word.startsWith("~") || word.startsWith("!");
        StateName found = find(word.substring(negated ? 1 : 0).toLowerCase(Locale.ROOT));
        if (found == null) {
          throw CommandException.error("Bad state string: \"" + word + "\"")
              .and(StderrMessage.error("valid states: " + VALID));
        }
        words.add(new Term(found, negated));
      }
      choices.add(words);
    }
    return new NodeStateFilter(choices);
  }

  /** The names of all states, {@code ~} before one that must not hold. */
  List<List<String>> names() {
    return choices.stream().map(all -> all.stream().map(Term::text).toList()).toList();
  }

  private static @Nullable StateName find(String text) {
    for (StateName word : StateName.values()) {
      if (word.brief.equals(text) || word.name().toLowerCase(Locale.ROOT).equals(text)) {
        return word;
      }
    }
    for (StateName word : StateName.values()) {
      if (!text.isEmpty() && word.name().toLowerCase(Locale.ROOT).startsWith(text)) {
        return word;
      }
    }
    return null;
  }

  /** Whether a node is in one of the states. */
  boolean matches(SlurmNodeState state) {
    for (List<Term> choice : choices) {
      boolean all = true;
      for (Term word : choice) {
        all &= word.matches(state, choice.size() == 1);
      }
      if (all) {
        return true;
      }
    }
    return false;
  }
}
