package io.dure.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.testkit.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/** What drivers say is wrong with GPUs drains the node, and is told to the controller. */
@Tag("pure")
class GpuHealthTest {
  private static final Await SOON = Await.seconds(30);

  private final FakeGpuDriver driver = new FakeGpuDriver("fake").with("a").with("b");
  private final List<String> reasons = new CopyOnWriteArrayList<>();
  private String mode = "nvml";
  private final GpuHealth health =
      new GpuHealth(
          new MachineGpus((_, _) -> List.of(driver)),
          () -> mode,
          reasons::add,
          NOPLogger.NOP_LOGGER);

  @Test
  void aFaultThatStandsDrainsOnce() {
    assertEquals(List.of("unknown", "unknown"), health.now());
    health.ask(mode);
    assertEquals(List.of("ok", "ok"), health.now());
    driver.faults =
        List.of(FakeGpuDriver.standing("b", "row"), FakeGpuDriver.standing("b", "2 errors"));
    health.ask(mode);
    health.ask(mode);
    assertEquals(List.of("GPU b: row; GPU b: 2 errors"), reasons);
    assertEquals(List.of("ok", "row; 2 errors"), health.now());
    driver.faults = List.of(FakeGpuDriver.standing("b", "3 errors"));
    health.ask(mode);
    assertEquals("GPU b: 3 errors", reasons.getLast());
    driver.faults = List.of();
    health.ask(mode);
    assertEquals(List.of("ok", "ok"), health.now());
    assertEquals(2, reasons.size());
  }

  @Test
  void whatIsToldOnceStaysInTheRecord() {
    driver.faults = List.of(FakeGpuDriver.event("a", "XID 79"));
    health.ask(mode);
    driver.faults = List.of(FakeGpuDriver.standing("a", "row"));
    health.ask(mode);
    assertEquals(List.of("row; XID 79", "ok"), health.now());
    assertEquals(List.of("GPU a: XID 79", "GPU a: row"), reasons);
  }

  @Test
  void aFaultOfNoKnownGpuIsOneOfAll() {
    driver.faults = List.of(FakeGpuDriver.standing("", "a GPU is lost"));
    health.ask(mode);
    assertEquals(List.of("a GPU is lost", "a GPU is lost"), health.now());
    assertEquals(List.of("a GPU is lost"), reasons);
  }

  @Test
  void whatIsNotKnownIsNotCalledWell() {
    driver.failure = "no";
    health.ask(mode);
    assertEquals(List.of("unknown", "unknown"), health.now());
    driver.failure = null;
    driver.tells = false;
    health.ask(mode);
    assertEquals(List.of("unknown", "unknown"), health.now());
    assertEquals(List.of(), reasons);
    mode = "";
    health.look();
    assertEquals(List.of(), health.now());
  }

  @Test
  void aDriverThatHangsDrainsOnce() {
    CountDownLatch door = new CountDownLatch(1);
    // What GPUs there are is asked by one thread at a time, as their faults are.
    assertEquals(List.of("unknown", "unknown"), health.now());
    driver.door = door;
    health.look();
    health.look();
    health.look();
    assertEquals(List.of("GPU driver does not answer"), reasons);
    assertEquals("driver does not answer", health.now().getFirst());
    door.countDown();
    SOON.until("it answers", () -> health.now().equals(List.of("ok", "ok")));
  }
}
