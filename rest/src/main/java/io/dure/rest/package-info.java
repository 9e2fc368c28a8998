/** HTTP: who asks, what is asked, and within which bounds. */
@NullMarked
package io.dure.rest;

import org.jspecify.annotations.NullMarked;
