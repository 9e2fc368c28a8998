package io.dure.core.rollout;

import io.dure.core.model.Job;
import io.dure.core.scheduler.Times;

/** Jobs that are still to come. Used once, by one thread. */
public interface Arrivals {
  /** Nobody comes any more. */
  Arrivals NONE =
      new Arrivals() {
        @Override
        public long next() {
          return Times.NEVER;
        }

        @Override
        public Job take(int id) {
          throw new IllegalStateException("nobody comes");
        }
      };

  /** The second in which the next one comes, {@link Times#NEVER} if none does. */
  long next();

  /** That job, under an id of its own; then comes the one behind it. */
  Job take(int id);
}
