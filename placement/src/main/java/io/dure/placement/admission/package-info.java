/**
 * Which jobs a cluster accepts: what a request leaves open is filled in, what can never be is
 * refused.
 */
@NullMarked
package io.dure.placement.admission;

import org.jspecify.annotations.NullMarked;
