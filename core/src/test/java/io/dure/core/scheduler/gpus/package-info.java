/** Tests of where GPUs lie. */
@org.jspecify.annotations.NullMarked
package io.dure.core.scheduler.gpus;
