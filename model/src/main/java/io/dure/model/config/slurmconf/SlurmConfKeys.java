package io.dure.model.config.slurmconf;

/** The keys that Slurm 26.05 knows in slurm.conf, as plain tables. */
final class SlurmConfKeys {
  /**
   * The cluster-wide keys in the order in which {@code scontrol show config} prints them: name,
   * kind of value, whether something obeys it (yes), its default is what happens (usual) or nothing
   * comes of it (no), when printed, default.
   */
  static final String CLUSTER =
      """
      AccountingStorageBackupHost  text usual always
      AccountingStorageEnforce     text yes always none
      AccountingStorageHost        text yes always localhost
      AccountingStorageExternalHost text usual always
      AccountingStorageParameters  text usual always
      AccountingStorageLoc         text yes never
      AccountingStoragePass        text yes never
      AccountingStoragePort        port yes always 6819
      AccountingStorageTRES        text yes always cpu,mem,energy,node,billing,fs/disk,vmem,pages
      AccountingStorageType        text yes always
      AccountingStorageUser        text yes never
      AccountingStoreFlags         text yes always
      AcctGatherEnergyType         text yes always
      AcctGatherFilesystemType     text usual always
      AcctGatherInterconnectType   text usual always
      AcctGatherNodeFreq           seconds yes always 0
      AcctGatherProfileType        text yes always
      AllowSpecResourcesUsage      flag no always no
      AuthAltTypes                 text yes always
      AuthAltParameters            text yes always
      AuthInfo                     text yes always
      AuthType                     text no always auth/munge
      BackupAddr                   text yes never
      BackupController             text yes never
      BatchStartTimeout            seconds yes always 10
      BcastExclude                 text no always /lib,/usr/lib,/lib64,/usr/lib64
      BcastParameters              text no always
      BOOT_TIME                    runtime no always
      BurstBufferType              text usual always
      BurstBufferParameters        text usual never
      CertgenParameters            text no always
      CertgenType                  text no always
      CertmgrParameters            text no always
      CertmgrType                  text no always
      CliFilterParameters          text usual always
      CliFilterPlugins             text yes always
      ClusterName                  text yes always
      CommunicationParameters      text yes always
      CompleteWait                 seconds yes always 0
      ControlAddr                  text yes never
      ControlMachine               text yes never
      CpuFreqDef                   text yes always Unknown
      CpuFreqGovernors             text yes always OnDemand,Performance,UserSpace
      CredType                     text no always cred/munge
      DataParserParameters         text no always
      DebugFlags                   text yes always
      DefCpuPerGPU                 number yes never
      DefMemPerCPU                 memory yes when_set
      DefMemPerGPU                 memory yes when_set
      DefMemPerNode                memory yes when_set
      DependencyParameters         text yes always
      DisableRootJobs              flag yes always no
      EioTimeout                   plain_seconds no always 60
      EnforcePartLimits            upper yes always NO
      Epilog                       programs yes when_set
      EpilogMsgTime                microseconds yes always 2000
      EpilogSlurmctld              programs yes when_set
      EpilogTimeout                plain_seconds yes when_set
      FairShareDampeningFactor     number yes always 1
      FederationParameters         text usual always
      FirstJobId                   number yes always 1
      GresTypes                    text yes always
      GpuFreqDef                   text usual always
      GroupUpdateForce             bit yes always 1
      GroupUpdateTime              seconds yes always 600
      HASH_VAL                     runtime no always
      HashPlugin                   text no always hash/k12
      HealthCheckInterval          seconds yes always 0
      HealthCheckNodeState         upper yes always ANY
      HealthCheckProgram           program yes always
      HealthCheckTimeout           seconds yes always 60
      HostUnreachRetryCount        number yes never 0
      HttpParserType               text no always http_parser/libhttp_parser
      InactiveLimit                seconds usual always 0
      InteractiveStepOptions       text yes always --interactive --preserve-env --pty $SHELL
      JobAcctGatherFrequency       text yes always 30
      JobAcctGatherType            text yes always
      JobAcctGatherParams          text yes always
      JobCompHost                  text usual always localhost
      JobCompLoc                   text yes always /var/log/slurm_jobcomp.log
      JobCompParams                text yes always
      JobCompPass                  text usual always
      JobCompPassScript            text usual never
      JobCompPort                  number usual always 0
      JobCompType                  text yes always
      JobCompUser                  text usual always root
      JobDefaults                  text yes always
      JobFileAppend                bit yes always 0
      JobRequeue                   bit yes always 1
      JobSubmitPlugins             text yes always
      KillOnBadExit                bit yes always 0
      KillWait                     seconds yes always 30
      LaunchParameters             text yes always
      LicenseParameters            text usual always
      Licenses                     text yes always
      LogTimeFormat                text yes always iso8601_ms
      MailDomain                   text yes always
      MailProg                     program yes always /bin/mail
      MaxArraySize                 number yes always 1001
      MaxBatchRequeue              number yes always 5
      MaxDBDMsgs                   number no always
      MaxJobCount                  number yes always 10000
      MaxJobId                     number yes always 67043328
      MaxMemPerCPU                 memory yes when_set
      MaxMemPerNode                memory yes when_set
      MaxNodeCount                 number yes always
      MaxNodeFailRequeue           number yes never
      MaxPreemptRequeue            number yes never
      MaxStepCount                 number yes always 40000
      MaxTasksPerNode              number yes always 512
      MCSPlugin                    text usual always
      MCSParameters                text usual always
      MessageTimeout               seconds yes always 10
      MetricsAuthUsers             text yes always
      MetricsParameters            text yes always
      MetricsType                  text yes always
      MinJobAge                    seconds yes always 300
      MpiDefault                   text yes always
      MpiParams                    text usual always
      NamespaceType                text yes always
      NEXT_JOB_ID                  runtime no always
      NodeFeaturesPlugins          text usual always
      OverTimeLimit                minutes yes always 0
      PluginDir                    text no always /usr/lib/slurm
      PlugStackConfig              text no always
      PowerAction                  repeated no never
      PreemptMode                  upper yes always OFF
      PreemptParameters            text yes always
      PreemptType                  text yes always
      PreemptExemptTime            time yes always 0
      PrEpParameters               text usual always
      PrEpPlugins                  text usual always prep/script
      PriorityParameters           text usual always
      PrioritySiteFactorParameters text usual always
      PrioritySiteFactorPlugin     text usual always
      PriorityDecayHalfLife        time yes always 7-0
      PriorityCalcPeriod           time yes always 5
      PriorityFavorSmall           flag yes always no
      PriorityFlags                text yes always
      PriorityMaxAge               time yes always 7-0
      PriorityType                 text yes always priority/multifactor
      PriorityUsageResetPeriod     upper yes always NONE
      PriorityWeightAge            number yes always 0
      PriorityWeightAssoc          number yes always 0
      PriorityWeightFairShare      number yes always 0
      PriorityWeightJobSize        number yes always 0
      PriorityWeightPartition      number yes always 0
      PriorityWeightQOS            number yes always 0
      PriorityWeightTRES           text yes always
      PrivateData                  text yes always none
      ProctrackType                text yes always proctrack/cgroup
      Prolog                       programs yes when_set
      PrologEpilogTimeout          plain_seconds yes always 65534
      PrologSlurmctld              programs yes when_set
      PrologTimeout                plain_seconds yes when_set
      PrologFlags                  text yes always
      PropagatePrioProcess         number yes always 0
      PropagateResourceLimits      upper yes always ALL
      PropagateResourceLimitsExcept upper yes always
      RebootProgram                program yes always
      ReconfigFlags                text yes always
      RequeueExit                  text yes always
      RequeueExitHold              text yes always
      ResumeFailProgram            program yes always
      ResumeProgram                program yes always
      ResumeRate                   rate yes always 300
      ResumeTimeout                seconds yes always 60
      ResvEpilog                   program yes always
      ResvOverRun                  minutes yes always 0
      ResvProlog                   program yes always
      ReturnToService              number yes always 0
      SchedulerParameters          text yes always
      SchedulerTimeSlice           seconds yes always 30
      SchedulerType                text yes always sched/backfill
      ScronParameters              text yes always
      SelectType                   text yes always select/cons_tres
      SelectTypeParameters         upper yes always CR_CORE_MEMORY
      SlurmUser                    user yes always root
      SlurmctldAddr                text yes always
      SlurmctldDebug               level yes always info
      SlurmctldHost                repeated yes always
      SlurmctldHttpAuthParameters  text no never
      SlurmctldLogFile             text yes always
      SlurmctldPort                port yes always 6817
      SlurmctldSyslogDebug         level yes always
      SlurmctldPrimaryOffProg      program yes always
      SlurmctldPrimaryOnProg       program yes always
      SlurmctldTimeout             seconds no always 120
      SlurmctldParameters          text yes always
      SlurmdDebug                  level yes always info
      SlurmdHttpAuthParameters     text no never
      SlurmdLogFile                text yes always
      SlurmdParameters             text yes always
      SlurmdPidFile                text yes always /var/run/slurmd.pid
      SlurmdPort                   port yes always 6818
      SlurmdSpoolDir               text yes always /var/spool/slurmd
      SlurmdSyslogDebug            level yes always
      SlurmdTimeout                seconds yes always 300
      SlurmdUser                   user yes always root
      SlurmrestdHttpAuthParameters text no never
      SlurmSchedLogFile            text yes always
      SlurmSchedLogLevel           number yes always 0
      SlurmctldPidFile             text yes always /var/run/slurmctld.pid
      SLURM_CONF                   runtime no always
      SLURM_VERSION                runtime no always
      SrunEpilog                   text yes always
      SrunPortRange                text usual always 0-0
      SrunProlog                   text yes always
      StateSaveLocation            text yes always /var/spool
      SuspendExcNodes              repeated yes always
      SuspendExcParts              repeated yes always
      SuspendExcStates             text yes always
      SuspendProgram               program yes always
      SuspendRate                  rate yes always 60
      SuspendTime                  seconds yes always INFINITE
      SuspendTimeout               seconds yes always 30
      SwitchParameters             text usual always
      SwitchType                   text usual always
      TaskEpilog                   text yes always
      TaskPlugin                   text yes always task/affinity
      TaskPluginParam              text yes always (null type)
      TaskProlog                   text yes always
      TCPTimeout                   seconds yes always 2
      TLSParameters                text no always
      TLSType                      text no always tls/none
      TmpFS                        text yes always /tmp
      TopologyParam                text yes always
      TopologyPlugin               text yes always topology/flat
      TrackWCKey                   flag yes always no
      TreeWidth                    number yes always 16
      UsePam                       flag usual always no
      UnkillableStepProgram        program yes always
      UnkillableStepTimeout        seconds yes always
      UrlParserType                text no always url_parser/libhttp_parser
      VSizeFactor                  percent yes always 0
      WaitTime                     seconds yes always 0
      X11Parameters                text yes always
      """;

  /** Section, name, kind, what comes of it, default. */
  static final String LINES =
      """
      node BcastAddr             text usual
      node Boards                number yes
      node CPUs                  number yes
      node CoreSpecCount         number yes
      node CoresPerSocket        number yes
      node CpuBind               text usual
      node CpuSpecList           text yes
      node Features              text yes
      node Gres                  text yes
      node MemSpecLimit          memory yes
      node NodeAddr              text yes
      node NodeHostname          text yes
      node NodeName              text yes
      node Parameters            text yes
      node Port                  text yes
      node RealMemory            memory yes 1
      node Reason                text yes
      node RestrictedCoresPerGPU number yes
      node Sockets               number yes
      node SocketsPerBoard       number yes
      node State                 text yes UNKNOWN
      node SuspendTime           seconds yes
      node ThreadsPerCore        number yes
      node TmpDisk               memory yes 0
      node Topology              text yes
      node Weight                number yes 1
      partition AllocNodes       text yes
      partition AllowAccounts    text yes
      partition AllowGroups      text yes
      partition AllowQos         text yes
      partition Alternate        text yes
      partition CpuBind          text usual
      partition Default          flag yes no
      partition DefaultTime      time yes
      partition DefCpuPerGPU     number yes
      partition DefMemPerCPU     memory yes
      partition DefMemPerGPU     memory yes
      partition DefMemPerNode    memory yes
      partition DenyAccounts     text yes
      partition DenyQos          text yes
      partition DisableRootJobs  flag yes
      partition Exclusive        text yes
      partition ExclusiveTopo    flag usual
      partition ExclusiveUser    flag yes no
      partition GraceTime        seconds yes
      partition Hidden           flag yes no
      partition JobDefaults      text yes
      partition LLN              flag yes no
      partition MaxCPUsPerNode   number yes UNLIMITED
      partition MaxCPUsPerSocket number yes UNLIMITED
      partition MaxMemPerCPU     memory yes
      partition MaxMemPerNode    memory yes
      partition MaxNodes         number yes UNLIMITED
      partition MaxTime          time yes UNLIMITED
      partition MinNodes         number yes 0
      partition Nodes            text yes
      partition OverSubscribe    text yes NO
      partition OverTimeLimit    minutes yes
      partition PartitionName    text yes
      partition PowerDownOnIdle  flag yes no
      partition PreemptMode      text yes
      partition Priority         number yes
      partition PriorityJobFactor number yes 1
      partition PriorityTier     number yes 1
      partition QOS              text yes
      partition ReqResv          flag yes no
      partition ResumeTimeout    seconds yes
      partition RootOnly         flag yes no
      partition SelectTypeParameters text yes
      partition State            text yes UP
      partition SuspendTime      seconds yes
      partition SuspendTimeout   seconds yes
      partition Topology         text yes
      partition TRESBillingWeights text yes
      node_set NodeSet           text yes
      node_set Nodes             text yes
      node_set Feature           text yes
      down_nodes DownNodes       text yes
      down_nodes Reason          text yes
      down_nodes State           text yes DOWN
      front_end FrontendName     text no
      front_end AllowGroups      text no
      front_end AllowUsers       text no
      front_end DenyGroups       text no
      front_end DenyUsers        text no
      front_end FrontendAddr     text no
      front_end Port             text no
      front_end Reason           text no
      front_end State            text no
      """;

  /** Section, another name, the name used here. */
  static final String ALIASES =
      """
      cluster JobContainerType NamespaceType
      cluster SlurmctldHttpAuthParams SlurmctldHttpAuthParameters
      cluster SlurmdHttpAuthParams SlurmdHttpAuthParameters
      node Procs CPUs
      node Feature Features
      node TopologyStr Topology
      partition Shared OverSubscribe
      """;

  /** Section, a name still read, what to write today. */
  static final String OBSOLETE =
      """
      cluster ControlMachine Write SlurmctldHost=NAME(ADDRESS)
      cluster ControlAddr Write SlurmctldHost=NAME(ADDRESS)
      cluster BackupController Write a second SlurmctldHost=NAME(ADDRESS)
      cluster BackupAddr Write a second SlurmctldHost=NAME(ADDRESS)
      cluster JobContainerType Write NamespaceType
      partition Shared Write OverSubscribe
      partition Priority Write PriorityTier and PriorityJobFactor
      """;

  /** Section, a key of the past. */
  static final String REMOVED =
      """
      cluster AccountingStoreJobComment
      cluster AcctGatherInfinibandType
      cluster CacheGroups
      cluster CheckpointType
      cluster ChosLoc
      cluster CoreSpecPlugin
      cluster CryptoType
      cluster DefaultStorageHost
      cluster DefaultStorageLoc
      cluster DefaultStoragePass
      cluster DefaultStoragePort
      cluster DefaultStorageType
      cluster DefaultStorageUser
      cluster DynAllocPort
      cluster ExtSensorsFreq
      cluster ExtSensorsType
      cluster FastSchedule
      cluster GetEnvTimeout
      cluster HeartbeatInterval
      cluster JobAcctFrequency
      cluster JobAcctLogFile
      cluster JobAcctParams
      cluster JobAcctType
      cluster JobCheckpointDir
      cluster JobCredentialPrivateKey
      cluster JobCredentialPublicCertificate
      cluster KeepAliveTime
      cluster KillTree
      cluster LaunchType
      cluster Layouts
      cluster MemLimitEnforce
      cluster MpichGmDirectSupport
      cluster MsgAggregationParams
      cluster PowerParameters
      cluster PowerPlugin
      cluster RoutePlugin
      cluster SallocDefaultCommand
      cluster SchedulerAuth
      cluster SchedulerPort
      cluster SchedulerRootFilter
      cluster SlurmctldPlugstack
      cluster SpankCtld
      node CapWatts
      """;

  private SlurmConfKeys() {}
}
