/** Cases of feature expressions. */
@org.jspecify.annotations.NullMarked
package io.dure.core.scheduler.constraint;
