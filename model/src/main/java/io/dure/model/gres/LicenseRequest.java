package io.dure.model.gres;

import io.dure.model.jobtext.TextValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The licences that a job asks for, {@code matlab:2,ansys} or {@code a:1|b:2}, where any of several
 * ways will do. Immutable; equal to one of the same text.
 */
public final class LicenseRequest implements TextValue {
  private final String text;
  private final @Nullable List<List<License>> ways;

  /** As typed. */
  public LicenseRequest(String text) {
    this.text = text;
    ways = License.alternatives(text);
  }

  /** The request of a text, null where there is none. */
  public static @Nullable LicenseRequest of(@Nullable String text) {
    return text == null ? null : new LicenseRequest(text);
  }

  @Override
  public String text() {
    return text;
  }

  /** The ways that will do, each all that it takes; none where the text cannot be read. */
  public List<List<License>> ways() {
    return ways == null ? List.of() : ways;
  }

  /** What it takes, none where several ways will do. */
  public List<License> only() {
    return ways().size() == 1 ? ways().getFirst() : List.of();
  }

  /** Whether it can be read. */
  public boolean isReadable() {
    return ways != null;
  }

  /**
   * The first way for which there is enough, null if there is none.
   *
   * @param total what the cluster has
   * @param used what jobs hold
   */
  public @Nullable List<License> free(List<License> total, List<License> used) {
    for (List<License> way : ways()) {
      boolean enough = true;
      for (License one : way) {
        int left = License.count(total, one.name()) - License.count(used, one.name());
        enough &= License.count(way, one.name()) <= left;
      }
      if (enough) {
        return way;
      }
    }
    return null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LicenseRequest request && text.equals(request.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
