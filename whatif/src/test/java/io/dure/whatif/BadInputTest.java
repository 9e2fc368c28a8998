package io.dure.whatif;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is wrong is named, with its place and what would be right. */
@Tag("pure")
class BadInputTest {
  @TempDir Path folder;

  /** Words of a call, divided by bars; then what it says. */
  private static final String CASES =
      """
      (nothing)                          => 2 whatif: say what is to be otherwise, such as --drain NODES
      --or                               => 2 whatif: say what is to be otherwise
      --drain                            => 2 whatif: option --drain requires an argument
      --drian|n1                         => 2 whatif: there is no option --drian (see --help)
      --drain|                           => 2 whatif: --drain: its argument is empty
      --drain|n7                         => 2 whatif: --drain n7: slurm_update error: Invalid node name
      --drain|n[1-                       => 2 whatif: --drain n[1-: Invalid input
      --add-nodes|n1                     => 2 whatif: --add-nodes n1: give COUNT:NODE
      --add-nodes|2:n9                   => 2 whatif: --add-nodes: there is no node n9
      --add-nodes|0:n1                   => 2 whatif: --add-nodes 0:n1: give COUNT:NODE
      --set|PreemptTyp=x                 => 2 whatif: --set PreemptTyp=x: Parsing error at unrecognized key: PreemptTyp. Did you mean PreemptType?
      --set|PreemptType                  => 2 whatif: --set PreemptType: write KEY=VALUE
      --set|PreemptType=preempt/none     => 2 whatif: --set PreemptType=preempt/none: it is so already
      --set|PreemptType=preempt/qos      => 2 whatif: --set PreemptType=preempt/qos: PreemptType and PreemptMode values incompatible
      --set|NodeName=n3                  => 2 whatif: --set NodeName=n3: a line of nodes or partitions is told by
      --set|PriorityWeightAge=old        => 2 whatif: --set PriorityWeightAge=old: value (old) is not
      --partition|MaxTime=1              => 2 whatif: --partition MaxTime=1: name the partition
      --partition|PartitionName=day Colour=1 => 2 whatif: --partition PartitionName=day Colour=1:
      --reservation|Nodes=n1             => 2 whatif: --reservation Nodes=n1:
      --qos|gpu                          => 2 whatif: --qos gpu: give NAME:KEY=VALUE
      --qos|gold:GrpTRES=gres/gpu=+1     => 2 whatif: --qos gold:GrpTRES=gres/gpu=+1: there is no such QOS
      --qos|gpu:GrpTRES=cpu=+1           => 2 whatif: --qos gpu:GrpTRES=cpu=+1: there is no GrpTRES on cpu
      --qos|gpu:GrpTRES=gres/gpu=-3      => 2 whatif: --qos gpu:GrpTRES=gres/gpu=-3: it has 2 only: take away less
      --qos|gpu:GrpTRES=gres/gpu=+x      => 2 whatif: --qos gpu:GrpTRES=gres/gpu=+x: + and - stand before
      --qos|gpu:GrpTres=foo=1            => 2 whatif: --qos gpu:GrpTres=foo=1:
      --qos|gpu:Colour=red               => 2 whatif: --qos gpu:Colour=red:
      --account|chem:Fairshare=+1        => 2 whatif: --account chem:Fairshare=+1: there is no such account
      --user|eve:Fairshare=+1            => 2 whatif: --user eve:Fairshare=+1: there is no such user
      --sacctmgr|frobnicate              => 2 whatif: --sacctmgr frobnicate:
      --scontrol|hold 1                  => 2 whatif: --scontrol hold 1:
      --order|best                       => 2 whatif: --order best: there is fcfs, sjf, saf, f1, f4, wfp3, multifactor, dure only
      --submit|-N                        => 2 whatif: --submit "-N":
      --submit|-N x                      => 2 whatif: --submit "-N x":
      --submit|--array=1-                => 2 whatif: --submit "--array=1-":
      --submit|none.sh                   => 2 whatif: --submit "none.sh": Unable to open file none.sh
      --submit|jobs.events               => 2 whatif: --submit "jobs.events": This does not look like a batch script.
      --run-time|1h                      => 2 whatif: --run-time: it says how long the job runs of the --submit before
      --submit|-n 1|--run-time|soon      => 2 whatif: --run-time soon: give a time such as
      --for|never|--drain|n1             => 2 whatif: --for never: give a time such as
      --run-times|guess|--drain|n1       => 2 whatif: --run-times guess: there is known, predicted, limit only
      --day|9|--drain|n1                 => 2 whatif: --day 9: the log has 1 days
      --day|today|--drain|n1             => 2 whatif: --day today: give a day such as 2026-11-20, or which day of the log
      --from|noon|--drain|n1             => 2 whatif: --from noon: give a time such as
      --day|1|--from|2020-01-01|--drain|n1 => 2 whatif: --day says from when to when
      --to|2020-01-01|--drain|n1         => 2 whatif: --to: say also from when on
      --from|1970-01-02|--to|1970-01-01|--drain|n1 => 2 whatif: --to 1970-01-01: the end must lie behind the begin
      --name|alone                       => 2 whatif: say what is to be otherwise
      """;

  static Stream<String> cases() {
    return CASES.lines();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isNamed(String line) throws Exception {
    Asked site = new Asked(folder).log(Asked.job(0, "ann", 10, "-n 1"));
    String[] parts = line.split("\\s+=> ", 2);
    List<String> words =
        new ArrayList<>(
            List.of("--trace", "jobs.events", "--conf", "slurm.conf", "--accounts", "accounts"));
    if (!parts[0].equals("(nothing)")) {
      words.addAll(List.of(parts[0].split("\\|", -1)));
    }
    String said = site.refused(words);
    assertTrue(said.startsWith(parts[1]), said);
  }

  @ParameterizedTest
  @MethodSource("places")
  void soIsWhatCannotBeRead(String line) throws Exception {
    Asked site = new Asked(folder).log(Asked.job(0, "ann", 10, "-n 1"));
    String[] parts = line.split("\\s+=> ", 2);
    String said = site.refused(List.of(parts[0].split("\\|", -1)));
    assertTrue(said.contains(parts[1]), said);
  }

  static Stream<String> places() {
    return """
    --drain|n1|--trace|jobs.events             => 2 whatif: --trace jobs.events: say with --conf on which machine
    --drain|n1|--trace|nowhere|--conf|slurm.conf => 1 whatif:
    --drain|n1|--trace|jobs.events|--conf|none => none: cannot be read; name a slurm.conf
    --drain|n1|--conf|none                     => none: cannot be read
    --drain|n1|--trace|.                       => there is no journal of a controller in it; name the StateSaveLocation
    --drain|n1|--trace|.|--conf|slurm.conf     => --conf: a journal has the configuration that was in force
    --drain|n1|--accounts|accounts             => --accounts: a journal has its own
    """
        .lines();
  }
}
