package io.dure.placement.gpus.mig;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All ways to cut a GPU: some hundreds, each with what may be added and what may leave. */
public final class MigLayouts {
  /** The states of which one is the other with an instance more. */
  public static final MigLayouts ALL = new MigLayouts();

  private static final int EMPTY = 0;

  private final List<Cut> cuts = new ArrayList<>();
  private final Map<Cut, Integer> known = new LinkedHashMap<>();

  /** For each state, profile and start the state afterwards, -1 where that is not legal. */
  private final List<Map<MigProfile, int[]>> with = new ArrayList<>();

  /** For each state and start the state without the instance there, -1 where none begins. */
  private final List<int[]> without = new ArrayList<>();

  private record Instance(MigProfile profile, int start) {}

  /** The instances of a GPU, by where they begin. */
  private record Cut(List<Instance> instances) {
    int taken() {
      int taken = 0;
      for (Instance one : instances) {
        taken |= one.profile().bits(one.start());
      }
      return taken;
    }

    boolean hasRoom(MigProfile profile, int start) {
      return (taken() & profile.bits(start)) == 0;
    }

    Cut with(MigProfile profile, int start) {
      List<Instance> next = new ArrayList<>(instances);
      next.add(new Instance(profile, start));
      next.sort(Comparator.comparingInt(Instance::start));
      return new Cut(List.copyOf(next));
    }

    Cut without(int start) {
      return new Cut(instances.stream().filter(one -> one.start() != start).toList());
    }
  }

  private MigLayouts() {
    add(new Cut(List.of()));
    for (int state = 0; state < cuts.size(); state++) {
      Cut cut = cuts.get(state);
      Map<MigProfile, int[]> next = new EnumMap<>(MigProfile.class);
      for (MigProfile profile : MigProfile.values()) {
        int[] after = new int[MigProfile.SLICES];
        Arrays.fill(after, -1);
        for (int start : profile.starts()) {
          after[start] = cut.hasRoom(profile, start) ? add(cut.with(profile, start)) : -1;
        }
        next.put(profile, after);
      }
      with.add(next);
    }
    for (Cut cut : cuts) {
      int[] after = new int[MigProfile.SLICES];
      Arrays.fill(after, -1);
      for (Instance one : cut.instances()) {
        after[one.start()] = add(cut.without(one.start()));
      }
      without.add(after);
    }
  }

  private int add(Cut cut) {
    return known.computeIfAbsent(
        cut,
        _ -> {
          cuts.add(cut);
          return cuts.size() - 1;
        });
  }

  /** How many there are. */
  public int count() {
    return cuts.size();
  }

  /** That of a GPU without instances. */
  public int empty() {
    return EMPTY;
  }

  /** The state with an instance more, -1 where it may not begin there. */
  public int with(int state, MigProfile profile, int start) {
    int[] after = with.get(state).get(profile);
    return after == null ? -1 : after[start];
  }

  /** The state without the instance that begins there, -1 where none does. */
  public int without(int state, int start) {
    return without.get(state)[start];
  }

  /** Memory slices that no instance has. */
  public int free(int state) {
    return MigProfile.SLICES - Integer.bitCount(cuts.get(state).taken());
  }
}
