/** What tests of every module share: waiting for a condition, and repeatable random values. */
@NullMarked
package io.dure.testkit;

import org.jspecify.annotations.NullMarked;
