/** All that can be asked by HTTP. */
@NullMarked
package io.dure.rest.catalog;

import org.jspecify.annotations.NullMarked;
