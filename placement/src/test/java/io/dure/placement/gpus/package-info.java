/** Tests of where GPUs lie. */
@org.jspecify.annotations.NullMarked
package io.dure.placement.gpus;
