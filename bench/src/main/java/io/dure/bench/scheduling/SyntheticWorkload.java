package io.dure.bench.scheduling;

import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.RequeuePolicy;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A made-up centre: nodes of eight classes in five partitions, and users who submit jobs of a few
 * hundred shapes again and again. The same seed gives the same jobs.
 */
final class SyntheticWorkload {
  private static final int SHAPES = 300;
  private static final int[] MINUTES = {5, 10, 30, 60, 120, 240, 480, 720, 1440, 2880, 4320};

  /** Share of the nodes in percent, sockets, cores of a socket, MiB, feature, partition. */
  private static final Object[][] CLASSES = {
    {30, 2, 16, 192_000, "skylake", "general"},
    {20, 2, 20, 192_000, "cascade", "general"},
    {15, 2, 28, 256_000, "icelake", "general"},
    {10, 2, 32, 512_000, "genoa", "general"},
    {5, 2, 32, 2_000_000, "genoa", "large"},
    {10, 2, 24, 512_000, "milan", "accelerated"},
    {5, 2, 56, 1_000_000, "sapphire", "accelerated"},
    {5, 1, 8, 64_000, "desktop", "debug"},
  };

  private record Shape(JobSpec spec, int weight) {}

  private final Random random;
  private final List<Shape> shapes = new ArrayList<>();
  private int weights;

  SyntheticWorkload(long seed) {
    random = new Random(seed);
    for (int i = 0; i < SHAPES; i++) {
      Shape shape = new Shape(spec(i), 1 + SHAPES / (1 + i));
      weights += shape.weight();
      shapes.add(shape);
    }
  }

  /** The cluster. */
  static ClusterConfig config(int nodes, boolean own) {
    StringBuilder text = new StringBuilder();
    text.append("ClusterName=bench\nSlurmctldHost=a\nSelectType=select/cons_tres\n")
        .append("SelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=2000\nMaxJobCount=2000000\n")
        .append(own ? "SchedulerParameters=policy=dure\n" : "");
    int first = 1;
    List<String> names = new ArrayList<>();
    for (int i = 0; i < CLASSES.length; i++) {
      Object[] of = CLASSES[i];
      int count = Math.max(1, nodes * (int) of[0] / 100);
      int cores = (int) of[1] * (int) of[2];
      String name = "c" + i + "-[" + first + "-" + (first + count - 1) + "]";
      names.add(name);
      text.append("NodeName=").append(name).append(" CPUs=").append(cores);
      text.append(" Sockets=").append(of[1]).append(" CoresPerSocket=").append(of[2]);
      text.append(" RealMemory=").append(of[3]).append(" Feature=").append(of[4]).append('\n');
    }
    for (String partition : List.of("general", "large", "accelerated", "debug")) {
      List<String> members = new ArrayList<>();
      for (int i = 0; i < CLASSES.length; i++) {
        if (CLASSES[i][5].equals(partition)) {
          members.add(names.get(i));
        }
      }
      text.append("PartitionName=").append(partition).append(" Nodes=");
      text.append(String.join(",", members));
      text.append(partition.equals("general") ? " Default=YES\n" : "\n");
    }
    text.append("PartitionName=scavenge Nodes=ALL PriorityTier=0\n");
    ParsedConfig parsed = SlurmConfParser.parseAlone("/slurm.conf", text.toString());
    if (parsed.hasErrors()) {
      throw new IllegalStateException(parsed.errors().toString());
    }
    return parsed.config();
  }

  /** What the next job asks for. */
  JobSpec next() {
    int at = random.nextInt(weights);
    for (Shape shape : shapes) {
      at -= shape.weight();
      if (at < 0) {
        return shape.spec();
      }
    }
    throw new IllegalStateException("no shape left");
  }

  private JobSpec spec(int number) {
    int kind = random.nextInt(100);
    int nodes = kind < 80 ? 1 : 1 << random.nextInt(1, 7);
    int cpus = kind < 40 ? 1 << random.nextInt(4) : 8 * random.nextInt(1, 5);
    int tasks = nodes == 1 ? random.nextInt(1, 3) : nodes * 8;
    int perTask = nodes == 1 ? cpus : 1 + random.nextInt(4);
    String partition =
        switch (random.nextInt(20)) {
          case 0 -> "large";
          case 1, 2, 3 -> "accelerated";
          case 4, 5 -> "scavenge";
          case 6 -> "debug";
          default -> "general";
        };
    boolean debug = partition.equals("debug");
    ResourceRequest request =
        ResourceRequest.of(
                debug ? 1 : nodes, debug ? 1 : tasks, debug ? 1 + random.nextInt(8) : perTask)
            .with()
            .maxNodes(nodes == 1 || debug ? 1 : nodes)
            .tasksPerNode(nodes == 1 || debug ? null : 8)
            .memory(new MemoryRequest.PerCpu(500L << random.nextInt(4)))
            .sharing(number % 10 == 9 ? OversubscribeMode.EXCLUSIVE : OversubscribeMode.DEFAULT)
            .features(number % 7 == 6 && partition.equals("general") ? "icelake|genoa" : null)
            .build();
    return JobSpec.of(
            "job" + number,
            List.of(partition),
            request,
            TimeLimit.minutes(MINUTES[random.nextInt(MINUTES.length)]))
        .withRequeue(RequeuePolicy.YES);
  }
}
