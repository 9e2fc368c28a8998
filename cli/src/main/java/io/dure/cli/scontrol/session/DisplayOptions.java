package io.dure.cli.scontrol.session;

import io.dure.surface.json.DocumentFormat;
import org.jspecify.annotations.Nullable;

/** How much is printed, and how; options set it, and words of an interactive run change it. */
public final class DisplayOptions {

  private boolean oneLine;
  private @Nullable DocumentFormat document;
  private boolean all;
  private boolean quiet;
  private int details;

  /** Whether a record is one line. */
  public boolean isOneLine() {
    return oneLine;
  }

  /** How documents are written, null where records are text. */
  public @Nullable DocumentFormat document() {
    return document;
  }

  /** Whether hidden partitions and their jobs are shown. */
  public boolean showsAll() {
    return all;
  }

  /** Whether nothing is said about what went wrong. */
  public boolean isQuiet() {
    return quiet;
  }

  /** How often details were asked for. */
  public int details() {
    return details;
  }

  /** A record is one line from now on. */
  public void setOneLine() {
    oneLine = true;
  }

  /** Records are documents from now on. */
  public void setDocument(DocumentFormat format) {
    document = format;
  }

  /** Whether hidden partitions and their jobs are shown from now on. */
  public void setAll(boolean show) {
    all = show;
  }

  /** Nothing is said about what goes wrong from now on. */
  public void setQuiet() {
    quiet = true;
  }

  /** One degree of details more. */
  public void addDetail() {
    details++;
  }

  /** What goes wrong is said again. */
  public void addVerbosity() {
    quiet = false;
  }
}
