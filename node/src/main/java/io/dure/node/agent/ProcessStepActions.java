package io.dure.node.agent;

import io.dure.host.user.UserDatabase;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import io.dure.model.step.Step;
import io.dure.model.step.StepConsumption;
import io.dure.model.step.StepName;
import io.dure.node.cgroup.StepCgroup;
import io.dure.node.job.JobRefusedException;
import io.dure.node.job.JobStderrMessages;
import io.dure.node.job.NodeFaultException;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.job.StepEndMapper;
import io.dure.node.job.StepStarter;
import io.dure.node.job.TaskStarter;
import io.dure.node.launch.RunningStep;
import io.dure.node.launch.SpawnedSteps;
import io.dure.node.launch.StepDirectory;
import io.dure.node.launch.StepExit;
import io.dure.node.login.ExternStep;
import io.dure.node.login.FileTransfers;
import io.dure.node.login.LoginActions;
import io.dure.node.login.LoginRequest;
import io.dure.node.login.ProcessLogins;
import io.dure.node.noderun.RunId;
import io.dure.node.noderun.RunInput;
import io.dure.node.step.CredentialGate;
import io.dure.node.step.Spawner;
import io.dure.node.step.StepControl;
import io.dure.node.step.StepInquiry;
import io.dure.node.step.StepRequest;
import io.dure.node.usage.NamedStep;
import io.dure.node.usage.NodeMeters;
import io.dure.node.usage.UsageSampler;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import io.dure.protocol.step.DisplayRequest;
import io.dure.protocol.step.StepAnswer;
import io.dure.protocol.step.StepAttachment;
import io.dure.protocol.step.StepFigures;
import io.dure.protocol.step.StepQuestion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Numbered steps by real processes, which a {@link Spawner} starts. */
final class ProcessStepActions implements StepActions, Spawner.Listener {
  private static final String SHEPHERD = "shepherd";
  private static final String UNEXPECTED = "Unexpected message received";
  private static final RecordCodec<StepQuestion> QUESTIONS = WireCodecs.stepQuestions().strict();
  private static final RecordCodec<StepAttachment> ATTACHMENTS =
      WireCodecs.stepAttachments().strict();

  private static final RecordCodec<DisplayRequest> DISPLAYS = WireCodecs.displayRequests().strict();

  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
  private final StepStarter starter;
  private final TaskStarter tasks;
  private final Supplier<NodeLocalConfig> setup;
  private final CredentialGate gate;
  private final Consumer<DaemonLoopEvent> loop;
  private final Logger log;
  private final LoginActions logins;
  private final FileTransfers files;
  private final UsageSampler usage;
  private final StepMemoryWatch memory;
  private final SpawnedSteps spawned = new SpawnedSteps();
  private @Nullable Spawner spawner;

  ProcessStepActions(
      StepStarter starter,
      TaskStarter tasks,
      Supplier<NodeLocalConfig> setup,
      NodeMeters meters,
      Logger log,
      Consumer<DaemonLoopEvent> loop) {
    this.starter = starter;
    this.tasks = tasks;
    this.setup = setup;
    this.gate = new CredentialGate(InstantSource.system());
    this.loop = loop;
    this.log = log;
    this.files = new FileTransfers(starter, tasks, this::spawner);
    this.usage = new UsageSampler(meters, log);
    this.memory = new StepMemoryWatch(starter, log);
    this.logins =
        new ProcessLogins(
            starter,
            tasks,
            this::spawner,
            new ProcessLogins.Events(
                run -> loop.accept(new DaemonLoopEvent.LoginsOver(run)),
                run -> loop.accept(new DaemonLoopEvent.Happened(run, new RunInput.StillMoves()))),
            log);
  }

  /** The spawner, which serves once it is started. */
  Spawner open(Path program, Path spool) {
    Spawner opened =
        new Spawner(
            program,
            spool.resolve(NodeDaemonLoop.STEP_SOCKET),
            program.resolveSibling(SHEPHERD),
            this,
            log);
    spawner = opened;
    starter.launchBy(this::startBatch);
    return opened;
  }

  /** By the spawner; while there is none, as a child of this process. */
  private RunningStep startBatch(StepDirectory directory) throws IOException {
    RunningStep step = spawned.begin(directory);
    try {
      spawner().startShepherd(null, directory.path());
      return step;
    } catch (IOException e) {
      return spawned.forget(directory) ? starter.startHere(directory) : step;
    }
  }

  /** For runs themselves, with the same samples of what is used. */
  RunActions runs(UserDatabase users) {
    return new ProcessRunActions(starter, users, usage, log, loop);
  }

  private Spawner spawner() {
    Spawner opened = spawner;
    if (opened == null) {
      throw new IllegalStateException("no spawner was opened");
    }
    return opened;
  }

  @Override
  public void connected(Spawner.StepConnection connection, byte[] payload) {
    switch (connection.type()) {
      case 'L' -> launch(connection, payload);
      case 'U', 'A' -> inquire(connection, payload);
      case 'J' -> login(connection, payload);
      case 'X' -> display(connection, payload);
      case 'F' -> threads.execute(() -> askForFile(connection, payload));
      default -> refuse(connection, 0, UNEXPECTED);
    }
  }

  private void login(Spawner.StepConnection connection, byte[] payload) {
    LoginRequest login = LoginRequest.of(connection, payload);
    if (login == null) {
      refuse(connection, 0, "Access/permission denied");
    } else {
      loop.accept(new DaemonLoopEvent.LoginAsked(login));
    }
  }

  private void display(Spawner.StepConnection connection, byte[] payload) {
    if (setup.get().settings().steps().displays() == null) {
      refuse(connection, ErrorCode.X11_NOT_AVAIL.number(), ErrorCode.X11_NOT_AVAIL.text());
      return;
    }
    try {
      LoginRequest login = LoginRequest.of(connection, DISPLAYS.decode(payload));
      loop.accept(new DaemonLoopEvent.LoginAsked(login));
    } catch (MalformedMessageException e) {
      refuse(connection, 0, UNEXPECTED);
    }
  }

  private void askForFile(Spawner.StepConnection connection, byte[] payload) {
    switch (gate.judgeFile(connection, payload, setup.get().nodeName())) {
      case CredentialGate.FileVerdict.Allowed(RunId run, UserIdentity owner) ->
          loop.accept(new DaemonLoopEvent.FileAsked(connection, run, owner));
      case CredentialGate.FileVerdict.Refused(int code, String text) ->
          refuse(connection, code, text);
    }
  }

  @Override
  public void moveFile(Spawner.StepConnection connection, RunId run, UserIdentity owner) {
    files.begin(connection, run, owner);
  }

  @Override
  public void endFiles(RunId run) {
    files.end(run);
  }

  private void inquire(Spawner.StepConnection connection, byte[] payload) {
    try {
      loop.accept(
          new DaemonLoopEvent.StepInquired(
              connection.type() == 'U'
                  ? new StepInquiry.Figures(connection, QUESTIONS.decode(payload))
                  : new StepInquiry.Attach(connection, ATTACHMENTS.decode(payload))));
    } catch (MalformedMessageException e) {
      refuse(connection, 0, UNEXPECTED);
    }
  }

  private void launch(Spawner.StepConnection connection, byte[] payload) {
    tasks.expect();
    switch (gate.judge(connection, payload, setup.get().nodeName())) {
      case CredentialGate.Verdict.Allowed(StepRequest request) ->
          loop.accept(new DaemonLoopEvent.StepAsked(request));
      case CredentialGate.Verdict.Refused(int code, String text) -> {
        log.error(
            "a step of user "
                + Integer.toUnsignedString(connection.uid())
                + " (process "
                + connection.pid()
                + ") was refused: "
                + text);
        refuse(connection, code, text);
      }
    }
  }

  @Override
  public void started(int pid, Path directory) {
    spawned.started(pid, directory);
  }

  @Override
  public void notStarted(int errno, Path directory) {
    spawned.notStarted(errno, directory);
  }

  @Override
  public void ended(int pid, int status) {
    spawned.ended(pid, status);
  }

  @Override
  public void lost() {
    for (StepDirectory directory : spawned.lost()) {
      log.info("step in " + directory.path() + " goes on without the spawner that started it");
    }
  }

  @Override
  public void trust(byte[] credentialKey) {
    try {
      gate.trust(credentialKey);
      // Before, it could only turn away what it cannot judge.
      spawner().start();
    } catch (IllegalArgumentException e) {
      log.error("the controller's credential key cannot be used: " + e.getMessage());
    }
  }

  @Override
  public void start(RunActions.Launch launch, StepRequest request) {
    int number = request.step().number();
    threads.execute(() -> {
      try {
        startNow(launch, request);
      } catch (JobRefusedException e) {
        String reason = String.valueOf(e.getMessage());
        refuse(request.connection(), 0, reason);
        over(launch.id(), number, new StepEnd.NotStarted(reason));
      } catch (NodeFaultException e) {
        String reason = String.valueOf(e.getMessage());
        log.error(
            "step " + launch.id().text() + "." + StepName.text(number) + " not started: " + reason);
        refuse(request.connection(), 0, reason);
        over(launch.id(), number, new StepEnd.NodeFault(reason));
      } catch (RuntimeException | Error e) {
        log.error("step " + launch.id().text() + "." + StepName.text(number), e);
        refuse(request.connection(), 0, "slurmd failed");
        over(launch.id(), number, new StepEnd.NotStarted(e.toString()));
      }
    });
  }

  private void startNow(RunActions.Launch launch, StepRequest request)
      throws JobRefusedException, NodeFaultException {
    StepDirectory directory = tasks.prepare(request, launch.setup(), launch.directory());
    RunningStep step;
    try {
      step = spawned.begin(directory);
    } catch (IOException e) {
      throw new NodeFaultException(NodeFaultException.text(e));
    }
    loop.accept(new DaemonLoopEvent.StepKept(launch.id(), request.step().number(), step));
    try {
      spawner().startShepherd(request.connection(), directory.path());
    } catch (IOException e) {
      // With the spawner its connections have ended.
      spawned.frontEndGone(directory.path());
    }
    watch(launch, request.step().number(), step);
  }

  private void watch(RunActions.Launch launch, int number, RunningStep step) {
    usage.begin(step, launch.setup());
    step.exit()
        .whenComplete((exit, failure) ->
            threads.execute(() -> {
              if (failure != null) {
                over(launch.id(), number, new StepEnd.Lost("no exit record: " + failure));
              } else {
                ended(launch, number, step, exit);
              }
            }));
  }

  private void ended(RunActions.Launch launch, int number, RunningStep step, StepExit exit) {
    if (exit instanceof StepExit.Lost || exit instanceof StepExit.LaunchFailed) {
      log.error("step " + launch.id().text() + "." + StepName.text(number) + ": " + exit);
    }
    StepCgroup group = starter.group(launch.id().jobId(), StepName.text(number));
    long kills = group.oomKills();
    StepConsumption used = usage.ended(step, exit, group, setup.get());
    starter.containers().clean(step.directory(), launch.job().job(), setup.get());
    try {
      if (!group.remove()) {
        log.error(
            "step " + launch.id().text() + "." + StepName.text(number) + ": processes remain");
      }
    } catch (IOException e) {
      log.error(
          "step "
              + launch.id().text()
              + "."
              + StepName.text(number)
              + ": control groups remain: "
              + e);
    }
    boolean outOfMemory = kills > 0 || step.directory().isOverMemory();
    over(launch.id(), number, StepEndMapper.of(exit, outOfMemory, used));
  }

  private void over(RunId id, int number, StepEnd end) {
    loop.accept(new DaemonLoopEvent.StepOver(id, number, end));
  }

  @Override
  public LoginActions logins() {
    return logins;
  }

  @Override
  public void adopt(RunActions.Launch launch) {
    ExternStep found =
        logins.found(new LoginActions.Host(launch.job().job(), launch.setup(), launch.directory()));
    if (found != null) {
      loop.accept(new DaemonLoopEvent.LoginsFound(launch.id(), found));
    }
    try {
      for (StepDirectory directory : StepDirectory.list(launch.directory())) {
        StepName name = StepName.parse(directory.identity().step());
        if (name == null) {
          log.error(
              "step "
                  + directory.identity().step()
                  + " of run "
                  + launch.id().text()
                  + " has an unknown name and is left alone");
        } else if (!(name instanceof StepName.BatchStep)) {
          int number = name.number();
          RunningStep step = starter.adopt(directory);
          loop.accept(new DaemonLoopEvent.StepKept(launch.id(), number, step));
          watch(launch, number, step);
        }
      }
    } catch (IOException e) {
      log.error("steps of run " + launch.id().text() + " cannot be read: " + e);
    }
  }

  @Override
  public void refuse(Spawner.StepConnection connection, int code, String text) {
    spawner().refuse(connection, code, text);
  }

  @Override
  public void signal(RunningStep step, int signal) {
    step.next(
        threads,
        () -> {
          try {
            step.signal(signal, starter.scope(signal));
          } catch (IOException e) {
            log.error(step + " cannot be signalled: " + e);
          }
        });
  }

  @Override
  public void suspend(RunId run, RunningStep step) {
    step.next(
        threads,
        () -> {
          try {
            if (!step.stop(false)) {
              log.error(step + ": some processes still run, suspending again");
              loop.accept(new DaemonLoopEvent.Happened(run, new RunInput.StillMoves()));
            }
          } catch (IOException e) {
            log.error(step + " cannot be suspended: " + e);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @Override
  public void end(
      RunningStep step, String name, Effect.TerminationReason why, List<Integer> signals) {
    step.next(
        threads,
        () -> {
          String line =
              JobStderrMessages.endingOfStep(
                  name,
                  setup.get().nodeName(),
                  why,
                  InstantSource.system().instant(),
                  ZoneId.systemDefault());
          try {
            if (!line.isEmpty()) {
              StepControl.announceEnd(step.directory().path(), line);
            }
          } catch (IOException e) {
            // What matters is that it ends.
            log.debug(step + ": its front ends are not told of its end: " + e);
          }
          try {
            for (int signal : signals) {
              step.signal(signal, starter.scope(signal));
            }
          } catch (IOException e) {
            log.error(step + " cannot be signalled: " + e);
          }
        });
  }

  @Override
  public void look(List<NamedStep> steps) {
    threads.execute(() -> {
      usage.look(steps, setup.get());
      for (NamedStep step : steps) {
        RunningStep running = step.tasks();
        if (running != null && !running.identity().step().equals(Step.BATCH.text())) {
          memory.look(running, setup.get());
        }
      }
    });
  }

  @Override
  public void tellFigures(
      Spawner.StepConnection to, int pid, boolean denied, List<NamedStep> steps) {
    threads.execute(() -> {
      List<StepFigures> figures = usage.figures(steps, setup.get(), pid);
      spawner().answer(to, 'U', WireCodecs.stepAnswers().encode(new StepAnswer(denied, figures)));
    });
  }

  @Override
  public void attach(Spawner.StepConnection connection, RunningStep step) {
    try {
      spawner().join(connection, StepControl.socket(step.directory().path()));
    } catch (IOException e) {
      log.debug("a program is not attached to " + step + ": " + e.getMessage());
    }
  }

  @Override
  public void forget(Path directory) {
    threads.execute(() -> {
      try {
        StepDirectory.removeTree(directory);
      } catch (IOException e) {
        log.error("cannot remove " + directory + " from the spool: " + e);
      }
    });
  }
}
