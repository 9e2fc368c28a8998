/** When jobs wait for others. */
@org.jspecify.annotations.NullMarked
package io.dure.core.scheduler.dependency;
