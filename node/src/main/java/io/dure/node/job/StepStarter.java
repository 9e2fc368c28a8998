package io.dure.node.job;

import io.dure.host.log.LogMarkers;
import io.dure.host.user.PasswdEntry;
import io.dure.host.user.UserDatabase;
import io.dure.host.user.UserDatabaseException;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.parameters.DebugFlag;
import io.dure.model.config.step.CgroupSettings;
import io.dure.model.config.step.StepSettings;
import io.dure.model.gres.GresShare;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobVariables;
import io.dure.model.job.NodeShare;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.PropagatedRlimit;
import io.dure.model.request.Workload;
import io.dure.model.step.Step;
import io.dure.model.step.StepName;
import io.dure.node.cgroup.Cgroups;
import io.dure.node.cgroup.CoreToCpuMap;
import io.dure.node.cgroup.StepCgroup;
import io.dure.node.cgroup.StepConfinement;
import io.dure.node.launch.JobEnvironment;
import io.dure.node.launch.JobEnvironmentFacts;
import io.dure.node.launch.OutputOpenMode;
import io.dure.node.launch.RunningStep;
import io.dure.node.launch.Shepherd;
import io.dure.node.launch.SignalScope;
import io.dure.node.launch.StepDirectory;
import io.dure.node.launch.StepIdentity;
import io.dure.node.launch.StepLaunch;
import io.dure.node.launch.StepRlimit;
import io.dure.node.launch.StepUser;
import io.dure.node.space.JobSpaces;
import io.dure.node.step.StepRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.Marker;

/**
 * Starts the batch step of a job, or finds it again. Calls block on the user database, the disk and
 * the start of a process; any number of threads may make them, and so many start at a time.
 */
public final class StepStarter {
  private static final String BATCH = Step.BATCH.text();
  private static final int AT_A_TIME = 16;

  /** SIGKILL, SIGCONT and SIGSTOP. */
  private static final List<Integer> TO_ALL = List.of(9, 18, 19);

  private final Shepherd shepherd;
  private volatile ShepherdLauncher launcher;
  private final StepContainers containers;
  private volatile boolean tasksOnly;
  private volatile JobSpaces spaces = JobSpaces.NONE;
  private final UserDatabase users;
  private final CoreToCpuMap cpus;
  private final Cgroups cgroups;
  private final HardResourceLimits limits;
  private final ProcessBound processes = ProcessBound.ofThisMachine();
  private final CpuFrequency frequencies;
  private final StepMemory memory = new StepMemory(Path.of("/proc"));
  private final Logger log;
  private final Semaphore starting = new Semaphore(AT_A_TIME);

  /** Uses that shepherd, that user database, those CPUs and those control groups. */
  public StepStarter(
      Shepherd shepherd, UserDatabase users, CoreToCpuMap cpus, Cgroups cgroups, Logger log)
      throws IOException {
    this(shepherd, users, cpus, cgroups, log, Path.of("/sys/devices/system/cpu"));
  }

  /** The same on a machine whose CPUs are described there. */
  public StepStarter(
      Shepherd shepherd,
      UserDatabase users,
      CoreToCpuMap cpus,
      Cgroups cgroups,
      Logger log,
      Path sysCpu)
      throws IOException {
    this.frequencies = new CpuFrequency(sysCpu);
    this.log = log;
    this.shepherd = shepherd;
    this.launcher = shepherd::start;
    this.containers = new StepContainers(shepherd.sibling("container"), users, log);
    this.users = users;
    this.cpus = cpus;
    this.cgroups = cgroups;
    this.limits = HardResourceLimits.ofThisProcess();
  }

  /** Starts the shepherd of a directory. */
  public interface ShepherdLauncher {
    /**
     * Starts it.
     *
     * @throws IOException if it is not started, and never will be
     */
    RunningStep start(StepDirectory directory) throws IOException;
  }

  /** Has another program start shepherds: a fork of this one costs more. */
  public void launchBy(ShepherdLauncher other) {
    launcher = other;
  }

  /**
   * How steps run that the node's files say, from now on.
   *
   * @param jobSpaces what jobs have for themselves
   * @param signalTasksOnly whether signals other than those that end, stop and continue go to tasks
   *     alone
   */
  public void runIn(JobSpaces jobSpaces, boolean signalTasksOnly) {
    spaces = jobSpaces;
    tasksOnly = signalTasksOnly;
  }

  /** Whom of a step a signal reaches that is for all of it. */
  public SignalScope scope(int signal) {
    return tasksOnly && !TO_ALL.contains(signal) ? SignalScope.TASKS : SignalScope.WHOLE_STEP;
  }

  /** The containers of steps. */
  public StepContainers containers() {
    return containers;
  }

  /** What jobs have for themselves. */
  public JobSpaces spaces() {
    return spaces;
  }

  /** Starts a shepherd as a child of this process. */
  public RunningStep startHere(StepDirectory directory) throws IOException {
    return shepherd.start(directory);
  }

  /**
   * What is to be started.
   *
   * @param texts script and environment
   * @param components all components of the heterogeneous job that it leads, empty for none
   */
  public record StepOrder(Job job, JobTexts texts, String cluster, List<Job> components) {}

  /**
   * Starts the step in the run's directory. If an earlier daemon has begun to, its step is taken
   * over instead: it is started once.
   *
   * @throws JobRefusedException if it cannot be started for its own sake
   * @throws NodeFaultException if it cannot be for the node's; it has not run and will not
   */
  public RunningStep start(StepOrder order, NodeLocalConfig setup, Path runDirectory)
      throws JobRefusedException, NodeFaultException, InterruptedException {
    starting.acquire();
    try {
      RunningStep before = adopt(order.job(), runDirectory);
      if (before != null) {
        return before;
      }
      return startNew(order, setup, runDirectory);
    } catch (UserDatabaseException e) {
      throw new NodeFaultException("user database: " + e.getMessage());
    } catch (IOException e) {
      throw new NodeFaultException(NodeFaultException.text(e));
    } finally {
      starting.release();
    }
  }

  private RunningStep startNew(StepOrder order, NodeLocalConfig setup, Path runDirectory)
      throws JobRefusedException, IOException, InterruptedException {
    Job job = order.job();
    Allocation allocation = JobVariables.allocation(job);
    NodeShare share = allocation == null ? null : allocation.shareOn(setup.nodeName());
    if (allocation == null || share == null) {
      throw new JobRefusedException("job holds nothing on " + setup.nodeName());
    }
    PasswdEntry account = account(job);
    StepConfinement confinement = confinement(share, setup);
    StepCgroup group = cgroups.create(job.id(), BATCH, confinement);
    tell(job, confinement, group);
    try {
      StepIdentity identity =
          new StepIdentity(
              job.id(),
              BATCH,
              setup.nodeName(),
              job.owner().uid(),
              group.directories(),
              Integer.toString(job.run()),
              spaces.make(job.id(), job.run(), job.owner()),
              share.memoryMib());
      JobEnvironmentFacts facts =
          new JobEnvironmentFacts(
              JobRecordReader.identity(job, order.cluster(), setup),
              JobRecordReader.shape(job, allocation, share, setup),
              JobRecordReader.asked(job),
              JobRecordReader.array(job),
              // Under a login it is what the login does not say, see there.
              job.batch().loadUserEnvironment() ? null : JobRecordReader.login(account, setup),
              JobRecordReader.variables(order.texts().assignments()),
              HetVariables.of(order.components(), order.cluster(), setup));
      StepLaunch launch =
          StepContainers.launch(
              launch(job, setup, account, identity, confinement, facts),
              job,
              StepContainers.Asked.in(order.texts().assignments())
                  .ofBundle(job.spec().resources().more().shown().container()),
              List.of(0),
              setup);
      frequency(job, setup, confinement, facts, runDirectory);
      byte[] script = order.texts().script().getBytes(StandardCharsets.ISO_8859_1);
      return launcher.start(StepDirectory.create(runDirectory, launch, script));
    } catch (IOException | RuntimeException e) {
      group.remove();
      throw e;
    }
  }

  private void tell(Job job, StepConfinement confinement, StepCgroup group) {
    Marker binding = LogMarkers.flag(DebugFlag.CPU_BIND);
    if (log.isInfoEnabled(binding)) {
      String list = StepConfinement.cpuList(confinement.cpus());
      log.info(binding, "job " + job.id() + ": CPUs " + (list.isEmpty() ? "not bound" : list));
    }
    Marker grouping = LogMarkers.flag(DebugFlag.CGROUP);
    if (log.isInfoEnabled(grouping)) {
      log.info(grouping, "job " + job.id() + ": " + group.directories() + " " + confinement);
    }
  }

  /** The CPU frequency that a batch step asks for, where the site lets it have that. */
  private void frequency(
      Job job,
      NodeLocalConfig setup,
      StepConfinement confinement,
      JobEnvironmentFacts facts,
      Path runDirectory) {
    StepSettings steps = setup.settings().steps();
    String asked = facts.submitted().getOrDefault("SLURM_CPU_FREQ_REQ", steps.defaultFrequency());
    if (!steps.frequencyOfBatch() || asked == null || confinement.cpus().isEmpty()) {
      return;
    }
    List<String> allowed =
        asked.equals(steps.defaultFrequency()) ? List.of(asked) : steps.governors();
    String trouble = frequencies.set(asked, allowed, confinement.cpus(), runDirectory);
    log.info(
        LogMarkers.flag(DebugFlag.CPU_FREQ),
        "job " + job.id() + ": " + asked + (trouble == null ? " is set" : ": " + trouble));
  }

  /** Sets back what was changed on the machine for the run of that directory. */
  public void concluded(Path runDirectory) throws IOException {
    frequencies.restore(runDirectory);
  }

  /** Bytes of memory that a step has now, as the site measures them. */
  public long memoryBytes(RunningStep step, StepSettings.MemoryWatch watch) throws IOException {
    StepIdentity of = step.identity();
    return memory.bytes(watch, group(of.jobId(), of.step()), step.processes());
  }

  /**
   * Takes over the step in the run's directory; null if there is none.
   *
   * @throws IOException if there is one that cannot be read
   */
  public @Nullable RunningStep adopt(Job job, Path runDirectory) throws IOException {
    Path directory = StepDirectory.pathOf(runDirectory, job.id(), BATCH);
    return Files.exists(directory) ? adopt(new StepDirectory(directory)) : null;
  }

  /** Whether the step in the run's directory has left an exit record; false if that is unclear. */
  public boolean hasEnded(Job job, Path runDirectory) {
    try {
      return new StepDirectory(StepDirectory.pathOf(runDirectory, job.id(), BATCH)).exit() != null;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Takes over the step of that directory.
   *
   * @throws IOException if it cannot be read
   */
  public RunningStep adopt(StepDirectory directory) throws IOException {
    return shepherd.adopt(directory);
  }

  private StepLaunch launch(
      Job job,
      NodeLocalConfig setup,
      PasswdEntry account,
      StepIdentity identity,
      StepConfinement confinement,
      JobEnvironmentFacts facts) {
    Workload.BatchSpec batch = job.batch();
    JobFiles files = JobFiles.of(job, setup.nodeName());
    int gid = job.owner().gid();
    List<Integer> groups = users.groupsOf(account.name(), gid);
    return new StepLaunch(
        identity,
        new StepUser(account.name(), job.owner().uid(), gid, groups),
        batch.workDirectory(),
        batch.umask(),
        files.input(),
        files.output(),
        files.error(),
        openMode(batch, setup),
        bounded(limits.lower(taken(batch, setup)), confinement, setup),
        List.copyOf(confinement.cpus()),
        StepPriority.of(setup.settings().steps().priority(), facts.submitted()),
        0,
        batch.arguments(),
        scripts(setup, null, null),
        JobEnvironment.of(facts),
        job.batch().loadUserEnvironment()
            ? LoginEnvironment.of(JobRecordReader.login(account, setup), facts.identity(), setup)
            : null,
        switch (setup.settings().steps().memoryLock()) {
          case NONE -> 0;
          case PRESENT -> 1;
          case ALL -> 2;
        });
  }

  /** The limits that travelled: those that the job names, else those that the site does. */
  private static List<PropagatedRlimit> taken(Workload.BatchSpec batch, NodeLocalConfig setup) {
    List<String> names = setup.settings().jobs().propagatedLimits();
    return batch.limitsOfSite()
        ? batch.limits().stream().filter(limit -> names.contains(limit.name())).toList()
        : batch.limits();
  }

  /** Where the site bounds the address space of jobs by their memory, with that bound. */
  private static List<StepRlimit> bounded(
      List<StepRlimit> limits, StepConfinement confinement, NodeLocalConfig setup) {
    int percent = setup.settings().rules().addressSpacePercent();
    Long memory = confinement.finer().allocatedMib();
    if (percent == 0 || memory == null) {
      return limits;
    }
    long most = memory * percent / 100 << 20;
    List<StepRlimit> bounded = new ArrayList<>(limits);
    bounded.removeIf(limit ->
        limit.resource() == StepRlimit.Resource.AS && Long.compareUnsigned(limit.soft(), most) > 0);
    if (bounded.stream().noneMatch(limit -> limit.resource() == StepRlimit.Resource.AS)) {
      bounded.add(new StepRlimit(StepRlimit.Resource.AS, most, most));
    }
    return bounded;
  }

  /** The programs around a task: the site's, and those that its step names. */
  static StepLaunch.TaskScripts scripts(
      NodeLocalConfig setup, @Nullable String ownProlog, @Nullable String ownEpilog) {
    ClusterSettings.Scripts site = setup.settings().scripts();
    return new StepLaunch.TaskScripts(site.taskProlog(), site.taskEpilog(), ownProlog, ownEpilog);
  }

  /**
   * The bounds of what has all that its job has here.
   *
   * @throws IOException if the devices of others cannot be told
   */
  StepConfinement confinement(NodeShare share, NodeLocalConfig setup) throws IOException {
    return confinement(share.cores(), share.cpus(), share.memoryMib(), share.gres(), setup);
  }

  /**
   * The bounds of a step that has these cores, with so many CPUs, that memory and these devices.
   *
   * @throws IOException if the devices of others cannot be told
   */
  StepConfinement confinement(
      List<Integer> cores, int count, long memoryMib, List<GresShare> gres, NodeLocalConfig setup)
      throws IOException {
    boolean limited = setup.settings().scheduling().memoryConsumable() && memoryMib > 0;
    CgroupSettings site = setup.settings().steps().cgroup();
    Long allocated = limited ? (Long) memoryMib : null;
    CgroupSettings.Bounds memoryBounds = site.bounds(allocated, setup.node().realMemoryMib());
    return new StepConfinement(
        binds(setup) ? cpus.binding(cores) : List.of(),
        memoryBounds.hard(),
        processes.of(setup.jobProcesses(), count, setup.node().shape().cpus()),
        setup.settings().steps().killsWholeStep(),
        setup.settings().steps().constrainsDevices()
            ? StepDevices.refused(setup.node().resources(), gres)
            : List.of(),
        new StepConfinement.Finer(
            !site.cores(),
            allocated,
            memoryBounds.soft(),
            memoryBounds.withSwap(),
            site.memory().swappiness()));
  }

  /** What each task of a step here has for itself. */
  TaskBindings.Bound taskBindings(StepRequest request, NodeLocalConfig setup)
      throws JobRefusedException {
    return new TaskBindings(request, setup, cpus).tasks(bindsTasks(setup));
  }

  /**
   * Makes the control groups of a job's processes from outside, which may use all that it has.
   *
   * @throws JobRefusedException if the job has nothing here
   * @throws IOException if the system refuses
   */
  public StepCgroup externGroup(Job job, NodeLocalConfig setup)
      throws JobRefusedException, IOException {
    Allocation allocation = JobVariables.allocation(job);
    NodeShare share = allocation == null ? null : allocation.shareOn(setup.nodeName());
    if (share == null) {
      throw new JobRefusedException("job holds nothing on " + setup.nodeName());
    }
    String name = new StepName.ExternStep().text();
    return cgroups.create(job.id(), name, confinement(share, setup));
  }

  /** Jobs that have control groups on this node; those of unknown jobs are leftovers. */
  public List<Long> groupedJobs() {
    return cgroups.jobs();
  }

  /** The control groups of a numbered step; empty ones where there are none. */
  public StepCgroup group(long jobId, String step) {
    return cgroups.existing(jobId, step);
  }

  /** The control groups of a job's step; empty ones where there are none. */
  public StepCgroup group(long jobId) {
    return cgroups.existing(jobId, BATCH);
  }

  /**
   * The account of a job's user.
   *
   * @throws JobRefusedException if this node does not know the user
   */
  public PasswdEntry account(Job job) throws JobRefusedException {
    PasswdEntry account = users.userByUid(job.owner().uid());
    if (account == null) {
      String number = Integer.toUnsignedString(job.owner().uid());
      throw new JobRefusedException(
          "user " + job.owner().userName() + " (" + number + ") not known on this node");
    }
    return account;
  }

  private static OutputOpenMode openMode(Workload.BatchSpec batch, NodeLocalConfig setup) {
    return switch (batch.openMode()) {
      case APPEND -> OutputOpenMode.APPEND;
      case TRUNCATE -> OutputOpenMode.TRUNCATE;
      case DEFAULT ->
          setup.settings().jobs().appendOutput() ? OutputOpenMode.APPEND : OutputOpenMode.TRUNCATE;
    };
  }

  private static boolean binds(NodeLocalConfig setup) {
    boolean usual = setup.settings().daemon().taskPlugins().isEmpty();
    return bindsTasks(setup) || usual && setup.settings().steps().cgroup().cores();
  }

  /** As {@code srun} says of a cluster without these, tasks are not bound each for itself there. */
  private static boolean bindsTasks(NodeLocalConfig setup) {
    List<String> plugins = setup.settings().daemon().taskPlugins();
    boolean confines = setup.settings().steps().cgroup().cores();
    return plugins.contains("affinity") || plugins.contains("cgroup") && confines;
  }
}
