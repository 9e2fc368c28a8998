package io.dure.host.signal;

/** What an administrator or a service manager tells a daemon by a signal. */
public enum DaemonSignal {
  /** HUP: read the configuration anew, and open the log file anew. */
  RECONFIGURE,
  /** TERM or INT: end in good order. */
  STOP,
  /** USR2: open the log file anew, as logrotate asks for. */
  REOPEN_LOG
}
