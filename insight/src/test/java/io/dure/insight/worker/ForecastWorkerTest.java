package io.dure.insight.worker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The process that a controller has forecasts made by. */
@Tag("process")
final class ForecastWorkerTest {
  @Test
  void itHearsThatWhoeverAsksHasGone() throws Exception {
    CountDownLatch gone = new CountDownLatch(1);
    ForecastWorker one =
        new ForecastWorker(
            new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream(), gone::countDown);
    Thread answers =
        Thread.ofVirtual()
            .start(() -> {
              try {
                one.run();
              } catch (IOException | InterruptedException e) {
                // the test is over
              }
            });
    gone.await();
    answers.interrupt();
    answers.join();
  }
}
