package io.dure.model.request;

/** What must have happened to another job before this one may start. */
public enum DependencyType {
  AFTER("after"),
  AFTER_ANY("afterany"),
  AFTER_OK("afterok"),
  AFTER_NOT_OK("afternotok"),
  AFTER_CORR("aftercorr"),
  SINGLETON("singleton");

  private final String word;

  DependencyType(String word) {
    this.word = word;
  }

  /** The word used in {@code --dependency}. */
  public String word() {
    return word;
  }
}
