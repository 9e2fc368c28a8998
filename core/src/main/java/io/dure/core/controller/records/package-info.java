/** Finding the records of jobs that belong together, and ids that no record has. */
@org.jspecify.annotations.NullMarked
package io.dure.core.controller.records;
