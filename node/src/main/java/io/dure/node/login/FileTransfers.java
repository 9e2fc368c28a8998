package io.dure.node.login;

import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;
import io.dure.model.UserIdentity;
import io.dure.node.job.JobRefusedException;
import io.dure.node.job.StepStarter;
import io.dure.node.job.TaskStarter;
import io.dure.node.launch.KillSystemCall;
import io.dure.node.noderun.RunId;
import io.dure.node.step.Spawner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Processes that write or send files of jobs on this node, for sbcast and sgather: so many of a
 * user at a time, and none that outlives its run. Any thread may use it.
 */
public final class FileTransfers {
  private static final ProcFs PROC = ProcFs.ofThisMachine();
  private static final int MOST_OF_ONE_USER = 64;
  private static final int TRY_AGAIN = 11;
  private static final int SIGKILL = 9;
  private static final int SIGTERM = 15;
  private static final int SIGCONT = 18;

  /** What a process that is asked to end may take to remove what is not whole. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
  private final StepStarter starter;
  private final TaskStarter tasks;
  private final Supplier<Spawner> spawner;
  private final List<Transfer> transfers = new ArrayList<>();

  /** One that has been admitted; its own process once there is one. */
  private static final class Transfer {
    private final RunId run;
    private final int uid;
    private @Nullable ProcessStat process;
    private boolean isOver;

    private Transfer(RunId run, int uid) {
      this.run = run;
      this.uid = uid;
    }
  }

  /** Uses the spawner that there is when it is asked. */
  public FileTransfers(StepStarter starter, TaskStarter tasks, Supplier<Spawner> spawner) {
    this.starter = starter;
    this.tasks = tasks;
    this.spawner = spawner;
  }

  /** Gives a front end a process of that user, unless that one has too many; does not block. */
  public void begin(Spawner.StepConnection connection, RunId run, UserIdentity owner) {
    Transfer transfer = admitted(run, owner.uid());
    if (transfer == null) {
      String why = "too many files are being moved on this node, try again later";
      spawner.get().refuse(connection, TRY_AGAIN, why);
      return;
    }
    threads.execute(() -> {
      try {
        Path space = starter.spaces().make(run.jobId(), run.run(), owner);
        int pid = spawner.get().moveFile(connection, owner, tasks.groups(owner), space).join();
        started(transfer, pid);
      } catch (JobRefusedException | IOException | RuntimeException e) {
        forget(transfer);
        spawner.get().refuse(connection, 0, String.valueOf(e.getMessage()));
      }
    });
  }

  private synchronized @Nullable Transfer admitted(RunId run, int uid) {
    transfers.removeIf(each -> each.process != null && !isAlive(each.process));
    if (transfers.stream().filter(each -> each.uid == uid).count() >= MOST_OF_ONE_USER) {
      return null;
    }
    Transfer transfer = new Transfer(run, uid);
    transfers.add(transfer);
    return transfer;
  }

  private synchronized void forget(Transfer transfer) {
    transfers.remove(transfer);
  }

  private synchronized void started(Transfer transfer, int pid) {
    transfer.process = pid > 0 ? PROC.stat(pid) : null;
    if (transfer.process == null) {
      transfers.remove(transfer);
    } else if (transfer.isOver) {
      end(transfer.process);
    }
  }

  private static boolean isAlive(ProcessStat process) {
    return PROC.isAlive(process.pid(), process.startTicks());
  }

  /** Ends what moves files for a run, which is over; does not block. */
  public synchronized void end(RunId run) {
    for (Transfer transfer : transfers) {
      if (transfer.run.equals(run) && !transfer.isOver) {
        transfer.isOver = true;
        if (transfer.process != null) {
          end(transfer.process);
        }
      }
    }
  }

  private void end(ProcessStat process) {
    threads.execute(() -> {
      KillSystemCall.send(process, SIGTERM);
      // Its user may have stopped it.
      KillSystemCall.send(process, SIGCONT);
      long until = System.nanoTime() + PATIENCE.toNanos();
      try {
        while (isAlive(process) && System.nanoTime() < until) {
          Thread.sleep(PAUSE);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      KillSystemCall.send(process, SIGKILL);
    });
  }
}
