/** GPUs that are cut into instances: which cuts are legal, and what each is worth. */
@org.jspecify.annotations.NullMarked
package io.dure.placement.gpus.mig;
