package io.dure.cli.command;

import io.dure.host.lua.LuaScript;
import io.dure.host.user.LibcUserDatabase;
import io.dure.host.user.UserDatabase;
import io.dure.model.request.PropagatedRlimit;
import io.dure.surface.sbatch.CallerFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The process on whose behalf a command runs. Each answer is looked up when it is asked for, since
 * most commands need none of them. For the thread that runs the command.
 */
public interface CallerProcess extends CallerFiles {

  /** The real user number. */
  int uid();

  /** The real group number. */
  int gid();

  /** The file creation mask, 0 to 0777. */
  int umask();

  /** Its number on this machine, 0 where that is not known. */
  int processId();

  /** The number of the session that the process belongs to. */
  int sessionId();

  /** The size of the terminal that is standard input, null where that is none or not known. */
  @Nullable TerminalSize terminal();

  /** The nice value, -20 to 19. */
  int nice();

  /** The machine's name without its domain. */
  String hostName();

  /** Whether this machine knows a user of that login name or number. */
  boolean knowsUser(String name);

  /** The login name of a user of that number, the number if this machine does not know it. */
  String loginName(int uid);

  /** The name of the person with a login name, as this machine knows it; empty for none. */
  String realName(String loginName);

  /** The home directory of the user with a login name; empty where it is not known. */
  String homeDirectory(String loginName);

  /** Whether it knows a group of that name or number. */
  boolean knowsGroup(String name);

  /** The users and groups of this machine. */
  default UserDatabase users() {
    return new LibcUserDatabase();
  }

  /** The soft limits of setrlimit(2). */
  List<PropagatedRlimit> limits();

  /**
   * Opens a file for writing with the process's own rights; it is made, or emptied.
   *
   * @throws IOException if that is not possible; the message is the system's
   */
  OutputStream write(Path file) throws IOException;

  /**
   * Runs a step that the cluster has given to the caller; returns at its end.
   *
   * @throws IOException if this process cannot
   */
  StepFrontEnd.Outcome runStep(StepFrontEnd step) throws IOException;

  /**
   * Moves files between the process and nodes.
   *
   * @return exit code of the command
   * @throws IOException if this process cannot
   */
  int moveFiles(FileTransfer files) throws IOException;

  /**
   * Lets X clients on nodes reach the X server of the process, until it ends.
   *
   * @throws IOException if this process cannot
   */
  DisplayForward.Answer forwardDisplay(DisplayForward displays) throws IOException;

  /**
   * Asks a program of this machine, with the process's own rights: sends a frame to its socket and
   * returns all that comes until it closes.
   *
   * @param type of the frame
   * @throws IOException if it cannot be asked; the message is the system's
   */
  byte[] askSocket(Path socket, char type, byte[] payload) throws IOException;

  /**
   * Runs a program in the caller's place, with its terminal and streams; returns at its end.
   *
   * @throws IOException if the caller is gone
   */
  CallerProgram.Outcome runProgram(CallerProgram program) throws IOException;

  /** Sends a signal to the program that runs, if one does. Any thread. */
  void signalProgram(int number) throws IOException;

  /**
   * Has a signal end the caller with exit code 1 after this text, in which {@code %d} stands for
   * its number; an empty text has it end as usual.
   */
  void sayOnSignal(String text) throws IOException;

  /** The script of the site that judges this caller's options, null for none. */
  default @Nullable LuaScript siteFilter() {
    return null;
  }

  /** Names this call among all, so that a controller which is asked twice acts once. */
  String requestId();

  /** The socket at which this process reaches nodes of other machines; null where there is none. */
  @Nullable Path stepGateway();
}
