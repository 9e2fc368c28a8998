/** Documents that requests bring, checked against their schemas. */
@NullMarked
package io.dure.surface.body;

import org.jspecify.annotations.NullMarked;
