package io.dure.whatif;

/** What {@code ./dure whatif --help} prints. */
final class WhatIfHelpText {
  private WhatIfHelpText() {}

  static final String TEXT =
      """
      Usage: ./dure whatif [FROM...] CHANGE... [--or CHANGE...]...

      Says what would be different if something were otherwise: lets the cluster go on as it is, and as it
      would be, and puts both side by side, by account and by size. Nothing is changed anywhere.

      From where:
        (nothing)               the cluster as it is now: the journal in StateSaveLocation of the slurm.conf in force
        --conf FILE             another slurm.conf (SLURM_CONF, /etc/slurm/slurm.conf); needed with a log
        --trace DIR             the StateSaveLocation of a controller, which may run
        --trace FILE            a log: a stream of sbatch argument lists, or the Standard Workload Format
        --accounts FILE         its accounts: a dump of sacctmgr, or a script of its commands
        --day DAY               a day of the past: 2026-11-20; of a log also its number, from 1 on
        --from TIME [--to TIME] a time of the past: 2026-11-20T09:30:00
        --for TIME              how long is looked at: 12h, 30m, 2d (1d; of a whole log: until its last submission)
        --run-times WORD        known (default): jobs run as long as they did, where that is known, else as expected;
                                predicted: as what ran before tells; limit: to their limits

      What is otherwise; what is told together holds together, --or begins another what-if:
        --drain NODES           jobs there run on, none starts: n[1-4]
        --down NODES            they are lost with what runs there
        --undrain NODES         they take jobs again
        --add-nodes COUNT:NODE  there are COUNT more like NODE, in the same partitions
        --partition SETTINGS    "PartitionName=debug MaxTime=2:00:00 Nodes=n[1-4]": changed, or new
        --reservation SETTINGS  as scontrol create reservation: "StartTime=now Duration=60 Nodes=n1 Users=ann"
        --set KEY=VALUE         a line of slurm.conf: PreemptType=preempt/qos, SchedulerParameters=policy=dure
        --qos NAME:KEY=VALUE    a limit, as sacctmgr calls it; +64 is so much more: gpu:GrpTRES=gres/gpu=+64
        --account NAME:KEY=VALUE, --user NAME:KEY=VALUE
                                the same of accounts and users: bio:Fairshare=200
        --sacctmgr LINE         whatever sacctmgr changes: "modify qos high set preempt=low"
        --scontrol LINE         what scontrol changes of nodes, partitions and reservations
        --order WORD            another order of the queue: fcfs, sjf, saf, f1, f4, wfp3, multifactor, dure
        --submit ARGUMENTS      this job is submitted, as by sbatch: "-N 2 -t 4:00:00 --gres=gpu:4 --uid=ann";
                                of a script its #SBATCH lines count: "--uid=ann sweep.sh"
        --run-time TIME         so long the job of the --submit before runs (as expected of it)
        --name TEXT             what this what-if is called

      Answer:
        --all                   list all accounts and users, not only those for whom most is different
        --json                  print a document instead of tables
        --html FILE             write a page with plots as well
      """;
}
