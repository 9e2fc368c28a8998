package io.dure.e2e.step;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A cluster that lives as long as the tests of a class, and shows its logs when one of them fails.
 */
final class StepCluster implements BeforeAllCallback, AfterAllCallback, AfterEachCallback {
  private final Supplier<Conf> conf;
  private final Diagnosis diagnosis = new Diagnosis();
  private @Nullable Cluster cluster;

  private StepCluster(Supplier<Conf> conf) {
    this.conf = conf;
  }

  /** One of that configuration, which is asked for when the class's tests begin. */
  static StepCluster of(Supplier<Conf> conf) {
    return new StepCluster(conf);
  }

  Cluster cluster() {
    Cluster started = cluster;
    if (started == null) {
      throw new IllegalStateException("no cluster was started");
    }
    return started;
  }

  /** A shell of whoever runs the tests. */
  Session shell() {
    return cluster().admin();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    cluster = Cluster.start(conf.get());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    diagnosis.afterEach(context);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Cluster started = cluster;
    if (started != null) {
      started.close();
    }
  }
}
