package io.dure.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes are listed; what is null lets every node pass.
 *
 * @param names names of nodes
 * @param states alternatives, of each of which all states must hold, by Slurm's names
 * @param responding whether only nodes that answer, or only those that do not
 * @param future whether nodes that are still to come pass
 */
public record NodeCriteria(
    @Nullable List<String> names,
    @Nullable List<List<String>> states,
    @Nullable Boolean responding,
    boolean future) {}
