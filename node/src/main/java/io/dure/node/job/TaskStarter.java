package io.dure.node.job;

import io.dure.host.user.PasswdEntry;
import io.dure.host.user.UserDatabase;
import io.dure.host.user.UserDatabaseException;
import io.dure.model.HostList;
import io.dure.model.UserIdentity;
import io.dure.model.gres.GresShare;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobVariables;
import io.dure.model.job.NodeShare;
import io.dure.model.step.HetStep;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.MpiInterface;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.model.step.TaskProgram;
import io.dure.node.cgroup.Cgroups;
import io.dure.node.cgroup.StepCgroup;
import io.dure.node.cgroup.StepConfinement;
import io.dure.node.launch.JobEnvironment;
import io.dure.node.launch.JobEnvironmentFacts;
import io.dure.node.launch.OutputNameValues;
import io.dure.node.launch.OutputOpenMode;
import io.dure.node.launch.OutputPattern;
import io.dure.node.launch.StepDirectory;
import io.dure.node.launch.StepEnvironmentFacts;
import io.dure.node.launch.StepIdentity;
import io.dure.node.launch.StepLaunch;
import io.dure.node.launch.StepUser;
import io.dure.node.launch.TaskGroup;
import io.dure.node.step.StepRequest;
import io.dure.protocol.StepLaunchOrder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes numbered steps ready for their shepherds. Calls block on the user database and the disk;
 * any number of threads may make them.
 */
public final class TaskStarter {
  /** What {@code srun --preserve-env} leaves as it is, where it is set. */
  private static final List<String> COUNTS =
      List.of("SLURM_JOB_NUM_NODES", "SLURM_NNODES", "SLURM_NTASKS");

  /** What the shell of a job has as its allocation has it, set or not. */
  private static final List<String> OF_ALLOCATION =
      List.of("SLURM_NNODES", "SLURM_NPROCS", "SLURM_NTASKS", "SLURM_TASKS_PER_NODE");

  private static final Pattern MPI_TOKEN = Pattern.compile("[0-9a-zA-Z]{0,64}");
  private static final TaskGroup.TaskFiles NOTHING =
      new TaskGroup.TaskFiles("r:/dev/null", "a:/dev/null", null);

  private final StepStarter steps;
  private final UserDatabase users;
  private final Cgroups cgroups;
  private final HardResourceLimits limits = HardResourceLimits.ofThisProcess();

  /** Makes steps ready beside the batch steps that another starts. */
  public TaskStarter(StepStarter steps, UserDatabase users, Cgroups cgroups) throws IOException {
    this.steps = steps;
    this.users = users;
    this.cgroups = cgroups;
  }

  /**
   * Makes the directory of a step, below that of its run.
   *
   * @throws JobRefusedException if it cannot be started for its own sake
   * @throws NodeFaultException if it cannot be for the node's
   */
  public StepDirectory prepare(StepRequest request, NodeLocalConfig setup, Path runDirectory)
      throws JobRefusedException, NodeFaultException {
    try {
      return make(request, setup, runDirectory);
    } catch (UserDatabaseException e) {
      throw new NodeFaultException("user database: " + e.getMessage());
    } catch (IOException e) {
      throw new NodeFaultException(NodeFaultException.text(e));
    } catch (IllegalArgumentException e) {
      throw new JobRefusedException(String.valueOf(e.getMessage()));
    }
  }

  private StepDirectory make(StepRequest request, NodeLocalConfig setup, Path runDirectory)
      throws JobRefusedException, IOException {
    Job job = request.job();
    LaunchedStep step = request.step();
    StepShare share = request.share();
    PasswdEntry account = steps.account(job);
    String name = step.name().text();
    StepConfinement confinement =
        steps.confinement(share.cores(), share.cpus(), share.memoryMib(), share.gres(), setup);
    StepCgroup group = cgroups.create(job.id(), name, ofJob(job, setup), confinement);
    try {
      StepIdentity identity =
          new StepIdentity(
              job.id(),
              name,
              setup.nodeName(),
              job.owner().uid(),
              group.directories(),
              Integer.toString(job.run()),
              steps.spaces().make(job.id(), job.run(), job.owner()),
              share.memoryMib());
      StepLaunch launch =
          StepContainers.launch(
              launch(request, setup, account, identity, confinement, runDirectory),
              job,
              StepContainers.Asked.in(request.order().environment()),
              share.ranks(),
              setup);
      return StepDirectory.create(runDirectory, launch, null);
    } catch (IOException | RuntimeException e) {
      group.remove();
      throw e;
    }
  }

  /** A step is about to come. */
  public void expect() {
    cgroups.expectStep();
  }

  /**
   * The groups of a job's user.
   *
   * @throws JobRefusedException if the node does not know the user
   */
  public List<Integer> groups(UserIdentity owner) throws JobRefusedException {
    try {
      PasswdEntry account = users.userByUid(owner.uid());
      if (account == null) {
        throw new JobRefusedException("no user " + Integer.toUnsignedString(owner.uid()));
      }
      return users.groupsOf(account.name(), owner.gid());
    } catch (UserDatabaseException e) {
      throw new JobRefusedException(String.valueOf(e.getMessage()));
    }
  }

  /** What the job has here, of which the step may have a part. */
  private StepConfinement ofJob(Job job, NodeLocalConfig setup)
      throws JobRefusedException, IOException {
    Allocation allocation = JobVariables.allocation(job);
    NodeShare held = allocation == null ? null : allocation.shareOn(setup.nodeName());
    if (held == null) {
      throw new JobRefusedException("job holds nothing on " + setup.nodeName());
    }
    return steps.confinement(held, setup);
  }

  private StepLaunch launch(
      StepRequest request,
      NodeLocalConfig setup,
      PasswdEntry account,
      StepIdentity identity,
      StepConfinement confinement,
      Path runDirectory)
      throws JobRefusedException {
    Job job = request.job();
    StepLaunchOrder order = request.order();
    int gid = job.owner().gid();
    JobEnvironmentFacts facts = facts(request, setup, account);
    List<List<String>> arguments = arguments(request);
    TaskBindings.Bound bound = steps.taskBindings(request, setup);
    SequencedMap<String, String> environment = JobEnvironment.ofStep(facts, stepFacts(request));
    environment.putAll(JobRecordReader.variables(bound.variables()));
    keepCounts(request, environment);
    JobDisplay display = JobDisplay.find(runDirectory, request.step().number());
    if (display != null) {
      environment.put("DISPLAY", display.name());
      environment.put("XAUTHORITY", display.xauthority());
    }
    return new StepLaunch(
        identity,
        new StepUser(account.name(), job.owner().uid(), gid, users.groupsOf(account.name(), gid)),
        order.workDirectory(),
        order.umask(),
        "/dev/null",
        "/dev/null",
        null,
        OutputOpenMode.APPEND,
        limits.lower(order.limits()),
        List.copyOf(confinement.cpus()),
        StepPriority.of(setup.settings().steps().priority(), facts.submitted()),
        0,
        arguments.getFirst(),
        StepStarter.scripts(setup, order.taskProlog(), order.taskEpilog()),
        environment,
        null,
        0,
        group(request, setup, arguments, bound.own()),
        List.of());
  }

  private static void keepCounts(StepRequest request, Map<String, String> environment) {
    boolean shell = request.step().spec().sharing() == StepSpec.Sharing.INTERACTIVE;
    if (shell) {
      environment.keySet().removeAll(OF_ALLOCATION);
    }
    if (shell || request.order().keepsCounts()) {
      Map<String, String> users = JobRecordReader.variables(request.order().environment());
      users.keySet().retainAll(shell ? OF_ALLOCATION : COUNTS);
      environment.putAll(users);
    }
  }

  /** What each task here runs. */
  private static List<List<String>> arguments(StepRequest request) throws JobRefusedException {
    List<List<String>> all = new ArrayList<>();
    for (int rank : request.share().ranks()) {
      List<String> arguments = TaskProgram.argumentsOf(request.order().programs(), rank);
      if (arguments.isEmpty()) {
        throw new JobRefusedException("no program for task " + rank);
      }
      all.add(arguments);
    }
    return all;
  }

  private static JobEnvironmentFacts facts(
      StepRequest request, NodeLocalConfig setup, PasswdEntry account) throws JobRefusedException {
    Job job = request.job();
    Allocation allocation = JobVariables.allocation(job);
    NodeShare held = allocation == null ? null : allocation.shareOn(setup.nodeName());
    if (allocation == null || held == null) {
      throw new JobRefusedException("job holds nothing on " + setup.nodeName());
    }
    return new JobEnvironmentFacts(
        JobRecordReader.identity(job, request.credential().clusterName(), setup),
        JobRecordReader.shape(job, allocation, ofStep(request, held), setup),
        JobRecordReader.asked(job),
        JobRecordReader.array(job),
        JobRecordReader.login(account, setup),
        JobRecordReader.variables(request.order().environment()),
        JobRecordReader.variables(List.of()));
  }

  /** What the job holds here, with the devices of the step. */
  private static NodeShare ofStep(StepRequest request, NodeShare held) {
    return new NodeShare(
        held.node(),
        held.cores(),
        held.cpus(),
        held.memoryMib(),
        held.tasks(),
        request.share().gres());
  }

  private static StepEnvironmentFacts stepFacts(StepRequest request) {
    LaunchedStep step = request.step();
    Allocation allocation = JobVariables.allocation(request.job());
    NodeShare held = allocation == null ? null : allocation.shareOn(request.share().node());
    return new StepEnvironmentFacts(
        step.name().id(),
        HostList.compress(step.nodes()),
        step.tasksPerNode(),
        step.spec().het() == null ? step.tasks() : step.spec().het().tasks(),
        request.share().node(),
        request.index(),
        request.share().ranks(),
        request.share().cpus(),
        step.spec().cpusPerTask(),
        step.spec().host(),
        held != null && !held.gres().isEmpty());
  }

  private static TaskGroup group(
      StepRequest request,
      NodeLocalConfig setup,
      List<List<String>> arguments,
      List<TaskGroup.TaskOwn> own) {
    StepLaunchOrder.Streams streams = request.order().streams();
    HetStep het = request.step().spec().het();
    int tasks = het == null ? request.step().tasks() : het.tasks();
    List<TaskGroup.TaskFiles> files = new ArrayList<>();
    for (int rank : request.share().ranks()) {
      files.add(files(request, rank, streams));
    }
    TaskGroup.TerminalSize terminal =
        streams.terminalRows() == 0
            ? null
            : new TaskGroup.TerminalSize(streams.terminalRows(), streams.terminalColumns());
    int index = request.index();
    return new TaskGroup(
        index,
        request.share().ranks(),
        arguments,
        files,
        streams.unbuffered(),
        setup.settings().jobs().killWait().toSeconds(),
        index == 0 ? terminal : null,
        mpi(request, setup.settings().steps().mpiDefault()),
        own,
        streams.labelled() ? Integer.toString(tasks - 1).length() : 0,
        request.order().awaitsChildren());
  }

  private static final Pattern MPI_NODE = Pattern.compile("[^:\\p{Cntrl}]{1,255}:[0-9,-]{0,4096}");
  private static final Pattern MPI_STEP =
      Pattern.compile("[0-9]{1,10}\\.([0-9]{1,10}|interactive)");

  private static TaskGroup.@Nullable MpiServer mpi(StepRequest request, MpiInterface usual) {
    StepLaunchOrder.MpiService asked = request.order().mpi();
    MpiInterface type = asked.type() == null ? usual : asked.type();
    if (type == MpiInterface.NONE) {
      return null;
    }
    if (!MPI_TOKEN.matcher(asked.token()).matches()) {
      throw new IllegalArgumentException("a token of an MPI service has letters and digits alone");
    }
    StepLaunchOrder.MpiComponents across = asked.across();
    if (across != null) {
      return new TaskGroup.MpiServer(
          type.label(),
          asked.token(),
          across.step(),
          across.first() + request.index(),
          checked(across, request));
    }
    List<String> nodes = new ArrayList<>();
    for (StepShare share : request.step().shares()) {
      nodes.add(mpiNode(share));
    }
    String step = request.job().id() + "." + request.step().name().text();
    return new TaskGroup.MpiServer(type.label(), asked.token(), step, request.index(), nodes);
  }

  private static String mpiNode(StepShare share) {
    return share.node() + ":" + GresShare.ranges(share.ranks());
  }

  /** The user says it, and harms nobody else; but it must have a place for this node. */
  private static List<String> checked(StepLaunchOrder.MpiComponents across, StepRequest request) {
    int index = across.first() + request.index();
    if (across.first() < 0
        || index >= across.nodes().size()
        || !across.nodes().get(index).equals(mpiNode(request.share()))
        || !across.nodes().stream().allMatch(node -> MPI_NODE.matcher(node).matches())
        || !MPI_STEP.matcher(across.step()).matches()) {
      throw new IllegalArgumentException("the components of an MPI step do not fit together");
    }
    return across.nodes();
  }

  private static TaskGroup.TaskFiles files(
      StepRequest request, int rank, StepLaunchOrder.Streams streams) {
    if (streams.terminalRows() > 0 && rank > 0) {
      return NOTHING; // the first task alone has the terminal
    }
    String mode = streams.append() ? "a:" : "t:";
    String input = streams.input();
    String output = streams.output();
    String error = streams.error();
    String out = output.isEmpty() ? TaskGroup.STREAM : mode + path(request, rank, output);
    String err = error.isEmpty() ? TaskGroup.STREAM : mode + path(request, rank, error);
    return new TaskGroup.TaskFiles(
        input.isEmpty() ? TaskGroup.STREAM : "r:" + path(request, rank, input),
        out,
        error.isEmpty() && !output.isEmpty() ? null : err);
  }

  private static String path(StepRequest request, int rank, String pattern) {
    Job job = request.job();
    JobEnvironmentFacts.ArrayPlace place = JobRecordReader.array(job);
    int index = request.index();
    return OutputPattern.resolve(
        pattern,
        request.order().workDirectory(),
        new OutputNameValues(
            job.id(),
            place == null ? null : (Long) place.arrayJobId(),
            place == null ? null : (Long) place.taskId(),
            job.spec().name(),
            job.owner().userName(),
            request.step().name().text(),
            request.share().node(),
            index,
            rank,
            job.restarts(),
            job.sluid()));
  }
}
