/** Cases of feature expressions. */
@org.jspecify.annotations.NullMarked
package io.dure.model.constraint;
