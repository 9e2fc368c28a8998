package io.dure.protocol;

import io.dure.model.reservation.Reservation;

/**
 * A reservation as it is shown.
 *
 * @param reservation the record
 * @param active whether its time is now
 * @param cores cores of its nodes
 * @param cpus CPUs of its nodes
 */
public record ReservationInfo(Reservation reservation, boolean active, int cores, int cpus) {}
