/** Crontabs with real jobs. */
@org.jspecify.annotations.NullMarked
package io.dure.e2e.scrontab;
