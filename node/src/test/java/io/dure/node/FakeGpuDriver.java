package io.dure.node;

import io.dure.host.gpu.GpuCard;
import io.dure.host.gpu.GpuDevice;
import io.dure.host.gpu.GpuDriver;
import io.dure.host.gpu.GpuFault;
import io.dure.host.gpu.GpuProcess;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A driver that tells what a test has it tell. */
final class FakeGpuDriver implements GpuDriver {
  private final String name;
  private final List<GpuCard> cards = new ArrayList<>();

  /** What is wrong, once. */
  volatile List<GpuFault> faults = List.of();

  volatile @Nullable String failure;
  volatile boolean tells = true;

  /** It answers when this is open. */
  volatile CountDownLatch door = new CountDownLatch(0);

  FakeGpuDriver(String name) {
    this.name = name;
  }

  FakeGpuDriver with(String uuid, Integer... links) {
    GpuDevice gpu = new GpuDevice("Test", "", uuid, "b", List.of(), List.of(), List.of(links), 0);
    cards.add(new GpuCard(gpu, false, List.of()));
    return this;
  }

  /** One that is cut into parts of a profile. */
  FakeGpuDriver cut(String uuid, String profile, String... parts) {
    GpuDevice gpu = new GpuDevice("Test", "", uuid, "b", List.of(), List.of(), List.of(), 0);
    List<GpuDevice> devices = new ArrayList<>();
    for (String part : parts) {
      devices.add(new GpuDevice("Test", profile, part, "b", List.of(), List.of(), List.of(), 0));
    }
    cards.add(new GpuCard(gpu, true, devices));
    return this;
  }

  static GpuFault standing(String uuid, String text) {
    return new GpuFault(uuid, uuid.isEmpty() ? "" : "GPU " + uuid, text, false);
  }

  static GpuFault event(String uuid, String text) {
    return new GpuFault(uuid, "GPU " + uuid, text, true);
  }

  @Override
  public String description() {
    return name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<GpuCard> cards() {
    return List.copyOf(cards);
  }

  @Override
  public boolean tellsFaults() {
    return tells;
  }

  @Override
  public List<GpuFault> faults() throws IOException {
    try {
      door.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
    if (failure != null) {
      throw new IOException(failure);
    }
    return faults;
  }

  @Override
  public @Nullable List<GpuProcess> processes() {
    return null;
  }

  @Override
  public void close() {}
}
