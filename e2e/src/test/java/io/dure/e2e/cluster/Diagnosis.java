package io.dure.e2e.cluster;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Shows the ends of the clusters' logs when a test fails, and lets no output go unseen. */
public final class Diagnosis implements AfterEachCallback {
  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isEmpty()) {
      Ran.assertAllSeen();
    } else {
      Ran.forget();
      Cluster.open().forEach(cluster -> System.out.println(cluster.logs()));
    }
  }
}
