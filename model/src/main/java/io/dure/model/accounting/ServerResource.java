package io.dure.model.accounting;

import io.dure.model.gres.License;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Licences of a server, which clusters share.
 *
 * @param id its number
 * @param name what the licences are of
 * @param server where they are counted
 * @param serverType what counts them there
 * @param count how many there are
 * @param description any text
 * @param absolute whether clusters get numbers of licences, instead of hundredths
 * @param allowed what of them this cluster gets, null for nothing
 */
@RecordBuilder
public record ServerResource(
    int id,
    String name,
    String server,
    String serverType,
    int count,
    String description,
    boolean absolute,
    @Nullable Integer allowed)
    implements ServerResourceBuilder.With {

  /** As jobs name it: {@code matlab@flex}. */
  public String place() {
    return name + "@" + server;
  }

  /** The licences that the cluster gets. */
  public License granted() {
    int part = allowed == null ? 0 : allowed;
    long most = absolute ? part : (long) count * part / 100;
    return new License(place(), (int) Math.min(most, count));
  }
}
