package io.dure.node.login;

import io.dure.model.job.Job;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.noderun.RunId;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Does for logins what takes time, and tells the loop when it is done. The loop's thread calls;
 * nothing blocks.
 */
public interface LoginActions {
  /** For a daemon that takes no logins. */
  LoginActions NONE =
      new LoginActions() {
        @Override
        public ExternStep step(Host host) {
          return new ExternStep(host.directory(), host.job().id(), host.setup().nodeName(), 0);
        }

        @Override
        public @Nullable ExternStep found(Host host) {
          return null;
        }

        @Override
        public void join(Host host, ExternStep step, LoginRequest login) {}

        @Override
        public void answer(LoginRequest login, LoginAnswer answer) {}

        @Override
        public void end(RunId run, ExternStep step) {}

        @Override
        public void suspend(RunId run, ExternStep step) {}

        @Override
        public void resume(ExternStep step) {}
      };

  /**
   * The run that logins join.
   *
   * @param directory of the run in the spool
   */
  record Host(Job job, NodeLocalConfig setup, Path directory) {}

  /** The step of a run that takes logins in; nobody is in it. */
  ExternStep step(Host host);

  /** That of an earlier daemon, null where there was none. */
  @Nullable ExternStep found(Host host);

  /** Makes the process of a login one of the step's, and tells the login. */
  void join(Host host, ExternStep step, LoginRequest login);

  /** Tells a login what became of it. */
  void answer(LoginRequest login, LoginAnswer answer);

  /** Asks the step's processes to end; the loop is told when none is left. */
  void end(RunId run, ExternStep step);

  /** Has them stand still; the loop is told where some still move. */
  void suspend(RunId run, ExternStep step);

  /** Has them go on. */
  void resume(ExternStep step);
}
