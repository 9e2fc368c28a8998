package io.dure.surface.scontrol;

import io.dure.model.command.Command;
import io.dure.model.job.Job;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.WallClock;
import java.util.List;

/** What the words update, create and delete act on: a cluster, and its user. For one thread. */
public interface UpdatePort {

  /** The time where the words were typed. */
  WallClock clock();

  /** Writes to standard output. */
  void print(String text);

  /** Writes to standard error. */
  void report(StderrMessage message);

  /** Something went wrong that does not keep the rest from being done. */
  void fail(CommandException failure);

  /**
   * Nodes and partitions.
   *
   * @param prefix what stands before the text of a failure
   * @param shown of {@link Response.Cluster#NODES} and {@link Response.Cluster#PARTITIONS} that
   *     which is to be shown
   * @throws CommandException if the caller may not see that
   */
  Response.Cluster cluster(String prefix, String shown) throws CommandException;

  /**
   * The jobs of that name, ended ones too, as far as the caller may see them.
   *
   * @throws CommandException if they cannot be found out
   */
  List<Job> jobsNamed(String name) throws CommandException;

  /** Whether there is a user of that name or number. */
  boolean knowsUser(String name);

  /** Changes something; failures start with {@code slurm_update error}. */
  void update(Command.UserCommand command) throws CommandException;

  /**
   * Has the controller's log tell more or less.
   *
   * @param level a name or number
   */
  void setLogLevel(String level) throws CommandException;

  /**
   * Changes something in the caller's own name.
   *
   * @param prefix what stands before the text of a failure
   * @return the answer
   */
  Response request(String prefix, Command.UserCommand command) throws CommandException;

  /** Changes a job; failures end with the job's name as typed. */
  void updateJob(Command.UserCommand command, String job) throws CommandException;

  /** Changes which nodes a job has or asks for; the same, in other words for some failures. */
  void resizeJob(Command.UpdateJob command, String job) throws CommandException;
}
