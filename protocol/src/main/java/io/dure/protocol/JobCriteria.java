package io.dure.protocol;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are listed; a list that is null lets every job pass. In a command an empty one lets
 * none pass; in a request it lets all pass, as a list that an older writer does not know is read as
 * empty, and the command leaves out the rest. No list has more than {@link WireCodecs#MAX_NAMES}.
 *
 * @param states states by Slurm's names, of which one must be what the job is or what is said
 *     instead
 * @param users login names or numbers
 * @param partitions partitions, of which the job must ask for one
 * @param accounts accounts
 * @param names job names
 * @param qos qualities of service
 * @param nodes node names, of which the job must hold one
 * @param licenses licences, of which the job must ask for one
 * @param reservations reservations, of which the job must name one or run in it
 */
@RecordBuilder
public record JobCriteria(
    @Nullable List<String> states,
    @Nullable List<String> users,
    @Nullable List<String> partitions,
    @Nullable List<String> accounts,
    @Nullable List<String> names,
    @Nullable List<String> qos,
    @Nullable List<String> nodes,
    @Nullable List<String> licenses,
    @Nullable List<String> reservations)
    implements JobCriteriaBuilder.With {

  /** Every job passes. */
  public static final JobCriteria ALL =
      new JobCriteria(null, null, null, null, null, null, null, null, null);

  /** How many names the longest list has. */
  public int longestList() {
    return Stream.of(states, users, partitions, accounts, names, qos, nodes, licenses, reservations)
        .filter(Objects::nonNull)
        .mapToInt(List::size)
        .max()
        .orElse(0);
  }
}
