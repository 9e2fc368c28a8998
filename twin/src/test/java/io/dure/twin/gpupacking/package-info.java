/** Tests of experiments with GPUs. */
@org.jspecify.annotations.NullMarked
package io.dure.twin.gpupacking;
