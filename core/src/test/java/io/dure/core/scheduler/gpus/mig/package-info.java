/** Tests of cuts of GPUs. */
@org.jspecify.annotations.NullMarked
package io.dure.core.scheduler.gpus.mig;
