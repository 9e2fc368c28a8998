/** HTTP at a controller. */
@NullMarked
package io.dure.e2e.rest;

import org.jspecify.annotations.NullMarked;
