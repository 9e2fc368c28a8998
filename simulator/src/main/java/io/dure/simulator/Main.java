package io.dure.simulator;

import io.dure.simulator.scenario.Scenario;
import io.dure.simulator.world.Wiring;
import io.dure.simulator.world.World;

/** Chaos. */
public final class Main {
  private Main() {}

  /** Runs. */
  public static void main(String[] args) {
    long first = Long.parseLong(args[0]);
    int n = Integer.parseInt(args[1]);
    long millis = Long.parseLong(args[2]) * 1000;
    int nodes = Integer.parseInt(args[3]);
    long began = System.nanoTime();
    double virtual = 0;
    int bad = 0;
    for (long s = first; s < first + n; s++) {
      World.Outcome o = World.run(Scenario.of(s, nodes, millis), Wiring.SOUND, args.length > 4);
      virtual += o.virtualMicros() / 1e6;
      if (o.violation() != null || args.length > 5) {
        bad++;
        System.out.println("seed " + s + " " + o.violation());
        o.history().forEach(System.out::println);
      }
      if (n < 10)
        System.out.println(
            "seed "
                + s
                + " "
                + Long.toHexString(o.hash())
                + " jobs "
                + o.jobs()
                + " runs "
                + o.runs()
                + " virtual "
                + o.virtualMicros() / 1e6
                + " "
                + o.counts());
    }
    double real = (System.nanoTime() - began) / 1e9;
    System.out.println(
        bad + " bad of " + n + ", " + virtual / real + " virtual seconds a second, real " + real);
  }
}
