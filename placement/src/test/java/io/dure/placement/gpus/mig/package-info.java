/** Tests of cuts of GPUs. */
@org.jspecify.annotations.NullMarked
package io.dure.placement.gpus.mig;
