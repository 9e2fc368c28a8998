/** How far starts are promised to jobs that wait, and how a configuration says so. */
@org.jspecify.annotations.NullMarked
package io.dure.model.config.backfill;
