package io.dure.cli.sbatch;

import io.dure.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No device, core, byte or licence is given twice, whatever is asked for in whatever order. */
@Tag("pure")
class GresPropertyTest {
  private static final int STEPS = 60;

  private static final List<String> ASKS =
      List.of(
          "--gres=gpu:1",
          "--gres=gpu:a100:2",
          "--gres=gpu:v100:1",
          "--gpus=3",
          "--gpus=5 -N2-3 -n3",
          "-N2 --gpus-per-node=1",
          "-n3 --gpus-per-task=1",
          "--gpus=2 --ntasks-per-gpu=2",
          "--gres=gpu:1 --cpus-per-gpu=3",
          "--gres=gpu:2 --mem-per-gpu=100",
          "--gres=shard:3",
          "--gres=shard:1 -n2",
          "--gres=tmp:3",
          "--exclusive",
          "-n3 --ntasks-per-socket=1",
          "-n2 --ntasks-per-core=1",
          "-L matlab:2",
          "-L matlab|octave",
          "-n5");

  private static Site site(Random random) {
    String unit =
        List.of("CR_Core_Memory", "CR_CPU_Memory", "CR_Socket_Memory", "CR_Core")
            .get(random.nextInt(4));
    List<String> conf = new ArrayList<>();
    conf.add("SelectTypeParameters=" + unit);
    conf.add("Licenses=matlab:3,octave:1");
    conf.add(
        "NodeName=a[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000"
            + " Gres=gpu:a100:4,shard:16,tmp:5");
    conf.add("NodeName=b1 CPUs=8 RealMemory=1000 Gres=gpu:v100:2 CoreSpecCount=1");
    conf.add("NodeName=c1 CPUs=8 RealMemory=1000");
    List<String> gres =
        List.of(
            "NodeName=a[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3",
            "NodeName=a[1-2] Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7");
    return new Site(conf, gres, List.of());
  }

  @Test
  void nothingIsEverGivenTwice() {
    for (long seed = 0; seed < Cases.of(40); seed++) {
      Random random = new Random(seed + Cases.seeds());
      Site site = site(random);
      List<Integer> jobs = new ArrayList<>();
      try {
        for (int step = 0; step < STEPS; step++) {
          if (!jobs.isEmpty() && random.nextInt(3) == 0) {
            int which = random.nextInt(jobs.size());
            site.end(jobs.get(which));
            jobs.subList(which, which + 1).clear();
            site.schedule();
          } else {
            String ask = ASKS.get(random.nextInt(ASKS.size()));
            int id = site.state().nextJobId();
            List<String> seen = site.submit("u" + random.nextInt(2), ask + memory(ask, random));
            if (!seen.getFirst().startsWith("refused")) {
              jobs.add(id);
            }
          }
        }
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  private static String memory(String ask, Random random) {
    int mib = 10 * (1 + random.nextInt(20));
    return ask.contains("--mem-per-gpu") ? "" : " --mem=" + mib;
  }
}
