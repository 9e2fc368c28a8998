package io.dure.node.job;

import java.io.IOException;
import java.nio.file.FileSystemException;

/** This node cannot start steps now; the message says what is wrong with it. */
public final class NodeFaultException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong. */
  public NodeFaultException(String message) {
    super(message);
  }

  /** What the system refused, in a line: its reason first, then the file. */
  public static String text(IOException refused) {
    if (refused instanceof FileSystemException e && e.getReason() != null) {
      return e.getReason() + ": " + e.getFile();
    }
    String message = refused.getMessage();
    return message == null ? refused.toString() : message;
  }
}
