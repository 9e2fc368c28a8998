/** Forecasts as the controller keeps, computes and shows them. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.foresight;
