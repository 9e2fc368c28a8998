package io.dure.virtual;

import io.dure.model.job.Job;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import java.util.List;
import java.util.function.IntSupplier;

/** Jobs that are still to come. Used once, by one thread. */
public interface ArrivalSource {
  /** No job comes any more. */
  ArrivalSource NONE =
      new ArrivalSource() {
        @Override
        public long next() {
          return PlannerTime.NEVER;
        }

        @Override
        public List<Job> take(SchedulerView view, IntSupplier ids) {
          throw new IllegalStateException("no job comes");
        }
      };

  /** The second in which the next submission comes, {@link PlannerTime#NEVER} if none does. */
  long next();

  /**
   * The jobs of that submission, none if it is refused; then comes the one behind it.
   *
   * @param view the cluster that it comes to
   * @param ids gives ids that no job has yet
   */
  List<Job> take(SchedulerView view, IntSupplier ids);

  /** Whether a submission that is still to come may name that job in a dependency. */
  default boolean mayName(int job) {
    return false;
  }
}
