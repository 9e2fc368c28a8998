/** Three real controllers of which some say nothing, are put back, or are all that is left. */
@org.jspecify.annotations.NullMarked
package io.dure.e2e.controllers;
