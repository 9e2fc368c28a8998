package io.dure.model.request;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Arguments that are kept with a job and shown, and that steps or a plugin of Slurm would follow
 * which this cluster has not; Slurm without the plugin does the same.
 *
 * @param tresBind {@code --tres-bind}, null where not asked, as all that follow
 * @param gpuFrequency {@code --gpu-freq}
 * @param profile {@code --profile}
 * @param network {@code --network}
 * @param burstBuffer {@code --bb}
 * @param clusterFeatures {@code --cluster-constraint}
 * @param mcsLabel {@code --mcs-label}
 * @param extra {@code --extra}
 * @param delayBoot {@code --delay-boot}
 * @param container {@code --container}
 * @param containerId {@code --container-id}
 * @param containerType {@code --container-type}
 * @param accountingFrequency {@code --acctg-freq}, which nodes follow for tasks
 */
@RecordBuilder
public record KeptOptions(
    @Nullable String tresBind,
    @Nullable String gpuFrequency,
    @Nullable String profile,
    @Nullable String network,
    @Nullable String burstBuffer,
    @Nullable String clusterFeatures,
    @Nullable String mcsLabel,
    @Nullable String extra,
    @Nullable Duration delayBoot,
    @Nullable String container,
    @Nullable String containerId,
    @Nullable String containerType,
    @Nullable String accountingFrequency)
    implements KeptOptionsBuilder.With {
  /** None of them. */
  public static final KeptOptions NONE =
      new KeptOptions(null, null, null, null, null, null, null, null, null, null, null, null, null);
}
