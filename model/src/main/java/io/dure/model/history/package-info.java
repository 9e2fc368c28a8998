/** What a cluster keeps of its own past: how long jobs ran, and how much waited. */
@NullMarked
package io.dure.model.history;

import org.jspecify.annotations.NullMarked;
