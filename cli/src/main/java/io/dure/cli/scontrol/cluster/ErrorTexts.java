package io.dure.cli.scontrol.cluster;

import io.dure.model.ErrorCode;

/** Numbers of errors in words: below 1000 the system's, from there on Slurm's. */
final class ErrorTexts {

  /** The system's errors from 0 on, as far as jobs and daemons meet them. */
  private static final String[] SYSTEM = {
    "No error",
    "Operation not permitted",
    "No such file or directory",
    "No such process",
    "Interrupted system call",
    "Input/output error",
    "No such device or address",
    "Argument list too long",
    "Exec format error",
    "Bad file descriptor",
    "No child processes",
    "Resource temporarily unavailable",
    "Cannot allocate memory",
    "Permission denied",
    "Bad address",
    "Block device required",
    "Device or resource busy",
    "File exists",
    "Invalid cross-device link",
    "No such device",
    "Not a directory",
    "Is a directory",
    "Invalid argument",
    "Too many open files in system",
    "Too many open files",
    "Inappropriate ioctl for device",
    "Text file busy",
    "File too large",
    "No space left on device",
    "Illegal seek",
    "Read-only file system",
    "Too many links",
    "Broken pipe"
  };

  private ErrorTexts() {}

  static String of(int number) {
    if (number >= 0 && number < SYSTEM.length) {
      return SYSTEM[number];
    }
    for (ErrorCode code : ErrorCode.values()) {
      if (code.number() == number) {
        return code.text();
      }
    }
    return "Unknown error " + number;
  }
}
