/** Where a job's GPUs lie so that what is left of nodes is still of use to the jobs to come. */
@org.jspecify.annotations.NullMarked
package io.dure.placement.gpus;
