package io.dure.controller.view;

/** What Linux calls its signals in words, as {@code strsignal} does. All functions are pure. */
final class SignalTexts {

  private static final String[] TEXTS = {
    "Hangup",
    "Interrupt",
    "Quit",
    "Illegal instruction",
    "Trace/breakpoint trap",
    "Aborted",
    "Bus error",
    "Floating point exception",
    "Killed",
    "User defined signal 1",
    "Segmentation fault",
    "User defined signal 2",
    "Broken pipe",
    "Alarm clock",
    "Terminated",
    "Stack fault",
    "Child exited",
    "Continued",
    "Stopped (signal)",
    "Stopped",
    "Stopped (tty input)",
    "Stopped (tty output)",
    "Urgent I/O condition",
    "CPU time limit exceeded",
    "File size limit exceeded",
    "Virtual timer expired",
    "Profiling timer expired",
    "Window changed",
    "I/O possible",
    "Power failure",
    "Bad system call"
  };

  /** The C library keeps the two real-time signals below it for itself. */
  private static final int FIRST_REAL_TIME = 34;

  private static final int LAST_REAL_TIME = 64;

  private SignalTexts() {}

  /** The words for a signal; its number where there are none. */
  static String of(int signal) {
    if (signal >= 1 && signal <= TEXTS.length) {
      return TEXTS[signal - 1];
    }
    return signal >= FIRST_REAL_TIME && signal <= LAST_REAL_TIME
        ? "Real-time signal " + (signal - FIRST_REAL_TIME)
        : "Unknown signal " + signal;
  }
}
