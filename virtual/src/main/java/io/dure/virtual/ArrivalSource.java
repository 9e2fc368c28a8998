package io.dure.virtual;

import io.dure.model.Job;
import io.dure.rules.PlannerTime;

/** Jobs that are still to come. Used once, by one thread. */
public interface ArrivalSource {
  /** Nobody comes any more. */
  ArrivalSource NONE =
      new ArrivalSource() {
        @Override
        public long next() {
          return PlannerTime.NEVER;
        }

        @Override
        public Job take(int id) {
          throw new IllegalStateException("nobody comes");
        }
      };

  /** The second in which the next one comes, {@link PlannerTime#NEVER} if none does. */
  long next();

  /** That job, under an id of its own; then comes the one behind it. */
  Job take(int id);
}
