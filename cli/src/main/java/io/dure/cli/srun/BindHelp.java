package io.dure.cli.srun;

import io.dure.surface.message.CommandException;
import io.dure.surface.srun.SrunOption;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code --cpu-bind=help}, {@code --mem-bind=help} and {@code --hint=help} print. */
final class BindHelp {
  static final String NO_CPU = "CPU bind options not supported with current configuration\n";

  static final String CPU =
      """
      CPU bind options:
          --cpu-bind=         Bind tasks to CPUs
              q[uiet]         say nothing of what was bound (default)
              v[erbose]       say of each task what it was bound to
              no[ne]          do not bind tasks (default where it does not fit)
              rank            bind each task to the CPU of its number on the node
              map_cpu:<list>  bind the tasks of a node to these CPUs, one each
              mask_cpu:<list> bind the tasks of a node to these masks, one each
              rank_ldom       as rank, to memory domains
              map_ldom:<list>, mask_ldom:<list>
                              as for CPUs, of memory domains
              sockets, cores, threads, ldoms, boards
                              bind tasks to as many of these as they have CPUs on
              help            show this
      """;

  static final String MEMORY =
      """
      Memory bind options:
          --mem-bind=         Bind memory of tasks
              q[uiet]         say nothing of what was bound (default)
              v[erbose]       say of each task what it was bound to
              no[ne]          do not bind memory (default)
              rank            bind by the number of the task on the node
              local           use the memory of the processor that runs the task
              map_mem:<list>  bind the tasks of a node to these domains, one each
              mask_mem:<list> bind the tasks of a node to these masks, one each
              help            show this
      """;

  static final String HINT =
      """
      Application hint options:
          --hint=             Bind tasks as the program needs it
              compute_bound   use all cores of each socket
              memory_bound    use one core of each socket
              [no]multithread use several threads of a core, or one alone
              help            show this
      """;

  private BindHelp() {}

  /**
   * Prints what an option can take, if its argument asks for that.
   *
   * @throws CommandException if it did, since then nothing is run
   */
  static void showIfAsked(PrintStream out, SrunOption option, @Nullable String value)
      throws CommandException {
    boolean asked = "help".equals(value);
    if (asked && option == SrunOption.MEM_BIND) {
      out.print(MEMORY);
      throw new CommandException(255, List.of());
    }
    if (asked && option == SrunOption.HINT) {
      out.print(HINT);
      throw new CommandException(0, List.of());
    }
  }
}
